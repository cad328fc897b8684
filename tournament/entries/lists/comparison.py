"""Compares a listing with the players of an event: new players, changes and conflicts.

Pure: the caller passes in the players. A blank cell changes nothing.
"""

import hashlib
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TypeVar
from uuid import UUID

from tournament.entries.entry_check import EntryFacts, EntryProblem, ProblemKind, find_problems
from tournament.entries.lists import remarks
from tournament.entries.lists.listing import Line, Listing, Trouble
from tournament.runtime.text import abbreviate, comparison_key

Item = TypeVar("Item", Line, "ExistingPlayer")
Value = str | int | Decimal | bool | None

PLAYER_FIELDS = ("name", "country", "club", "team", "federation_id", "rating")
ENTRY_FIELDS = ("seed", "paid", "checked_in")


@dataclass(frozen=True, slots=True)
class ExistingPlayer:
    """A player of the event. `entry_id` is None for a player who is not in this tournament."""

    player_id: UUID
    entry_id: UUID | None
    name: str
    country: str = ""
    club: str = ""
    team: str = ""
    federation_id: str = ""
    rating: Decimal | None = None
    seed: int | None = None
    paid: bool = False
    checked_in: bool = False
    withdrawn: bool = False
    elsewhere: tuple[str, ...] = ()  # names of other tournaments that this player is entered in


@dataclass(frozen=True, slots=True)
class Change:
    """A field of a player or entry, before and after."""

    field: str
    before: Value
    after: Value


@dataclass(frozen=True, slots=True)
class PlannedLine:
    """The effect of a line: a new player (`player` is None), an existing player to enter, or changes."""

    line: Line
    player: ExistingPlayer | None
    changes: tuple[Change, ...] = ()

    @property
    def player_id(self) -> UUID | None:
        return self.player.player_id if self.player else None

    @property
    def entry_id(self) -> UUID | None:
        return self.player.entry_id if self.player else None

    @property
    def elsewhere(self) -> tuple[str, ...]:
        """Names of other tournaments that show changes of this player too."""
        return self.player.elsewhere if self.player else ()

    @property
    def is_matched_by_name_only(self) -> bool:
        """True if only the name connects the line with a player of another tournament."""
        return (
            self.player is not None and self.entry_id is None and not _has_same_number(self.line, self.player)
        )

    def changes_of(self, fields: Iterable[str]) -> list[Change]:
        return [change for change in self.changes if change.field in fields]


@dataclass(frozen=True, slots=True)
class Preview:
    """The effect of importing a list. `digest` covers all of it and the current state of the players."""

    added: tuple[PlannedLine, ...]
    changed: tuple[PlannedLine, ...]
    unchanged: tuple[PlannedLine, ...]
    troubles: tuple[Trouble, ...]
    digest: str


def compare(
    listing: Listing, players: Sequence[ExistingPlayer], other_people: Collection[int] = ()
) -> Preview:
    """Compares a listing with the players of the event, in this tournament or in another.

    Lines whose numbers are in `other_people` are new players, even if a player of another tournament has the same name.
    """
    player_of, unclear = _match_lines(listing.rows, players, other_people)
    clear = [line for line in listing.rows if line.number not in unclear]
    planned, conflicts = _legal_lines(
        [_plan_line(line, player_of.get(line.number)) for line in clear], players
    )
    warnings = [doubt for item in planned for doubt in _warnings(item)]
    troubles = sorted(
        [*listing.problems, *unclear.values(), *conflicts, *warnings], key=lambda trouble: trouble.line or 0
    )
    return Preview(
        added=tuple(item for item in planned if item.entry_id is None),
        changed=tuple(item for item in planned if item.entry_id and item.changes),
        unchanged=tuple(item for item in planned if item.entry_id and not item.changes),
        troubles=tuple(troubles),
        digest=_digest(planned, troubles),
    )


