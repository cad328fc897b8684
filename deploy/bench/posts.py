"""How many games a second are taken in from phones that write without a pause, and how long each of them waits.

The requests are made before the clock starts, and each phone has a connection that stays open: client and server share
the machine, so the client does as little as can be.
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

from deploy.bench.answers import BadAnswer
from deploy.bench.drawn import drawn
from deploy.bench.grounds import Ground
from tournament.models import Pairing

CLIENTS, GAMES, LENGTH, PASSES = 8, 20, 13, 3
SECONDS = 30.0


@dataclass
class Posts:
    """`rates`: games a second in each pass; `seconds`: how long each game was on its way, there and back."""

    rates: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Seat:
    """A match, and the token of one of its players."""

    match: str
    token: str


def measure(ground: Ground, entries: int, games: int = GAMES, passes: int = PASSES) -> Posts:
    """Both players of a match for each client keep a card of so many games; once to warm up, then so many times."""
    with ground.parts.database():
        seats = _seats(entries)
        measured = Posts()
        for number in range(passes + 1):
            mine = [(next(seats), next(seats)) for _ in range(CLIENTS)]
            one = _pass(ground.parts.url, mine, games)
            if number:
                measured.rates += one.rates
                measured.seconds += one.seconds
    return measured


def _seats(entries: int) -> Iterator[Seat]:
    """The two players of a match, one after the other; another tournament of that size when all matches are taken."""
    while True:
        tournament, tokens = drawn(entries, LENGTH)
        found = Pairing.objects.filter(round__bracket__tournament=tournament, match__isnull=False)
        for match, *players in list(found.values_list("match_id", "left_id", "right_id")):
            yield from (Seat(str(match), tokens[player]) for player in players)


def _pass(url: str, seats: list[tuple[Seat, Seat]], games: int) -> Posts:
    wanted = [[row for seat in both for row in islice(_requests(url, seat), games)] for both in seats]
    began = time.perf_counter()
    with ThreadPoolExecutor(len(wanted)) as threads:
        seconds = [one for each in threads.map(lambda rows: _send(url, rows), wanted) for one in each]
    return Posts([len(seconds) / (time.perf_counter() - began)], seconds)


def _requests(url: str, seat: Seat) -> Iterator[bytes]:
    """Games that follow one another on a player's card, won by turns, so that the match does not end."""
    tail, winners = seat.match, ("left", "right")
    for number in range(2 * LENGTH):
        row = {"key": str(uuid.uuid4()), "predecessor": tail, "winner": winners[number % 2]}
        body = json.dumps({**row, "win": "single", "ending": "played", "cube": 1}).encode()
        head = (
            f"POST /api/v1/matches/{seat.match}/games/ HTTP/1.1\r\nHost: {urlsplit(url).netloc}\r\n"
            f"Authorization: Bearer {seat.token}\r\nContent-Type: application/json\r\n"
            f"Accept: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        yield head.encode() + body
        tail = row["key"]


def _send(url: str, rows: list[bytes]) -> list[float]:
    """One after the other on one connection; how long each took."""
    address, seconds = urlsplit(url), []
    with socket.create_connection((str(address.hostname), int(address.port or 80)), SECONDS) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for row in rows:
            began = time.perf_counter()
            connection.sendall(row)
            answer = _answer(connection)
            seconds.append(time.perf_counter() - began)
            if not answer.startswith(b"HTTP/1.1 201"):
                raise BadAnswer(f"The product answered {answer[:300].decode(errors='replace')}")
    return seconds


def _answer(connection: socket.socket) -> bytes:
    """One whole answer, which says how long it is."""
    answer = b""
    while b"\r\n\r\n" not in answer:
        answer += _more(connection)
    head, _, body = answer.partition(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0])
    while len(body) < length:
        body += _more(connection)
    return head + b"\r\n\r\n" + body


def _more(connection: socket.socket) -> bytes:
    piece = connection.recv(65536)
    if not piece:
        raise BadAnswer("The product hung up.")
    return piece
