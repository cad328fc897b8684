"""The leaders of tournaments that are decided by records, without tie-breaks. Reads only.

Loads all tournaments in two statements, for pages that need no whole standings.
"""

import uuid
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from tournament.draw.formats import Format, Kind
from tournament.models import Entry, Pairing, Shape, Tournament
from tournament.models.brackets import Settled
from tournament.models.entries import name_of_entry

MOST_NAMES = 3


@dataclass(frozen=True, slots=True)
class Leaders:
    """The entries with the best record of a bracket: at most `MOST_NAMES` names, and the number of the others."""

    bracket: str
    names: tuple[str, ...]
    others: int
    won: int
    lost: int


@dataclass(slots=True)
class _Records:
    """Wins and losses by entry. A bye counts as a win where rounds are paired by records."""

    won: dict[uuid.UUID, int] = field(default_factory=lambda: defaultdict(int))
    lost: dict[uuid.UUID, int] = field(default_factory=lambda: defaultdict(int))

    def add(self, left: uuid.UUID | None, right: uuid.UUID | None, winner: uuid.UUID | None) -> None:
        for entry in (left, right):
            if entry is not None:
                (self.won if entry == winner else self.lost)[entry] += 1


def find_leaders(tournaments: Iterable[Tournament]) -> Mapping[uuid.UUID, list[Leaders]]:
    """Returns the leaders of each bracket that is ranked by records and has a result, by tournament.

    In events with lives the fewest losses lead. Expects tournaments with a released draw.
    """
    formats = {tournament.pk: Format.from_json(tournament.format) for tournament in tournaments}
    records = _load_records(formats)
    entries = Entry.objects.filter(tournament__in={pk for pk, _ in records}, withdrawn_at__isnull=True)
    rows = list(entries.values_list("pk", "player__name", "number", "starting_losses")) if records else []
    names = {pk: name_of_entry(name, number) for pk, name, number, _ in rows}
    starting_losses = {pk: losses for pk, _, _, losses in rows}
    leaders: dict[uuid.UUID, list[Leaders]] = defaultdict(list)
    for (pk, bracket), own in records.items():
        has_lives = formats[pk].kind is Kind.LIVES
        best = _best(own, names, starting_losses if has_lives else {}, fewest_losses=has_lives)
        if best is not None:
            leaders[pk].append(Leaders(bracket, *best))
    return leaders


def _load_records(formats: Mapping[uuid.UUID, Format]) -> dict[tuple[uuid.UUID, str], _Records]:
    """Returns the records by tournament and bracket, in the order of the brackets."""
    settled = Pairing.objects.filter(
        round__bracket__tournament__in=formats, round__bracket__shape=Shape.TABLE
    ).exclude(settled="")
    records: dict[tuple[uuid.UUID, str], _Records] = {}
    ordered = settled.order_by(
        "round__bracket__tournament", "round__bracket__position", "round__number", "line"
    )
    for tournament, bracket, how, *seats in ordered.values_list(
        "round__bracket__tournament", "round__bracket__key", "settled", "left", "right", "winner"
    ):
        if how != Settled.BYE or formats[tournament].is_growing:
            records.setdefault((tournament, bracket), _Records()).add(*seats)
    return records


def _best(
    records: _Records,
    names: Mapping[uuid.UUID, str],
    starting_losses: Mapping[uuid.UUID, int],
    *,
    fewest_losses: bool,
) -> tuple[tuple[str, ...], int, int, int] | None:
    """Returns names, number of other names, wins and losses of the best; None before the first result."""
    scores = {
        entry: (records.won[entry], records.lost[entry] + starting_losses.get(entry, 0))
        for entry in {**records.won, **records.lost}
        if entry in names
    }
    if not any(lost for _, lost in scores.values()):
        return None
    rank = {entry: (-lost, won) if fewest_losses else (won, -lost) for entry, (won, lost) in scores.items()}
    best = max(rank.values())
    leading = sorted(
        (entry for entry in rank if rank[entry] == best), key=lambda entry: names[entry].casefold()
    )
    shown = tuple(names[entry] for entry in leading[:MOST_NAMES])
    return shown, len(leading) - len(shown), *scores[leading[0]]
