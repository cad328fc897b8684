"""Which drop recipe suits how many losers, for a director who writes none.

The beginnings below were compared by expected rematches among those that take the fewest rounds of play and
let nobody join two rounds later than those with as many wins. They suit every size that has that many rounds,
because each doubling of the entries only adds a round at the end that nobody joins.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tournament.draw.recipes.drops.lower import Losers, Seated, seated
from tournament.draw.recipes.drops.notation import Counts, Fit, NotationError, Recipe, fit, parse

_BEGINNINGS: Mapping[int, tuple[str, ...]] = {
    1: ("A",),
    2: ("A.B", "AB"),
    3: ("A.B.|.C", "AB.|.C", "AB.C", "A.BC", "ABC"),
    4: ("A.B.C.D", "AB.C.D", "ABC.|.|.D", "A.BC.|.|.D"),
    5: ("A.BC.D.|.E", "ABC.D.|.E", "AB.C.DE", "A.B.C.DE", "AB.CD.E", "ABC.D.E", "AB.CD.|.E"),
    6: ("AB.|.CD.E.F", "ABC.D.E.F", "AB.CD.E.F"),
    7: ("AB.C.D.E.F.G", "A.BC.D.E.F.G", "ABC.D.E.F.G"),
    8: ("AB.|.CDE.F.G.H", "AB.|.CD.E.FG.H", "AB.|.C.DEF.G.H"),
    9: ("AB.C.D.EF.G.H.I", "AB.|.CD.EF.G.H.I", "AB.|.CD.E.FG.H.I"),
    10: ("AB.CD.|.EF.G.H.I.J", "AB.|.CDE.F.G.H.I.J", "AB.|.CD.EF.G.H.I.J"),
}
"""By the number of rounds that drop: the first for a full first round, the others for one with byes."""

_ENOUGH: Mapping[tuple[int, int], float] = {
    (4, 3): 0.3125,
    (5, 4): 0.3125,
    (6, 5): 0.3027,
    (4, 4): 0.625,
    (5, 5): 0.5469,
    (6, 6): 0.55,
}
"""By rounds and rounds that drop: the rematches to be expected of layouts in use for 16, 32 and 64 entries."""


def default_seats(letters: str, losers: Losers) -> Seated:
    """Seats by the recipe in which these rounds drop with the fewest byes; of two with as many, the one named first.

    For 9 to 64 entries it is the first of these that expects no more rematches than layouts in use do for
    the next full field, or else the one that expects fewest. Raises NotationError where too few would drop.
    """
    counts = {letter: len(those) for letter, those in losers.items()}
    found = sorted(_that_fit(letters, counts), key=lambda fitting: fitting.byes)
    if not found:
        players = sum(counts.get(letter, 0) for letter in letters)
        raise NotationError(f"The number who would drop is {players}. No bracket can be made of them.")
    tried: list[Seated] = []
    enough = _ENOUGH.get((len(losers), len(letters)), float("inf"))
    for fitting in found:
        tried.append(seated(fitting, losers))
        if enough == float("inf") or tried[-1].spread.rematches <= enough:
            return tried[-1]
    return min(tried, key=lambda those: those.spread.rematches)


def _that_fit(letters: str, counts: Counts) -> Iterator[Fit]:
    for beginning in _BEGINNINGS.get(len(letters), ()):
        renamed = beginning.translate({ord("A") + index: letter for index, letter in enumerate(letters)})
        fitting = fit(_completed(parse(renamed), counts), counts)
        if isinstance(fitting, Fit):
            yield fitting


def _completed(recipe: Recipe, counts: Counts) -> Recipe:
    """The recipe with as many rounds that nobody joins as it takes to leave one player."""
    seats = sum(counts.get(letter, 0) << (number - 1) for letter, number in recipe.enters.items())
    further = (seats - 1).bit_length() - len(recipe.rounds)
    return Recipe(recipe.rounds + ("",) * further)
