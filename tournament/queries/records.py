"""Game records of a match with their verdicts and the comparison with the reported score. Reads only."""

import hashlib
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from matches.models import GameRecord, Match
from rules.board.ids import position_from_id
from rules.judge import faults, sources
from rules.problem import Problem
from rules.score import Side
from tournament.models import Pairing
from tournament.records.checking import match_record_players, player_names, reported_score
from tournament.records.player_matching import Basis, Names, PlayerMatch, Points

FIRST = 5


@dataclass(frozen=True, slots=True)
class ProblemBoard:
    """The caption of a drawn board: the player on roll, the dice, and both pip counts."""

    mover: str
    dice: str
    pips: int
    other_pips: int


@dataclass(frozen=True, slots=True)
class RecordProblem:
    """One problem. `number` counts from 1; `board` is the position if it can be drawn, else None.

    `follows`: an earlier error of the same game is the likely cause.
    """

    number: int
    problem: Problem
    board: ProblemBoard | None
    follows: bool = False


@dataclass(frozen=True, slots=True)
class ErrorGroup:
    """An independent problem and its consequences: the first `following` of `more`."""

    first: RecordProblem
    following: tuple[RecordProblem, ...] = ()
    more: int = 0


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """One game of the record: its winner, points and score; `winner` is empty while it is unfinished."""

    number: int
    winner: str
    credited: int
    score: Points
    is_crawford: bool


@dataclass(frozen=True, slots=True)
class RecordDetails:
    """A record and its verdict. `names` belong to `score`: players of the match, or the names in the file if unknown.

    `bringer` is a player's name, empty for the desk. `file_names` are the names in the file, its left column first;
    `left_name` is the player in that column, empty if unknown. `agrees` is None if no result is reported.
    """

    id: uuid.UUID
    name: str
    size: int
    sha256: str
    uploader: str
    uploaded_at: datetime
    state: str
    format: str = ""
    errors: int = 0
    warnings: int = 0
    remarks: int = 0
    problems: tuple[RecordProblem, ...] = ()
    games: tuple[RecordedGame, ...] = ()
    names: Names = ("", "")
    file_names: Names = ("", "")
    left_name: str = ""
    left_player: str = ""
    basis: str = Basis.NOTHING
    score: Points | None = None
    reported: Points | None = None
    agrees: bool | None = None
    is_finished: bool = False

    @property
    def columns(self) -> Names:
        """The names of the players in the file's left and right column."""
        return (self.names[1], self.names[0]) if self.left_player == Side.RIGHT else self.names

    @property
    def is_clean(self) -> bool:
        return self.state == "checked" and self.problem_count == 0

    @property
    def problem_count(self) -> int:
        return self.errors + self.warnings + self.remarks

    @property
    def following(self) -> int:
        """Counts the problems that are likely consequences of another."""
        return sum(row.follows for row in self.problems)

    def faults(self, most: int | None = None, most_following: int | None = None) -> tuple[ErrorGroup, ...]:
        """Returns the independent problems, each with its consequences, up to a limit if there is one."""
        grouped = faults([row.problem for row in self.problems])
        return tuple(
            ErrorGroup(
                self.problems[fault.index],
                tuple(self.problems[place] for place in fault.consequences[:most_following]),
                len(fault.consequences),
            )
            for fault in grouped[:most]
        )

    @property
    def first_faults(self) -> tuple[ErrorGroup, ...]:
        """The faults that a page with several records lists."""
        return self.faults(FIRST, FIRST)

    @property
    def has_verdict(self) -> bool:
        return self.score is not None

    @property
    def is_partly_shown(self) -> bool:
        """True if some problems were not stored."""
        return len(self.problems) < self.problem_count


@dataclass(frozen=True, slots=True)
class RecordsPage:
    """All records of a match, newest first. `stamp` changes with every value of the page."""

    match_id: uuid.UUID
    names: Names
    records: tuple[RecordDetails, ...] = field(default=())

    @property
    def is_waiting(self) -> bool:
        return any(record.state == "waiting" for record in self.records)

    @property
    def stamp(self) -> str:
        return hashlib.sha256(repr(self.records).encode("utf-8", "replace")).hexdigest()[:32]


def records_of_match(match_id: uuid.UUID) -> QuerySet[GameRecord]:
    """Returns the game records of a match without their files."""
    return GameRecord.objects.filter(match_id=match_id).defer("data").select_related("match")


