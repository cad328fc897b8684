"""The number of wins that prizes for each match won will pay, before all matches are decided. Reads only."""

from math import comb

from tournament.draw.formats import Format, Kind
from tournament.draw.formats.estimate import estimate_format
from tournament.places.families import family_of
from tournament.prizes.structure import Part, PrizeStructure
from tournament.prizes.wins import paid_wins, win_parts


def expected_wins(structure: PrizeStructure, chosen: Format, entries: int) -> dict[Part, int]:
    """Exact from the first win on if the number of matches is certain, else as among equal players."""
    if entries < 2:
        return {}
    return {part: _expected(part, chosen, entries) for part in win_parts(structure)}


def _expected(part: Part, chosen: Format, entries: int) -> int:
    estimate = estimate_format(chosen, entries)
    rounds = [row for row in estimate.rounds if family_of(row.bracket) == part.bracket]
    if chosen.kind is Kind.LIVES:
        return _among_equals(part, entries, 2 * chosen.lives - 1)
    if part.place_from > 1 and part.bracket in estimate.record_brackets:
        return _among_equals(part, entries, len(rounds))
    return sum(row.matches for row in rounds if row.number >= part.place_from)


def _among_equals(part: Part, entries: int, played: int) -> int:
    """Everybody plays this number of matches and wins each of them with the chance 1/2."""
    sums = sum(paid_wins(part, wins) * comb(played, wins) for wins in range(played + 1))
    return entries * sums >> played
