"""A listing held against the players that an event has: who is new, what would change, what gets in the way.

Nothing is written here and nothing fetched: the players come in as values. A blank cell changes nothing.
"""

import hashlib
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TypeVar
from uuid import UUID

from tournament.entries.lists import remarks
from tournament.entries.lists.listing import Line, Listing, Trouble
from tournament.runtime.text import key, shown

One = TypeVar("One", Line, "Known")
Value = str | int | Decimal | bool | None

PLAYER_FIELDS = ("name", "country", "club", "team", "federation_id", "rating")
ENTRY_FIELDS = ("seed", "paid", "checked_in")


@dataclass(frozen=True, slots=True)
class Known:
    """A player of the event; `entry_id` is None for one who is not in this tournament."""

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
    """One field of a player or entry, before and after."""

    field: str
    before: Value
    after: Value


@dataclass(frozen=True, slots=True)
class Planned:
    """What a line comes to: a new player (`known` is None), a known one to enter, or changes."""

    line: Line
    known: Known | None
    changes: tuple[Change, ...] = ()

    @property
    def player_id(self) -> UUID | None:
        return self.known.player_id if self.known else None

    @property
    def entry_id(self) -> UUID | None:
        return self.known.entry_id if self.known else None

    @property
    def elsewhere(self) -> tuple[str, ...]:
        """Names of other tournaments in which changes of this player show too."""
        return self.known.elsewhere if self.known else ()

    @property
    def is_person_in_question(self) -> bool:
        """Whether only the name says that the line is a player of another tournament."""
        return (
            self.known is not None and self.entry_id is None and not _has_same_number(self.line, self.known)
        )

    def changes_of(self, fields: Iterable[str]) -> list[Change]:
        return [change for change in self.changes if change.field in fields]


@dataclass(frozen=True, slots=True)
class Preview:
    """What importing a list would do. `digest` stands for all of it, as the players are now."""

    added: tuple[Planned, ...]
    changed: tuple[Planned, ...]
    unchanged: tuple[Planned, ...]
    troubles: tuple[Trouble, ...]
    digest: str


def compare(listing: Listing, known: Sequence[Known], other_people: Collection[int] = ()) -> Preview:
    """Compares a listing with the players of the event, entered in this tournament or in another.

    Lines whose numbers are in `other_people` are new players, whatever players of other tournaments are called.
    """
    matched, unclear = _matched(listing.rows, known, other_people)
    clear = [line for line in listing.rows if line.number not in unclear]
    planned, seeds = _without_seed_clashes(
        [_planned(line, matched.get(line.number)) for line in clear], known
    )
    doubts = [doubt for item in planned for doubt in _doubts(item)]
    troubles = sorted(
        [*listing.problems, *unclear.values(), *seeds, *doubts], key=lambda trouble: trouble.line or 0
    )
    return Preview(
        added=tuple(item for item in planned if item.entry_id is None),
        changed=tuple(item for item in planned if item.entry_id and item.changes),
        unchanged=tuple(item for item in planned if item.entry_id and not item.changes),
        troubles=tuple(troubles),
        digest=_digest(planned, troubles),
    )


def _planned(line: Line, known: Known | None) -> Planned:
    if known is None:
        return Planned(line, None)
    fields = PLAYER_FIELDS if known.entry_id is None else PLAYER_FIELDS + ENTRY_FIELDS
    said = ((field, getattr(known, field), getattr(line, field)) for field in fields)
    changes = (Change(field, before, after) for field, before, after in said if after not in ("", None))
    return Planned(line, known, tuple(change for change in changes if change.before != change.after))


def _matched(
    lines: Sequence[Line], known: Sequence[Known], other_people: Collection[int]
) -> tuple[dict[int, Known], dict[int, Trouble]]:
    """The player of each line: by federation number, else by name and club, else by a name that one player has."""
    matching = _Matching(lines, known, other_people)
    matching.by(lambda one: key(one.federation_id))
    matching.by(lambda one: f"{key(one.name)}\n{key(one.club)}")
    matching.by(lambda one: key(one.name))
    return matching.found, matching.unclear()