def load_records(match: Match) -> RecordsPage:
    names = player_names(match)
    rows = list(match.records.defer("data").order_by("-uploaded_at"))
    reported = reported_score(match) if rows else None
    return RecordsPage(match.pk, names, tuple(_record_details(row, names, reported) for row in rows))


def load_record(record: GameRecord) -> RecordsPage:
    match = record.match
    names = player_names(match)
    return RecordsPage(match.pk, names, (_record_details(record, names, reported_score(match)),))


def find_record_pairing(record: GameRecord) -> Pairing | None:
    """Returns the pairing of the record's match with its match and tournament; None if the match has no pairing."""
    pairings = Pairing.objects.filter(match=record.match_id)
    return pairings.select_related("match", "round__bracket__tournament").first()


def _record_details(row: GameRecord, names: Names, reported: Points | None) -> RecordDetails:
    verdict: dict[str, Any] = row.verdict or {}
    counts = verdict.get("counts", {})
    players = match_record_players(row, names, reported)
    left_player = players.left_player if players is not None else None
    columns = _columns(verdict, names, left_player)
    return RecordDetails(
        id=row.pk,
        name=row.name,
        size=row.size,
        sha256=row.sha256,
        uploader={"left": names[0], "right": names[1]}.get(row.uploaded_by, ""),
        uploaded_at=row.uploaded_at,
        state=str(row.state),
        format=verdict.get("format", ""),
        errors=counts.get("error", 0),
        warnings=counts.get("warning", 0),
        remarks=counts.get("remark", 0),
        problems=_problems(verdict, columns),
        games=tuple(_game(game, columns, left_player) for game in verdict.get("games", ())),
        names=columns if left_player is None else names,
        left_player=left_player.value if left_player is not None else "",
        reported=reported,
        **_score(verdict, players, columns),
    )


def _columns(verdict: Mapping[str, Any], names: Names, left_player: Side | None) -> Names:
    """Returns the names of the players in the file's columns; the names in the file if the players are unknown."""
    if left_player is None:
        written = verdict.get("names", ("", ""))
        return written[0], written[1]
    return names if left_player is Side.LEFT else (names[1], names[0])


def _score(verdict: Mapping[str, Any], players: PlayerMatch | None, columns: Names) -> dict[str, Any]:
    """Returns the fields that exist only if at least a part of the record was judged."""
    if "score" not in verdict:
        return {}
    return {
        "file_names": (verdict["names"][0], verdict["names"][1]),
        "left_name": columns[0] if players is not None and players.left_player else "",
        "basis": players.basis.value if players is not None else Basis.NOTHING.value,
        "score": players.score if players is not None else (verdict["score"][0], verdict["score"][1]),
        "agrees": players.agrees if players is not None else None,
        "is_finished": verdict["is_finished"],
    }


def _problems(verdict: Mapping[str, Any], columns: Names) -> tuple[RecordProblem, ...]:
    fields = ("severity", "code", "rule", "template", "params", "game", "offer", "move", "line", "position")
    facts = verdict.get("problems", ())
    problems = [Problem(**{name: fact[name] for name in fields}) for fact in facts]
    return tuple(
        RecordProblem(number, problem, _board(fact, columns), follows=source is not None)
        for number, (fact, problem, source) in enumerate(
            zip(facts, problems, sources(problems), strict=True), 1
        )
    )


def _board(problem: Mapping[str, Any], columns: Names) -> ProblemBoard | None:
    """`columns` are the names of the players in the file's left and right column."""
    if not problem["position"]:
        return None
    stage = problem.get("stage") or {}
    pips, other_pips = position_from_id(problem["position"]).pips
    mover = {"left": columns[0], "right": columns[1]}.get(stage.get("side", ""), "")
    return ProblemBoard(mover, "".join(str(die) for die in stage.get("dice") or ()), pips, other_pips)


def _game(game: Mapping[str, Any], columns: Names, left_player: Side | None) -> RecordedGame:
    left, right = game["score"]
    return RecordedGame(
        number=game["number"],
        winner={"left": columns[0], "right": columns[1]}.get(game["winner"], ""),
        credited=game["credited"],
        score=(right, left) if left_player is Side.RIGHT else (left, right),
        is_crawford=game["is_crawford"],
    )
