"""The rules of a legal entry: checks new entries against the others of their tournament. Pure.

Registration, import and re-entry check before they write, and the preview of an import checks the same.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from uuid import UUID

from tournament.runtime.text import comparison_key


class ProblemKind(Enum):
    NO_NAME = auto()
    SEED_TAKEN = auto()
    FEDERATION_ID_TAKEN = auto()
    PLAYER_ENTERED = auto()
    SAME_NAME_ENTERED = auto()


@dataclass(frozen=True, slots=True)
class EntryFacts:
    """The facts of an entry that other entries limit.

    `name` is the registered name. `player_id` is None for a player who is new in the event. `number` is 0 for a player
    of the event who is not in this tournament.
    """

    name: str
    club: str = ""
    federation_id: str = ""
    seed: int | None = None
    player_id: UUID | None = None
    number: int = 1

    @property
    def person(self) -> tuple[str, ...]:
        return tuple(comparison_key(text) for text in (self.name, self.club, self.federation_id))


@dataclass(frozen=True, slots=True)
class EntryProblem:
    """A rule that the new entry at `position` breaks. `holder` has what the new entry wants."""

    kind: ProblemKind
    position: int
    entry: EntryFacts
    holder: EntryFacts | None = None


def find_problems(
    new_entries: Sequence[EntryFacts], existing_entries: Iterable[EntryFacts]
) -> list[EntryProblem]:
    """Checks each new entry against the existing ones and the new ones before it."""
    checked = _CheckedEntries()
    for entry in existing_entries:
        checked.add(entry)
    problems: list[EntryProblem] = []
    for position, entry in enumerate(new_entries):
        problems += [EntryProblem(kind, position, entry, holder) for kind, holder in checked.conflicts(entry)]
        checked.add(entry)
    return problems


@dataclass(slots=True)
class _CheckedEntries:
    by_seed: dict[int, EntryFacts] = field(default_factory=dict)
    by_federation_id: dict[str, list[EntryFacts]] = field(default_factory=dict)
    by_player: dict[tuple[UUID, int], EntryFacts] = field(default_factory=dict)
    by_person: dict[tuple[str, ...], EntryFacts] = field(default_factory=dict)

    def add(self, entry: EntryFacts) -> None:
        if entry.seed is not None:
            self.by_seed.setdefault(entry.seed, entry)
        if entry.federation_id:
            self.by_federation_id.setdefault(entry.federation_id, []).append(entry)
        if entry.player_id is not None:
            self.by_player.setdefault((entry.player_id, entry.number), entry)
        if entry.number:
            self.by_person.setdefault(entry.person, entry)

    def conflicts(self, entry: EntryFacts) -> list[tuple[ProblemKind, EntryFacts | None]]:
        found: list[tuple[ProblemKind, EntryFacts | None]] = []
        if not entry.name.strip():
            found.append((ProblemKind.NO_NAME, None))
        if entry.seed is not None and entry.seed in self.by_seed:
            found.append((ProblemKind.SEED_TAKEN, self.by_seed[entry.seed]))
        holders = self.by_federation_id.get(entry.federation_id, ())
        found += [
            (ProblemKind.FEDERATION_ID_TAKEN, holder)
            for holder in holders
            if entry.player_id is None or holder.player_id != entry.player_id or holder.number == entry.number
        ][:1]
        if entry.player_id is not None and (entry.player_id, entry.number) in self.by_player:
            found.append((ProblemKind.PLAYER_ENTERED, self.by_player[entry.player_id, entry.number]))
        elif entry.player_id is None and entry.person in self.by_person:
            found.append((ProblemKind.SAME_NAME_ENTERED, self.by_person[entry.person]))
        return found
