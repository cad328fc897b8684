"""Lines of one list that get in each other's way: one player twice, one federation number, one seed."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from tournament.entrylist import remarks
from tournament.entrylist.cleaning import key, shown
from tournament.entrylist.listing import Line, Severity, Trouble


def without_repeats(lines: Iterable[Line]) -> tuple[list[Line], list[Trouble]]:
    """The lines that stand; each refused one has a trouble that names the line it repeats."""
    kept: list[Line] = []
    troubles: list[Trouble] = []
    taken = _Taken()
    for line in lines:
        trouble = taken.trouble_with(line)
        if trouble is not None:
            troubles.append(trouble)
        if trouble is None or trouble.severity is Severity.WARNING:
            kept.append(line)
            taken.take(line)
    return kept, troubles


@dataclass
class _Taken:
    """The lines taken so far, by what a second line must not say again."""

    by_id: dict[str, Line] = field(default_factory=dict)
    by_seed: dict[int, Line] = field(default_factory=dict)
    by_name: dict[str, list[Line]] = field(default_factory=dict)

    def take(self, line: Line) -> None:
        if line.federation_id:
            self.by_id[key(line.federation_id)] = line
        if line.seed is not None:
            self.by_seed[line.seed] = line
        self.by_name.setdefault(key(line.name), []).append(line)

    def trouble_with(self, line: Line) -> Trouble | None:
        """The gravest thing against a line, given those before it."""
        namesakes = self.by_name.get(key(line.name), [])
        same = next((earlier for earlier in namesakes if _is_same_player(earlier, line)), None)
        if same is not None:
            return remarks.LISTED_TWICE.on(line.number, first=same.number, name=shown(line.name))
        owner = self.by_id.get(key(line.federation_id)) if line.federation_id else None
        if owner is not None:
            return remarks.ID_TWICE.on(line.number, first=owner.number, value=shown(line.federation_id))
        seeded = self.by_seed.get(line.seed) if line.seed is not None else None
        if seeded is not None and line.seed is not None:
            return remarks.SEED_TWICE.on(line.number, first=seeded.number, seed=line.seed)
        if namesakes:
            return remarks.SAME_NAME.on(line.number, first=namesakes[0].number, name=shown(line.name))
        return None


def _is_same_player(earlier: Line, line: Line) -> bool:
    """Same name and club, and not told apart by two federation numbers."""
    told_apart = (
        earlier.federation_id and line.federation_id and key(earlier.federation_id) != key(line.federation_id)
    )
    return key(earlier.club) == key(line.club) and not told_apart
