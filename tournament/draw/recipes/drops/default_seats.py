"""Chooses a drop recipe and seats by the measure, for fields without a stored layout.

The recipes below fit every size with that many rounds, because each doubling of the entries only adds a last round that
nobody joins. Each recipe that fits is seated from a few starting spreads, and the best from many. Larger fields take
the recipe with the fewest second byes, without two rounds of credit and with the fewest rounds of play; up to 144
losers it is seated by the measure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from operator import itemgetter

from rules.translation import gettext_noop
from tournament.draw.recipes.drops.history import History, history_of
from tournament.draw.recipes.drops.lower_bracket import (
    Layout,
    Losers,
    SeatedLosers,
    number_without_bye,
    seat_losers,
    seat_losers_by_measure,
    seat_losers_like,
)
from tournament.draw.recipes.drops.measure import ROUND_OF_PLAY, TWO_ROUNDS_CREDIT
from tournament.draw.recipes.drops.notation import Counts, Fit, NotationError, Recipe, fit, parse

_DEFAULT_RECIPES: Mapping[int, tuple[str, ...]] = {
    1: ("A",),
    2: ("A.B", "AB"),
    3: ("A.B.|.C", "AB.|.C", "A.|.BC", "AB.C", "A.BC", "ABC"),
    4: ("A.B.C.D", "AB.C.D", "A.BCD", "ABCD", "ABC.|.|.D"),
    5: (
        "A.BC.D.|.E",
        "ABC.|.D.E",
        "AB.C.DE",
        "ABC.D.|.E",
        "AB.CD.E",
        "AB.CD.|.E",
        "A.B.C.DE",
        "A.BCDE",
        "ABCDE",
    ),
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
"""By the number of rounds that drop: the first recipe for a full first round, the others for one with byes."""

MOST_MEASURED = 64
"""Up to this number of losers several recipes are seated by the measure."""

MOST_EXCHANGED = 144
"""Up to this number of losers one recipe is seated by the measure. For more, the search takes too long at the draw."""

MOST_COMPARED = 256
"""Up to this number of losers all recipes are compared."""

RECIPES, FEW = 3, 2
"""The number of recipes that are seated, and of starting spreads for each."""

MEASURED_LONGER = 16
BEST, MANY = 2, 8
"""Up to 16 losers the best two recipes are seated again from eight starting spreads."""


def seats_like(seated: SeatedLosers, losers: Losers, before: Layout) -> SeatedLosers:
    """Returns the seats of a sheet with as many losers in each round, exchanged for these losers.

    `before` are the earlier pairings of all brackets.
    """
    keys = {loser.key for letter in seated.fitting.recipe.letters for loser in losers[letter]}
    past = history_of(before, keys) if len(keys) <= MOST_EXCHANGED else None
    return seat_losers_like(seated, losers, past)


def default_seats(
    letters: str,
    losers: Losers,
    before: Layout,
    known_fit: Fit | None = None,
    *,
    keeps_byes: bool = False,
) -> SeatedLosers:
    """Returns the seats with the smallest measure.

    `before` are the earlier pairings of all brackets. `known_fit` is the recipe, if it is chosen. With
    `keeps_byes` it is one with byes wherever one has them. Raises NotationError if too few would drop.
    """
    fits = [known_fit] if known_fit else _ranked_fits(letters, losers, keeps_byes=keeps_byes)
    players = sum(len(losers.get(letter, ())) for letter in letters)
    if not fits:
        raise NotationError(
            gettext_noop(
                "Too few enter for a consolation or last chance: {players} would drop, and it takes 2."
            ),
            players=players,
        )
    if players > MOST_MEASURED:
        candidates = [
            seat_losers(fitting, losers) for fitting in (fits if players <= MOST_COMPARED else fits[:1])
        ]
        cheapest = min(candidates, key=lambda seats: _cost_without_waits(seats, losers))
        if players > MOST_EXCHANGED:
            return cheapest
        fits = [cheapest.fitting]
    past = history_of(before, {loser.key for letter in letters for loser in losers[letter]})
    measured = [_seat_by_measure(fitting, losers, past, FEW) for fitting in fits[:RECIPES]]
    measured.sort(key=itemgetter(1))
    if players > MEASURED_LONGER:
        return measured[0][0]
    best = [_seat_by_measure(seats.fitting, losers, past, MANY) for seats, _ in measured[:BEST]]
    return min(best, key=itemgetter(1))[0]


def _cost_without_waits(seats: SeatedLosers, losers: Losers) -> tuple[int, float]:
    """Returns second byes, then rematches and rounds: the measure of a large field, without its waits."""
    rounds = ROUND_OF_PLAY * _slots(seats.fitting.recipe, losers)
    credit = TWO_ROUNDS_CREDIT * _credits_two_rounds(seats.fitting.recipe, losers)
    return _second_byes(seats.fitting, losers), seats.spread.rematches + rounds + credit


def feed_in_fit(letters: str, losers: Losers) -> Fit | None:
    """Returns the recipe of a plain feed-in; None if too few would drop.

    The losers of round 1 play first. The losers of each later round meet the winners from below, who play one round
    among themselves in between. If the first round is too small for that, the losers of the first two rounds begin
    together.
    """
    counts = {letter: len(round_losers) for letter, round_losers in losers.items()}
    one_by_one = [letters[:1], letters[1:2], *(part for letter in letters[2:] for part in ("", letter))]
    together = [letters[:2], *(part for letter in letters[2:] for part in ("", letter))]
    tried = (_complete(Recipe(tuple(rounds)), counts) for rounds in (one_by_one, together))
    for recipe in tried:
        fitting = fit(recipe, counts)
        if isinstance(fitting, Fit):
            return fitting
    return None


def _seat_by_measure(fitting: Fit, losers: Losers, before: History, tried: int) -> tuple[SeatedLosers, float]:
    """Returns seats, and their measure with the cost of the recipe."""
    seats, measure = seat_losers_by_measure(fitting, losers, before, tried)
    measure += ROUND_OF_PLAY * _slots(fitting.recipe, losers)
    return seats, measure + TWO_ROUNDS_CREDIT * _credits_two_rounds(fitting.recipe, losers)


def _fit_rank(fitting: Fit, losers: Losers) -> tuple[int, bool, int, bool]:
    return (
        _second_byes(fitting, losers),
        _credits_two_rounds(fitting.recipe, losers),
        _slots(fitting.recipe, losers),
        fitting.byes > 0,
    )


def _second_byes(fitting: Fit, losers: Losers) -> int:
    return max(0, fitting.byes - number_without_bye(fitting, losers)) if fitting.byes else 0


def _credits_two_rounds(recipe: Recipe, losers: Losers) -> bool:
    """Returns True if a loser can join two rounds later than its wins are worth. A bye is not a win."""
    late = {letter: enters - losers[letter][0].level for letter, enters in recipe.enters.items()}
    return any(
        by > 1 or (by == 1 and any(loser.bye_before for loser in losers[letter]))
        for letter, by in late.items()
    )


def _slots(recipe: Recipe, losers: Losers) -> int:
    """Returns the rounds of play until the end of the recipe, those of the upper bracket included."""
    slot = 0
    for joining in recipe.rounds:
        slot = max(slot, *(losers[letter][0].level for letter in joining)) + 1 if joining else slot + 1
    return slot


def _ranked_fits(letters: str, losers: Losers, *, keeps_byes: bool) -> list[Fit]:
    counts = {letter: len(round_losers) for letter, round_losers in losers.items()}
    fits = sorted(_default_fits(letters, counts), key=lambda fitting: _fit_rank(fitting, losers))
    if keeps_byes:
        return [fitting for fitting in fits if fitting.byes] or fits
    return fits


def _default_fits(letters: str, counts: Counts) -> Iterator[Fit]:
    for recipe in _default_recipes(letters):
        fitting = fit(_complete(recipe, counts), counts)
        if isinstance(fitting, Fit):
            yield fitting


@cache
def _default_recipes(letters: str) -> tuple[Recipe, ...]:
    renamed = {ord("A") + index: letter for index, letter in enumerate(letters)}
    return tuple(parse(beginning.translate(renamed)) for beginning in _DEFAULT_RECIPES.get(len(letters), ()))


def _complete(recipe: Recipe, counts: Counts) -> Recipe:
    """Returns the recipe with the rounds that nobody joins, until one player is left."""
    seats = sum(counts.get(letter, 0) << (number - 1) for letter, number in recipe.enters.items())
    further = (seats - 1).bit_length() - len(recipe.rounds)
    return Recipe(recipe.rounds + ("",) * further)
