"""Which drop recipe suits how many losers, for a director who writes none.

The beginnings below were compared by expected rematches among all that take the fewest rounds of play and let
nobody join two rounds later than those with as many wins. They suit every size that has that many rounds,
because each doubling of the entries only adds a round at the end that nobody joins.
"""

from __future__ import annotations

from collections.abc import Iterator

from tournament.draw.recipes.drops.notation import Counts, Fit, NotationError, Recipe, fit, parse

_BEGINNINGS = {
    1: ("A",),
    2: ("A.B", "AB"),
    3: ("A.B.|.C", "AB.|.C", "AB.C", "ABC"),
    4: ("A.B.C.D", "AB.C.D", "ABCD"),
    5: ("A.BC.D.|.E", "ABC.D.|.E", "AB.C.DE"),
    6: ("AB.|.CD.E.F", "ABC.D.E.F", "AB.CD.E.F"),
    7: ("AB.C.D.E.F.G", "A.BC.D.E.F.G", "ABC.D.E.F.G"),
    8: ("AB.|.CDE.F.G.H", "AB.|.CD.E.FG.H", "AB.|.C.DEF.G.H"),
    9: ("AB.C.D.EF.G.H.I", "AB.|.CD.EF.G.H.I", "AB.|.CD.E.FG.H.I"),
    10: ("AB.CD.|.EF.G.H.I.J", "AB.|.CDE.F.G.H.I.J", "AB.|.CD.EF.G.H.I.J"),
}
"""By the number of rounds that drop: for a full first round, for one half full, for one a quarter full."""


def default_recipe(letters: str, counts: Counts) -> Fit:
    """The recipe in which these rounds drop with the fewest byes; of two with as many, the one named first.

    Raises NotationError where none comes out: too few would drop.
    """
    found = min(_that_fit(letters, counts), key=lambda fitting: fitting.byes, default=None)
    if found is None:
        players = sum(counts.get(letter, 0) for letter in letters)
        raise NotationError(f"The number who would drop is {players}. No bracket can be made of them.")
    return found


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
