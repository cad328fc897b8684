"""Score cards of matches that GNU Backgammon played against itself, reported over the API as an event's results.

The list of players comes in through the import, in many scripts. Each match must end as its record says, game by
game: points, Crawford, winner and final score.
"""

import json
import threading
import uuid
from collections import defaultdict, deque
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

from deploy.bench.faults.event import current_results
from rules.score import Ending, Game, Score, Side, Win, play
from rules.score.crawford import is_crawford_game
from tests.flows import replay
from tests.flows.hall import Hall, OpenMatch, game_row
from tests.flows.stage import Stage
from tests.flows.waiting import until_all_advanced
from tests.rules.cards import TOURNAMENT
from tests.tournament import stories
from tournament.accounts import links
from tournament.models import Tournament
from tournament.rehearsal.wire import Answer, Wire

DATA = Path(__file__).parent / "data"
CLIENTS = 4
# From the final backwards. Together they have matches of each recorded length.
BRACKETS = {
    "Long": (5, [25, 17, 13]),
    "Short": (9, [21, 15, 9, 1]),
    "Sevens": (9, [11, 7, 5, 3]),
}


@dataclass(frozen=True)
class Record:
    """One match: each game with the score it led to, after which game the Crawford game came, the points in the end."""

    length: int
    games: list[Game]
    crawford: int | None
    final: tuple[int, int]

    @property
    def credited(self) -> tuple[int, int]:
        """The final score without the points that the winner did not need."""
        return min(self.final[0], self.length), min(self.final[1], self.length)

    def after(self, games: int) -> tuple[int, int]:
        """The score after so many games, as a score card shows it."""
        won = {
            side: sum(game.cube * game.win for game in self.games[:games] if game.winner is side)
            for side in Side
        }
        return min(won[Side.LEFT], self.length), min(won[Side.RIGHT], self.length)


def records() -> dict[int, list[Record]]:
    """The records by match length."""
    by_length = defaultdict(list)
    for line in (DATA / "gnubg_cards.jsonl").read_text().splitlines():
        document = json.loads(line)
        games = [Game(Side(who), Win(win), Ending(how), cube) for who, cube, win, how in document["games"]]
        length, final = document["length"], tuple(document["final"])
        by_length[length].append(Record(length, games, document["crawford"], final))
    return by_length


@dataclass
class Archive:
    """Returns the records of a length in turn."""

    waiting: dict[int, deque[Record]]
    dealt: dict[uuid.UUID, Record] = field(default_factory=dict)
    _alone: threading.Lock = field(default_factory=threading.Lock)

    def deal(self, table: OpenMatch) -> Record:
        with self._alone:
            record = self.waiting[table.length].popleft()
            self.waiting[table.length].append(record)
            self.dealt[table.match] = record
            return record


@dataclass
class RecordedHall(Hall):
    """A hall in which every match is one of the archive."""

    archive: Archive = field(default_factory=lambda: Archive({}))

    def play(self, table: OpenMatch) -> None:
        record = self.archive.deal(table)
        phone, tail = self.phone(table.left), table.match
        for number, game in enumerate(record.games, start=1):
            row = game_row(game, tail)
            answer = phone.send(f"/api/v1/matches/{table.match}/games/", row)
            tail = uuid.UUID(str(row["key"]))
            assert_match_equals_record(record, number, answer.body)
        self.phone(table.right).confirm(table.match, tail)
        self.log.winners[table.match] = table.left if record.games[-1].winner is Side.LEFT else table.right


def assert_match_equals_record(record: Record, number: int, document: dict[str, Any]) -> None:
    """The card after this game is what the record says."""
    card, row, game = document["card"], document["row"], record.games[number - 1]
    ended = number == len(record.games)
    assert (card["left"], card["right"]) == record.after(number)
    assert row["points"] == game.cube * game.win
    assert card["is_crawford"] == (record.crawford == number)
    assert card["winner"] == (game.winner.value if ended else None)


def director_of(stage: Stage) -> Wire:
    with stage.database():
        user = stories.director().user
        assert user is not None
        return Wire(stage.url, links.make_api_token(user, "records"))


def taken(answer: Answer) -> Any:
    assert answer.is_ok, answer
    return answer.body


def recorded_hall(stage: Stage, director: Wire, event: str, name: str, archive: Archive) -> RecordedHall:
    """A tournament set up over the API: made, its entries imported, drawn, released, a phone for everybody."""
    players, lengths = BRACKETS[name]
    made = taken(director.post(f"/api/v1/events/{event}/tournaments/", {"name": name, "lengths": lengths}))
    path = f"/api/v1/tournaments/{made['id']}/"
    listed = b"".join((DATA / "entries.csv").read_bytes().splitlines(keepends=True)[: players + 1]).decode()
    preview = taken(director.post(f"{path}import/", {"text": listed}))
    assert [trouble for trouble in preview["troubles"] if trouble["severity"] != "note"] == []
    taken(director.put(f"{path}import/", {"text": listed, "digest": preview["digest"]}))
    entries = taken(director.get(f"{path}entries/"))["results"]
    assert len(entries) == players
    taken(director.post(f"{path}draws/", {"seed_text": name}))
    taken(director.post(f"{path}release/"))
    with stage.database():
        tournament = Tournament.objects.get(pk=made["id"])
        links_of_entries = links.make_links(list(tournament.entries.all()), stories.director())
    tokens = {entry.pk: token for entry, token in links_of_entries.items()}
    return RecordedHall(stage, tournament, tokens, archive=archive)


def test_every_record_is_scored_by_the_rules():
    for record in chain.from_iterable(records().values()):
        score = Score.start(record.length, TOURNAMENT)
        for number, game in enumerate(record.games, start=1):
            score = play(score, game, TOURNAMENT).after
            assert is_crawford_game(score, TOURNAMENT) == (record.crawford == number)
            assert (score.left, score.right) == record.after(number)
            assert score.is_over == (number == len(record.games))


def test_matches_of_every_recorded_length_end_as_their_records_say(stage):
    by_length = records()
    archive = Archive({length: deque(group) for length, group in by_length.items()})
    director = director_of(stage)
    event = taken(director.post("/api/v1/events/", {"name": "Records", "starts_on": "2026-11-21"}))["slug"]
    halls = [recorded_hall(stage, director, event, name, archive) for name in BRACKETS]
    for hall in halls:
        hall.play_out(CLIENTS, lambda _decided: None)
    assert {record.length for record in archive.dealt.values()} == set(by_length)
    with stage.database():
        for hall in halls:
            until_all_advanced(stage)
            assert replay.stored_seats(hall.tournament) == replay.resolved_seats(hall.tournament)
            for result in current_results(hall.tournament):
                assert result.match_id is not None
                record = archive.dealt[result.match_id]
                assert (result.left_points, result.right_points) == record.credited
                assert result.winner_id == hall.log.winners[result.match_id]