class _Matching:
    """Pairs lines with players, each at most once, the surest pairs first."""

    def __init__(self, lines: Sequence[Line], known: Sequence[Known], other_people: Collection[int]) -> None:
        self.lines = lines
        self.known = known
        self.other_people = other_people
        self.found: dict[int, Known] = {}

    def by(self, mark: Callable[[Line | Known], str]) -> None:
        """Pairs whoever is alone with a mark on both sides; an empty mark says nothing."""
        players = _grouped(self._free_players(), mark)
        for marked, lines in _grouped(self._open_lines(), mark).items():
            line = lines[0]
            candidates = [player for player in players.get(marked, []) if self._can_be(line, player)]
            if marked and len(lines) == len(candidates) == 1:
                self.found[line.number] = candidates[0]

    def unclear(self) -> dict[int, Trouble]:
        """The lines that could be a player still free, and why it cannot be told."""
        players = _grouped(self._free_players(), lambda one: key(one.name))
        return {
            line.number: remarks.UNCLEAR.on(line.number, name=shown(line.name))
            for line in self._open_lines()
            if any(self._can_be(line, player) for player in players.get(key(line.name), []))
        }

    def _can_be(self, line: Line, player: Known) -> bool:
        if _has_same_number(line, player):
            return True
        is_other_person = player.entry_id is None and line.number in self.other_people
        return not is_other_person and not _are_two_people(line, player)

    def _open_lines(self) -> list[Line]:
        return [line for line in self.lines if line.number not in self.found]

    def _free_players(self) -> list[Known]:
        taken = {player.player_id for player in self.found.values()}
        return [player for player in self.known if player.player_id not in taken]


def _grouped(items: Iterable[One], mark: Callable[[One], str]) -> dict[str, list[One]]:
    groups: dict[str, list[One]] = {}
    for item in items:
        groups.setdefault(mark(item), []).append(item)
    return groups


def _has_same_number(line: Line, player: Known) -> bool:
    return bool(line.federation_id) and key(line.federation_id) == key(player.federation_id)


def _are_two_people(line: Line, player: Known) -> bool:
    """Whether their federation numbers differ or, for a player of another tournament, their country or club."""
    fields = ("federation_id",) if player.entry_id else ("federation_id", "country", "club")
    pairs = [(key(getattr(line, field)), key(getattr(player, field))) for field in fields]
    return any(listed and kept and listed != kept for listed, kept in pairs)


def _without_seed_clashes(
    planned: Sequence[Planned], known: Sequence[Known]
) -> tuple[list[Planned], list[Trouble]]:
    """Clears seeds that another entry keeps; an entry whose new seed is cleared keeps its own one."""
    cleared, troubles = list(planned), []
    while clashes := _seed_clashes(cleared, known):
        troubles += [
            remarks.SEED_HELD.on(item.line.number, seed=item.line.seed or 0, name=shown(holder.name))
            for item, holder in clashes
        ]
        numbers = {item.line.number for item, _ in clashes}
        cleared = [_without_seed(item) if item.line.number in numbers else item for item in cleared]
    return cleared, troubles


def _without_seed(item: Planned) -> Planned:
    return _planned(replace(item.line, seed=None), item.known)


def _seed_clashes(planned: Sequence[Planned], known: Sequence[Known]) -> list[tuple[Planned, Known]]:
    given = {item.player_id for item in planned if item.line.seed is not None}
    keepers = {one.seed: one for one in known if one.entry_id and one.player_id not in given}
    return [
        (item, keepers[item.line.seed]) for item in planned if item.line.seed in keepers and item.line.seed
    ]


def _doubts(item: Planned) -> Iterable[Trouble]:
    """What is done all the same, and somebody should look at."""
    line, known = item.line, item.known
    if known is not None and key(known.name) != key(line.name):
        params = {"before": shown(known.name), "after": shown(line.name), "value": shown(line.federation_id)}
        yield remarks.OTHER_NAME.on(line.number, **params)
    if item.is_person_in_question and item.elsewhere:
        yield remarks.ALSO_ELSEWHERE.on(
            line.number, name=shown(known.name if known else ""), tournaments=", ".join(item.elsewhere)
        )
    if known is not None and known.withdrawn:
        yield remarks.WITHDRAWN.on(line.number, name=shown(known.name))


def _digest(planned: Sequence[Planned], troubles: Sequence[Trouble]) -> str:
    said = [(item.line, item.player_id, item.entry_id, item.changes) for item in planned]
    told = [(trouble.line, trouble.code) for trouble in troubles]
    return hashlib.sha256(repr((said, told)).encode("utf-8", "surrogatepass")).hexdigest()