def _plan_line(line: Line, player: ExistingPlayer | None) -> PlannedLine:
    if player is None:
        return PlannedLine(line, None)
    fields = PLAYER_FIELDS if player.entry_id is None else PLAYER_FIELDS + ENTRY_FIELDS
    values = ((field, getattr(player, field), getattr(line, field)) for field in fields)
    changes = (Change(field, before, after) for field, before, after in values if after not in ("", None))
    return PlannedLine(line, player, tuple(change for change in changes if change.before != change.after))


def _match_lines(
    lines: Sequence[Line], players: Sequence[ExistingPlayer], other_people: Collection[int]
) -> tuple[dict[int, ExistingPlayer], dict[int, Trouble]]:
    """Matches each line by federation number, else by name and club, else by a name that only one player has."""
    matching = _Matching(lines, players, other_people)
    matching.match_by(lambda item: comparison_key(item.federation_id))
    matching.match_by(lambda item: f"{comparison_key(item.name)}\n{comparison_key(item.club)}")
    matching.match_by(lambda item: comparison_key(item.name))
    return matching.player_of, matching.unclear_lines()


class _Matching:
    """Matches lines with players, each at most once, the most certain matches first."""

    def __init__(
        self, lines: Sequence[Line], players: Sequence[ExistingPlayer], other_people: Collection[int]
    ) -> None:
        self.lines = lines
        self.players = players
        self.other_people = other_people
        self.player_of: dict[int, ExistingPlayer] = {}

    def match_by(self, mark: Callable[[Line | ExistingPlayer], str]) -> None:
        """Matches lines and players whose mark is unique on both sides and not empty."""
        players = _group_by(self._free_players(), mark)
        for marked, lines in _group_by(self._open_lines(), mark).items():
            line = lines[0]
            candidates = [player for player in players.get(marked, []) if self._can_be(line, player)]
            if marked and len(lines) == len(candidates) == 1:
                self.player_of[line.number] = candidates[0]

    def unclear_lines(self) -> dict[int, Trouble]:
        """Returns a trouble for each line that could be one of several unmatched players."""
        players = _group_by(self._free_players(), lambda item: comparison_key(item.name))
        return {
            line.number: remarks.UNCLEAR.on(line.number, name=abbreviate(line.name))
            for line in self._open_lines()
            if any(self._can_be(line, player) for player in players.get(comparison_key(line.name), []))
        }

    def _can_be(self, line: Line, player: ExistingPlayer) -> bool:
        if _has_same_number(line, player):
            return True
        is_other_person = player.entry_id is None and line.number in self.other_people
        return not is_other_person and not _are_different_people(line, player)

    def _open_lines(self) -> list[Line]:
        return [line for line in self.lines if line.number not in self.player_of]

    def _free_players(self) -> list[ExistingPlayer]:
        taken = {player.player_id for player in self.player_of.values()}
        return [player for player in self.players if player.player_id not in taken]


def _group_by(items: Iterable[Item], mark: Callable[[Item], str]) -> dict[str, list[Item]]:
    groups: dict[str, list[Item]] = {}
    for item in items:
        groups.setdefault(mark(item), []).append(item)
    return groups


def _has_same_number(line: Line, player: ExistingPlayer) -> bool:
    return bool(line.federation_id) and comparison_key(line.federation_id) == comparison_key(
        player.federation_id
    )


def _are_different_people(line: Line, player: ExistingPlayer) -> bool:
    """Returns True if the federation numbers differ, or for a player of another tournament also country or club."""
    fields = ("federation_id",) if player.entry_id else ("federation_id", "country", "club")
    pairs = [
        (comparison_key(getattr(line, field)), comparison_key(getattr(player, field))) for field in fields
    ]
    return any(listed and existing and listed != existing for listed, existing in pairs)


