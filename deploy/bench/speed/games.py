"""Games accepted a second from phones that post without a pause, and the duration of each post.

Requests are encoded before the clock starts and each phone keeps its connection open, because client and server share
the machine.
"""

import json
import socket
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from urllib.parse import urlsplit

from deploy.bench.steps import UnexpectedAnswer, draw_tournament
from deploy.bench.temporary import RunningInstallation
from tournament.models import Pairing

CLIENTS, GAMES, LENGTH, PASSES = 8, 20, 13, 3
ANSWER_TIMEOUT = 30.0


@dataclass
class Posts:
    """`rates`: games a second in each pass; `seconds`: the duration of each post."""

    rates: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Player:
    """A match and the token of one of its players."""

    match: str
    token: str


def measure(running: RunningInstallation, entries: int, games: int = GAMES, passes: int = PASSES) -> Posts:
    """For each client both players of a match post so many games, in one pass to warm up and then `passes` times."""
    installation, posts = running.installation, Posts()
    with installation.database():
        players = _players(entries)
        for number in range(passes + 1):
            pairs = [(next(players), next(players)) for _ in range(CLIENTS)]
            measured = _run_pass(installation.url, pairs, games)
            if number > 0:
                posts.rates += measured.rates
                posts.seconds += measured.seconds
    return posts


def _players(entries: int) -> Iterator[Player]:
    """The two players of each match in turn; draws another tournament when all matches are taken."""
    while True:
        tournament, tokens = draw_tournament(entries, LENGTH)
        rows = Pairing.objects.filter(round__bracket__tournament=tournament, match__isnull=False)
        for match, *entry_ids in list(rows.values_list("match_id", "left_id", "right_id")):
            yield from (Player(str(match), tokens[entry]) for entry in entry_ids)


def _run_pass(url: str, pairs: list[tuple[Player, Player]], games: int) -> Posts:
    requests = [
        [request for player in pair for request in islice(_requests(url, player), games)] for pair in pairs
    ]
    began = time.perf_counter()
    with ThreadPoolExecutor(len(requests)) as threads:
        durations = threads.map(lambda batch: _send(url, batch), requests)
        seconds = [second for client in durations for second in client]
    return Posts([len(seconds) / (time.perf_counter() - began)], seconds)


def _requests(url: str, player: Player) -> Iterator[bytes]:
    """Successive games of one card, won by each side in turn so that the match does not end."""
    tail, winners = player.match, ("left", "right")
    for number in range(2 * LENGTH):
        row = {"key": str(uuid.uuid4()), "predecessor": tail, "winner": winners[number % 2]}
        body = json.dumps({**row, "win": "single", "ending": "played", "cube": 1}).encode()
        head = (
            f"POST /api/v1/matches/{player.match}/games/ HTTP/1.1\r\nHost: {urlsplit(url).netloc}\r\n"
            f"Authorization: Bearer {player.token}\r\nContent-Type: application/json\r\n"
            f"Accept: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        yield head.encode() + body
        tail = row["key"]


def _send(url: str, requests: list[bytes]) -> list[float]:
    """Sends the requests one after the other on one connection and returns the seconds that each took."""
    address, seconds = urlsplit(url), []
    place = (str(address.hostname), int(address.port or 80))
    with socket.create_connection(place, ANSWER_TIMEOUT) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for request in requests:
            began = time.perf_counter()
            connection.sendall(request)
            answer = _read_answer(connection)
            seconds.append(time.perf_counter() - began)
            if not answer.startswith(b"HTTP/1.1 201"):
                raise UnexpectedAnswer(f"The product answered {answer[:300].decode(errors='replace')}")
    return seconds


def _read_answer(connection: socket.socket) -> bytes:
    """Reads one answer that has a Content-Length."""
    answer = b""
    while b"\r\n\r\n" not in answer:
        answer += _read(connection)
    head, _, body = answer.partition(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0])
    while len(body) < length:
        body += _read(connection)
    return head + b"\r\n\r\n" + body


def _read(connection: socket.socket) -> bytes:
    chunk = connection.recv(65536)
    if not chunk:
        raise UnexpectedAnswer("The product closed the connection.")
    return chunk
