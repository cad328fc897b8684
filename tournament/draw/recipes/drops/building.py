"""Writes a format as one graph: the main bracket, the brackets of its losers, and the last finals.

`spread` seats the lower brackets and `notation` counts their rounds. This module combines the brackets.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import NamedTuple

from rules.translation import gettext_noop
from tournament.draw.graph import FromBye, FromPairing, Graph, Outcome, Pairing, Source
from tournament.draw.recipes.drops.bye_lines import SheetWithByes
from tournament.draw.recipes.drops.default_seats import default_seats, feed_in_fit, seats_like
from tournament.draw.recipes.drops.knockout_format import (
    CONSOLATION,
    FEED_IN,
    FINAL,
    KNOCK_OUT,
    LAST_CHANCE,
    LOWER,
    MAIN,
    PROGRESSIVE,
    SIMPLE,
    THIRD,
    KnockoutFormat,
)
from tournament.draw.recipes.drops.lower_bracket import (
    Layout,
    Loser,
    Losers,
    SeatedLosers,
    Tree,
    lower_bracket,
    lower_pairings,
    seat_losers,
    tree_of,
)
from tournament.draw.recipes.drops.notation import Fit, NotationError, fit, parse
from tournament.draw.recipes.drops.stored_layouts import (
    CONSOLATIONS,
    LAST_CHANCES,
    LOWER_BRACKETS,
    stored_seats,
)
from tournament.draw.recipes.knockout import Spot, knockout_rounds, main_pairings

ROUNDS_OF_A_LAST_CHANCE = 3


@lru_cache(maxsize=256)
def knockout(entries: int, chosen: KnockoutFormat = KNOCK_OUT) -> Graph[Spot, int]:
    """Returns the whole format over positions 1 to `entries`, 2 to 1,024.

    Raises NotationError if a bracket does not fit this number of entries, GraphError for other numbers. The graph is
    cached and shared: do not change it.
    """
    return Graph(_plan(entries, chosen).pairings)


def knockout_with_byes(entries: int, chosen: KnockoutFormat, empty: Collection[int]) -> Graph[Spot, int]:
    """Returns the format on a sheet with drawn byes: the positions `empty` among 2, 4, 8 … in all.

    Brackets, rounds and drop recipes are those of `knockout`. If byes are spread as evenly as there, everything else is
    the same except the lines of the main bracket. Raises like `knockout`, and GraphError if `empty` does not leave this
    number of entries.
    """
    sheet = SheetWithByes(entries, frozenset(empty))
    plan = _plan(entries, chosen)
    if not sheet.matches_plain_sheet:
        plan = _write(tree_of(sheet.aligned_pairings), chosen, plan.seated)
    main = sheet.pairings
    if chosen.consolation == SIMPLE:
        main = _byes_on_the_left(main)
    side_pairings = [sheet.renamed(pairing) for pairing in plan.pairings if pairing.bracket != MAIN]
    return Graph([*main, *side_pairings])


def second_bracket_fit(entries: int, chosen: KnockoutFormat) -> Fit | None:
    """Returns the recipe of the bracket that main losers drop to, or None. Raises like `knockout`."""
    second = _plan(entries, chosen).seated.second
    return second.fitting if second else None


class _Seated(NamedTuple):
    """The losers in the bracket that main losers drop to, and in the last chance; None if there is none."""

    second: SeatedLosers | None = None
    last: SeatedLosers | None = None


class _Plan(NamedTuple):
    pairings: Layout
    seated: _Seated


@lru_cache(maxsize=256)
def _plan(entries: int, chosen: KnockoutFormat) -> _Plan:
    main = tree_of(main_pairings(entries, MAIN))
    if chosen.consolation == SIMPLE:
        main = tree_of(_byes_on_the_left(main.pairings))
    return _write(main, chosen, _Seated())


def _write(main: Tree, chosen: KnockoutFormat, known: _Seated) -> _Plan:
    """Returns all pairings, with the known seats or else the best ones."""
    pairings = [*main.pairings]
    if chosen.third_place and main.rounds > 1:
        pairings.append(_third_place(main))
    dropping = _seat_main_losers(main, chosen, known.second)
    second = _second_bracket(main, chosen, dropping)
    if second:
        pairings += second.pairings
        _refuse_losers_dropping_twice(pairings)
    if chosen.double:
        pairings += _finals(main, second, chosen)
    last = (
        _seat_last_chance_losers(main, second, chosen, known.last) if chosen.last_chance and second else None
    )
    if last:
        pairings += _last_chance(last, chosen)
    return _Plan(pairings, _Seated(dropping, last))


def _seat_main_losers(main: Tree, chosen: KnockoutFormat, known: SeatedLosers | None) -> SeatedLosers | None:
    if chosen.consolation == SIMPLE or not (chosen.consolation or chosen.double):
        return None
    if known:
        return seats_like(known, main.losers, main.pairings)
    if chosen.consolation == FEED_IN:
        letters = "".join(sorted(main.losers))[: main.rounds - 1 - chosen.third_place]
        return default_seats(letters, main.losers, main.pairings, feed_in_fit(letters, main.losers))
    if chosen.consolation not in (None, PROGRESSIVE):
        return seat_losers(_fit_notation(chosen.consolation, main.losers), main.losers)
    if chosen.double and sum(map(len, main.losers.values())) == 1:
        return None
    dropping = main.rounds if chosen.double else chosen.dropping or main.rounds - 1 - chosen.third_place
    letters = "".join(sorted(main.losers))[:dropping]
    return _stored_seats(main, chosen) or default_seats(
        letters, main.losers, main.pairings, keeps_byes=chosen.keeps_byes
    )


def _stored_seats(main: Tree, chosen: KnockoutFormat) -> SeatedLosers | None:
    """Returns the stored layout for the losers of a sheet without drawn byes, or None."""
    if chosen.double:
        return stored_seats(LOWER_BRACKETS, main.entries, main.losers, spares_byes=False)
    if chosen.keeps_byes or chosen.third_place or chosen.dropping not in (None, main.rounds - 1):
        return None
    return stored_seats(CONSOLATIONS, main.entries, main.losers, spares_byes=True)


def _fit_notation(notation: str, losers: Losers) -> Fit:
    fitting = fit(parse(notation), {letter: len(round_losers) for letter, round_losers in losers.items()})
    if not isinstance(fitting, Fit):
        raise NotationError(
            gettext_noop("{notation} does not work out. {reason}"), notation=notation, reason=fitting
        )
    return fitting


def _second_bracket(main: Tree, chosen: KnockoutFormat, seated: SeatedLosers | None) -> Tree | None:
    if chosen.consolation == SIMPLE:
        return tree_of(_simple_consolation(main))
    if seated is None:
        return None
    recipe = seated.fitting.recipe
    if chosen.double and set(main.losers) != set(recipe.letters):
        raise NotationError(
            gettext_noop("In a double elimination every round drops; {recipe} leaves some out."),
            recipe=recipe,
        )
    return lower_bracket(LOWER if chosen.double else CONSOLATION, seated, main.losers)


def _third_place(main: Tree) -> Pairing[Spot, int]:
    left, right = (FromPairing((MAIN, main.rounds - 1, line), Outcome.LOSER) for line in (1, 2))
    return Pairing((THIRD, 1, 1), THIRD, 1, 1, left, right)


def _refuse_losers_dropping_twice(pairings: Layout) -> None:
    """A match for third place and a consolation can claim the same losers."""
    drop = {
        source for pairing in pairings if pairing.bracket != THIRD for source in _losers_seated_in(pairing)
    }
    if any(drop & _losers_seated_in(pairing) for pairing in pairings if pairing.bracket == THIRD):
        raise NotationError(
            gettext_noop(
                "The losers of the semifinals cannot play for third place and drop as well. Let fewer rounds drop."
            )
        )


def _losers_seated_in(pairing: Pairing[Spot, int]) -> set[Spot]:
    """Returns the pairings whose losers sit here."""
    seats = (source for _, source in pairing.seats if isinstance(source, FromPairing))
    return {source.pairing for source in seats if source.outcome != Outcome.WINNER}


def _finals(main: Tree, lower: Tree | None, chosen: KnockoutFormat) -> Layout:
    """Seats the unbeaten player on the left. With a reset the two play again if that player loses."""
    once_beaten = lower.winner if lower else FromPairing(main.pairings[-1].key, Outcome.LOSER)
    final = Pairing((FINAL, 1, 1), FINAL, 1, 1, main.winner, once_beaten)
    if not chosen.reset:
        return [final]
    second_seats = (FromPairing(final.key, outcome) for outcome in (Outcome.WINNER, Outcome.FIRST_LOSS))
    return [final, Pairing((FINAL, 2, 1), FINAL, 2, 1, *second_seats)]


def _seat_last_chance_losers(
    main: Tree, second: Tree, chosen: KnockoutFormat, known: SeatedLosers | None
) -> SeatedLosers:
    before = [*main.pairings, *second.pairings]
    if known and chosen.consolation != SIMPLE:  # its byes follow those of the main bracket
        losers = second.losers | _losers_not_dropping(main, second)
        return seats_like(known, losers, before)
    if chosen.last_chance not in (SIMPLE, PROGRESSIVE):
        losers = second.losers | _losers_not_dropping(main, second)
        return seat_losers(_fit_notation(chosen.last_chance or "", losers), losers)
    is_progressive = (chosen.consolation, chosen.last_chance) == (
        PROGRESSIVE,
        PROGRESSIVE,
    ) and not chosen.double
    if is_progressive and _stored_seats(main, chosen):
        stored = stored_seats(LAST_CHANCES, main.entries, second.losers, spares_byes=True)
        if stored:
            return stored
    rounds = 1 if chosen.last_chance == SIMPLE else ROUNDS_OF_A_LAST_CHANCE
    return default_seats(_first_letters(rounds, second.losers), second.losers, before)


def _last_chance(seated: SeatedLosers, chosen: KnockoutFormat) -> Layout:
    stop = chosen.last_chance_rounds or seated.spread.rounds
    return [pairing for pairing in lower_pairings(LAST_CHANCE, seated) if pairing.round <= stop]


def _losers_not_dropping(main: Tree, second: Tree) -> dict[str, list[Loser]]:
    """Returns the main rounds whose losers do not drop to the second bracket, by small letters."""
    dropped = {
        source.pairing
        for pairing in second.pairings
        for _, source in pairing.seats
        if isinstance(source, FromPairing)
    }
    return {
        letter.lower(): round_losers
        for letter, round_losers in main.losers.items()
        if round_losers[0].key not in dropped
    }


def _first_letters(rounds: int, losers: Losers) -> str:
    """Returns the letters of the first rounds, and one more if these send only one player."""
    letters = "".join(sorted(losers))
    is_too_small = sum(len(losers[letter]) for letter in letters[:rounds]) < 2
    return letters[: rounds + is_too_small]


def _byes_on_the_left(main: Layout) -> Layout:
    """Moves winners by bye to the left in round 2, so that FIRST_LOSS marks losers of their first match."""
    pairings: Layout = []
    byes = {pairing.key for pairing in main if FromBye() in (pairing.left, pairing.right)}
    for pairing in main:
        left, right = pairing.left, pairing.right
        if pairing.round == 2 and _comes_from(right, byes) and not _comes_from(left, byes):
            left, right = right, left
        pairings.append(Pairing(pairing.key, *pairing.key, left, right))
    return pairings


def _comes_from(source: Source[Spot, int], keys: set[Spot]) -> bool:
    return isinstance(source, FromPairing) and source.pairing in keys


def _simple_consolation(main: Tree) -> Layout:
    """Pairs the two of each block of four who lose their first match, then continues as a knock-out."""
    first = [pairing for pairing in main.pairings if pairing.round == 1]
    if len(first) < 2:
        raise NotationError(gettext_noop("With two entries nobody is left for a consolation."))
    sources: list[Source[Spot, int]] = []
    for upper, lower in zip(first[::2], first[1::2], strict=True):
        later = (MAIN, 2, (upper.line + 1) // 2)
        played = [
            FromPairing(pairing.key, Outcome.LOSER)
            for pairing in (upper, lower)
            if FromBye() not in (pairing.left, pairing.right)
        ]
        sources += (
            [*played, FromPairing(later, Outcome.FIRST_LOSS)]
            if len(played) == 1
            else played or [FromPairing(later, Outcome.LOSER), FromBye()]
        )
    return knockout_rounds(CONSOLATION, sources)
