"""Finds repeats within one list: a player listed twice, a federation number or a seed given twice."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from tournament.entries.lists import remarks
from tournament.entries.lists.listing import Line, Trouble
from tournament.runtime.text import key, shown


def without_repeats(lines: Iterable[Line]) -> tuple[list[Line], list[Trouble]]:
    """Drops players listed twice and clears cells that repeat an earlier line; each has a trouble that names it."""
    kept: list[Line] = []
    troubles: list[Trouble] = []
    taken = _Taken()
    for line in lines:
        same = taken.same_player(line)
        if same is not None:
            troubles.append(remarks.LISTED_TWICE.on(line.number, first=same.number, name=shown(line.name)))
            continue
        troubles += taken.repeats_in(line)
        cleared = taken.without_repeats_in(line)
        kept.append(cleared)
        taken.take(cleared)
    return kept, troubles


@dataclass
class _Taken:
    """The lines taken so far, by what a second line must not say again."""

    by_id: dict[str, Line] = field(default_factory=dict)
    by_seed: dict[int | None, Line] = field(default_factory=dict)
    by_name: dict[str, list[Line]] = field(default_factory=dict)

    def take(self, line: Line) -> None:
        if line.federation_id:
            self.by_id[key(line.federation_id)] = line
        if line.seed is not None:
            self.by_seed[line.seed] = line
        self.by_name.setdefault(key(line.name), []).append(line)

    def same_player(self, line: Line) -> Line | None:
        namesakes = self.by_name.get(key(line.name), [])
        return next((earlier for earlier in namesakes if _is_same_player(earlier, line)), None)

    def repeats_in(self, line: Line) -> list[Trouble]:
        namesakes = self.by_name.get(key(line.name), [])
        troubles = [
            remarks.SAME_NAME.on(line.number, first=earlier.number, name=shown(line.name))
            for earlier in namesakes[:1]
        ]
        if owner := self.by_id.get(key(line.federation_id)):
            value = shown(line.federation_id)
            troubles.append(remarks.ID_TWICE.on(line.number, first=owner.number, value=value))
        if line.seed is not None and line.seed in self.by_seed:
            first = self.by_seed[line.seed].number
            troubles.append(remarks.SEED_TWICE.on(line.number, first=first, seed=line.seed))
        return troubles

    def without_repeats_in(self, line: Line) -> Line:
        is_free = key(line.federation_id) not in self.by_id
        return replace(
            line,
            federation_id=line.federation_id if is_free else "",
            seed=None if line.seed in self.by_seed else line.seed,
        )


def _is_same_player(earlier: Line, line: Line) -> bool:
    """Same name, and the same federation number, or the same club where a number is missing."""
    if earlier.federation_id and line.federation_id:
        return key(earlier.federation_id) == key(line.federation_id)
    return key(earlier.club) == key(line.club)
