"""Which drop recipe suits how many losers, for a director who writes none.

Of the beginnings below, the one is taken that gives nobody a second bye, lets nobody join two rounds later than those
with as many wins, and takes the fewest rounds of play, in this order, if it expects no more rematches than layouts in
use do for the next full field. They suit every size that has that many rounds, because each doubling of the entries
only adds a round at the end that nobody joins. Just above a full field few lose in the first round, so that nobody
can be spared a second bye but by letting all wait for each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from tournament.draw.recipes.drops.lower import Losers, Seated, seated, seated_well, without_a_bye
from tournament.draw.recipes.drops.notation import Counts, Fit, NotationError, Recipe, fit, parse

_BEGINNINGS: Mapping[int, tuple[str, ...]] = {
    1: ("A",),
    2: ("A.B", "AB"),
    3: ("A.B.|.C", "AB.|.C", "AB.C", "A.BC", "ABC"),
    4: ("A.B.C.D", "AB.C.D", "A.BCD", "ABCD", "ABC.|.|.D"),
    5: ("A.BC.D.|.E", "AB.CD.E", "AB.CD.|.E", "AB.C.DE", "A.B.C.DE", "A.BCDE", "ABCDE"),
    6: ("AB.|.CD.E.F", "A.B.CD.E.F", "AB.CD.E.F", "AB.C.DEF", "A.BCDEF", "ABCDEF"),
    7: (
        *("AB.C.D.E.F.G", "A.BC.D.E.F.G", "ABC.D.E.F.G", "AB.CD.E.FG"),
        *("AB.C.DEFG", "A.BCDEFG", "ABCDEFG"),
    ),
    8: (
        *("AB.|.CDE.F.G.H", "A.B.C.D.E.F.G.H", "AB.C.D.E.F.G.H", "A.B.CD.EF.G.H", "AB.CD.EF.G.H"),
        *("AB.CD.E.FGH", "AB.C.DEFGH", "A.BCDEFGH", "ABCDEFGH"),
    ),
    9: (
        *("AB.C.D.EF.G.H.I", "AB.|.CD.EF.G.H.I", "A.B.C.D.E.F.GH.I", "A.B.C.D.E.F.G.HI", "A.BC.D.E.FG.H.I"),
        *("AB.CDE.F.G.H.I", "AB.CD.EF.G.HI", "AB.CD.E.FGHI", "AB.C.DEFGHI", "A.BCDEFGHI", "ABCDEFGHI"),
    ),
    10: (
        *("AB.CD.|.EF.G.H.I.J", "AB.|.CDE.F.G.H.I.J", "A.B.C.D.E.FG.H.I.J", "A.B.C.D.E.F.GH.I.J"),
        *("A.BC.D.EF.G.H.I.J", "ABC.D.EF.G.H.I.J", "AB.CD.EF.GH.I.J", "AB.CD.EF.G.HIJ"),
        *("AB.CD.E.FGHIJ", "AB.C.DEFGHIJ", "A.BCDEFGHIJ", "ABCDEFGHIJ"),
    ),
}
"""By the number of rounds that drop: the first for a full first round, the others for one with byes."""

_ENOUGH: Mapping[tuple[int, int], float] = {
    (3, 3): 0.625,
    (4, 3): 0.3125,
    (5, 4): 0.3125,
    (6, 5): 0.3027,
    (7, 6): 0.3027,
    (8, 7): 0.3027,
    (4, 4): 0.625,
    (5, 5): 0.5469,
    (6, 6): 0.55,
}
"""By rounds and rounds that drop: the rematches to be expected of layouts in use for 8, 16, 32 and 64 entries, and for
larger fields those of 64."""


def default_seats(letters: str, losers: Losers) -> Seated:
    """Seats by the recipe that suits best; where none expects few enough rematches, by the one that expects fewest.

    Raises NotationError where too few would drop.
    """
    counts = {letter: len(those) for letter, those in losers.items()}
    found = sorted(_that_fit(letters, counts), key=lambda fitting: _order(fitting, losers))
    if not found:
        players = sum(counts.get(letter, 0) for letter in letters)
        raise NotationError(
            f"Too few enter for a consolation or last chance: {players} would drop, and it takes 2."
        )
    enough = _ENOUGH.get((len(losers), len(letters)))
    if enough is None:
        return seated(found[0], losers)
    tried: list[Seated] = []
    for fitting in found:
        those = seated(fitting, losers)
        if those.spread.rematches > enough:
            those = seated_well(fitting, losers, enough)
        if those.spread.rematches <= enough:
            return those
        tried.append(those)
    return min(tried, key=lambda those: (_second_byes(those.fitting, losers), those.spread.rematches))


def _order(fitting: Fit, losers: Losers) -> tuple[int, bool, int, bool]:
    return (
        _second_byes(fitting, losers),
        _credits_two_rounds(fitting.recipe, losers),
        _slots(fitting.recipe, losers),
        fitting.byes > 0,
    )


def _second_byes(fitting: Fit, losers: Losers) -> int:
    return max(0, fitting.byes - without_a_bye(fitting, losers)) if fitting.byes else 0


def _credits_two_rounds(recipe: Recipe, losers: Losers) -> bool:
    """Whether somebody can join two rounds later than the wins so far are worth, a bye being none."""
    late = {letter: enters - losers[letter][0].level for letter, enters in recipe.enters.items()}
    return any(
        by > 1 or (by == 1 and any(loser.bye_before for loser in losers[letter]))
        for letter, by in late.items()
    )


def _slots(recipe: Recipe, losers: Losers) -> int:
    """How many rounds of play there are until the last of the recipe, those of the bracket dropped from included."""
    slot = 0
    for joining in recipe.rounds:
        slot = max(slot, *(losers[letter][0].level for letter in joining)) + 1 if joining else slot + 1
    return slot


def _that_fit(letters: str, counts: Counts) -> Iterator[Fit]:
    for beginning in _beginnings(letters):
        fitting = fit(_completed(beginning, counts), counts)
        if isinstance(fitting, Fit):
            yield fitting


@cache
def _beginnings(letters: str) -> tuple[Recipe, ...]:
    renamed = {ord("A") + index: letter for index, letter in enumerate(letters)}
    return tuple(parse(beginning.translate(renamed)) for beginning in _BEGINNINGS.get(len(letters), ()))


def _completed(recipe: Recipe, counts: Counts) -> Recipe:
    """The recipe with as many rounds that nobody joins as it takes to leave one player."""
    seats = sum(counts.get(letter, 0) << (number - 1) for letter, number in recipe.enters.items())
    further = (seats - 1).bit_length() - len(recipe.rounds)
    return Recipe(recipe.rounds + ("",) * further)