def _legal_lines(
    planned: Sequence[PlannedLine], players: Sequence[ExistingPlayer]
) -> tuple[list[PlannedLine], list[Trouble]]:
    """Clears seeds and federation numbers that another entry keeps. Leaves out lines that break another rule.

    An entry whose new seed is cleared keeps its own seed, which may make the seed of another line taken.
    """
    legal = list(planned)
    troubles: list[Trouble] = []
    while problems := _problems(legal, players):
        line_troubles = {item.line.number: trouble for item, _, trouble in problems}
        troubles += line_troubles.values()
        cleared = {item.line.number: line for item, line, _ in problems}
        legal = [
            item if line is item.line else _plan_line(line, item.player)
            for item in legal
            if (line := cleared.get(item.line.number, item.line)) is not None
        ]
    return legal, troubles


def _problems(
    planned: Sequence[PlannedLine], players: Sequence[ExistingPlayer]
) -> list[tuple[PlannedLine, Line | None, Trouble]]:
    """Returns each line that breaks a rule, the line without what breaks it, and the trouble.

    Entries that keep seed and federation number are checked first, so that the others give way.
    """
    listed_players = {item.player_id for item in planned}
    others = [_facts_of_player(player) for player in players if player.player_id not in listed_players]
    items = sorted(planned, key=lambda item: item.line.seed is not None or _changes_federation_id(item))
    problems = find_problems([_facts_of_line(item) for item in items], others)
    first_problems = {problem.position: problem for problem in reversed(problems)}
    return [(items[at], *_resolve(items[at].line, problem)) for at, problem in first_problems.items()]


def _resolve(line: Line, problem: EntryProblem) -> tuple[Line | None, Trouble]:
    holder = abbreviate(problem.holder.name) if problem.holder else ""
    if problem.kind is ProblemKind.SEED_TAKEN and line.seed is not None:
        return replace(line, seed=None), remarks.SEED_HELD.on(line.number, seed=line.seed, name=holder)
    if problem.kind is ProblemKind.FEDERATION_ID_TAKEN and line.federation_id:
        value = abbreviate(line.federation_id)
        return replace(line, federation_id=""), remarks.ID_HELD.on(line.number, value=value, name=holder)
    return None, remarks.UNCLEAR.on(line.number, name=abbreviate(line.name))


def _changes_federation_id(item: PlannedLine) -> bool:
    return bool(item.changes_of(("federation_id",)))


def _facts_of_line(item: PlannedLine) -> EntryFacts:
    line, player = item.line, item.player
    if player is None:
        return EntryFacts(line.name, line.club, line.federation_id, line.seed)
    return EntryFacts(
        line.name or player.name,
        line.club or player.club,
        line.federation_id or player.federation_id,
        player.seed if line.seed is None else line.seed,
        player.player_id,
    )


def _facts_of_player(player: ExistingPlayer) -> EntryFacts:
    return EntryFacts(
        player.name,
        player.club,
        player.federation_id,
        player.seed,
        player.player_id,
        number=1 if player.entry_id else 0,
    )


def _warnings(item: PlannedLine) -> Iterable[Trouble]:
    """Yields warnings about changes that are made but should be checked."""
    line, player = item.line, item.player
    if player is not None and comparison_key(player.name) != comparison_key(line.name):
        params = {
            "before": abbreviate(player.name),
            "after": abbreviate(line.name),
            "value": abbreviate(line.federation_id),
        }
        yield remarks.OTHER_NAME.on(line.number, **params)
    if item.is_matched_by_name_only and item.elsewhere:
        yield remarks.ALSO_ELSEWHERE.on(
            line.number, name=abbreviate(player.name if player else ""), tournaments=", ".join(item.elsewhere)
        )
    if player is not None and player.withdrawn:
        yield remarks.WITHDRAWN.on(line.number, name=abbreviate(player.name))


def _digest(planned: Sequence[PlannedLine], troubles: Sequence[Trouble]) -> str:
    lines = [(item.line, item.player_id, item.entry_id, item.changes) for item in planned]
    problems = [(trouble.line, trouble.code) for trouble in troubles]
    return hashlib.sha256(repr((lines, problems)).encode("utf-8", "surrogatepass")).hexdigest()
