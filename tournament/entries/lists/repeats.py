"""Finds repeats within one list: players listed twice, repeated federation numbers and repeated seeds."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from tournament.entries.lists import remarks
from tournament.entries.lists.listing import Line, Trouble
from tournament.runtime.text import abbreviate, comparison_key


def drop_repeats(lines: Iterable[Line]) -> tuple[list[Line], list[Trouble]]:
    """Drops players listed twice and clears cells that repeat an earlier line. Returns the lines and the troubles."""
    unique: list[Line] = []
    troubles: list[Trouble] = []
    earlier = _LinesSoFar()
    for line in lines:
        same = earlier.same_player(line)
        if same is not None:
            troubles.append(
                remarks.LISTED_TWICE.on(line.number, first=same.number, name=abbreviate(line.name))
            )
            continue
        troubles += earlier.repeats_in(line)
        cleared = earlier.clear_repeats_in(line)
        unique.append(cleared)
        earlier.add(cleared)
    return unique, troubles


@dataclass
class _LinesSoFar:
    by_id: dict[str, Line] = field(default_factory=dict)
    by_seed: dict[int | None, Line] = field(default_factory=dict)
    by_name: dict[str, list[Line]] = field(default_factory=dict)

    def add(self, line: Line) -> None:
        if line.federation_id:
            self.by_id[comparison_key(line.federation_id)] = line
        if line.seed is not None:
            self.by_seed[line.seed] = line
        self.by_name.setdefault(comparison_key(line.name), []).append(line)

    def same_player(self, line: Line) -> Line | None:
        namesakes = self.by_name.get(comparison_key(line.name), [])
        return next((earlier for earlier in namesakes if _is_same_player(earlier, line)), None)

    def repeats_in(self, line: Line) -> list[Trouble]:
        namesakes = self.by_name.get(comparison_key(line.name), [])
        troubles = [
            remarks.SAME_NAME.on(line.number, first=earlier.number, name=abbreviate(line.name))
            for earlier in namesakes[:1]
        ]
        if owner := self.by_id.get(comparison_key(line.federation_id)):
            value = abbreviate(line.federation_id)
            troubles.append(remarks.ID_TWICE.on(line.number, first=owner.number, value=value))
        if line.seed is not None and line.seed in self.by_seed:
            first = self.by_seed[line.seed].number
            troubles.append(remarks.SEED_TWICE.on(line.number, first=first, seed=line.seed))
        return troubles

    def clear_repeats_in(self, line: Line) -> Line:
        is_free = comparison_key(line.federation_id) not in self.by_id
        return replace(
            line,
            federation_id=line.federation_id if is_free else "",
            seed=None if line.seed in self.by_seed else line.seed,
        )


def _is_same_player(earlier: Line, line: Line) -> bool:
    """Same name and the same federation number, or the same club if a number is missing."""
    if earlier.federation_id and line.federation_id:
        return comparison_key(earlier.federation_id) == comparison_key(line.federation_id)
    return comparison_key(earlier.club) == comparison_key(line.club)
