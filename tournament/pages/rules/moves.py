"""Explains the rules of the checkers: set-up, opening, moving, the bar and bearing off.

Each line states a rule as the engine applies it under this ruleset, with the rule's id.
"""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from rules.ruleset import BearOff, DiceObligation, Opening, Ruleset
from tournament.pages.rules.lines import Line, Section


def moves_in_words(ruleset: Ruleset) -> list[Section]:
    return [
        Section("opening", _("Set-up and opening"), tuple(_opening(ruleset))),
        Section("moving", _("Moving and dice"), tuple(_moving(ruleset))),
        Section("bar", _("Hitting and the bar"), tuple(_bar(ruleset))),
        Section("bearing-off", _("Bearing off"), tuple(_bearing_off(ruleset))),
    ]


def _opening(ruleset: Ruleset) -> Iterator[Line]:
    yield Line(
        _(
            "Each side has 15 checkers: 2 on its 24-point, 5 on its 13-point, 3 on its 8-point and 5 on its 6-point."
            " The two sides mirror each other."
        ),
        "SET-1",
    )
    if ruleset.cube:
        yield Line(_("At the start of each game the cube is in the middle and counts 1."), "SET-2")
    if ruleset.opening is Opening.ROLL_AGAIN:
        text = _(
            "Each player rolls one die. The player with the higher die starts and rolls both dice again."
            " Ties are rolled again."
        )
        yield Line(text, "OPEN-1, OPEN-3")
        return
    text = _(
        "Each player rolls one die. The player with the higher die starts and plays these two dice."
        " Ties are rolled again."
    )
    yield Line(text, "OPEN-1, OPEN-2")


def _moving(ruleset: Ruleset) -> Iterator[Line]:
    yield Line(
        _("Turns alternate. Checkers move forward only, from the 24-point towards the 1-point."), "MOVE-1"
    )
    yield Line(
        _(
            "A point with two or more opposing checkers is blocked: you may pass it, but not land on it. Each die is a"
            " move of its own, so a checker that plays several dice must be able to land after each of them."
        ),
        "MOVE-2",
    )
    yield Line(_("A double is played four times."), "MOVE-3")
    yield Line(_("Any number of your checkers may stand on one point."), "MOVE-4")
    yield from _dice(ruleset)
    yield Line(
        _("You may not pass a turn in which you have a legal move. Without one, the turn passes."), "DICE-4"
    )


def _dice(ruleset: Ruleset) -> Iterator[Line]:
    if ruleset.dice_obligation is DiceObligation.LARGER_DIE_SUFFICES:
        text = _(
            "You may play one die only. It must be the larger one, or the smaller one if the larger cannot be played."
            " Of a double, one move is enough."
        )
        yield Line(text, "DICE-3")
        return
    text = _(
        "Play both dice, or all four moves of a double, if any legal way exists. Otherwise play as many as you can."
    )
    yield Line(text, "DICE-1")
    if ruleset.dice_obligation is DiceObligation.ALL_THEN_LARGER:
        yield Line(_("If you can play either die but not both, you must play the larger one."), "DICE-2")
    else:
        yield Line(_("If you can play either die but not both, you may choose which."), "DICE-1")


def _bar(ruleset: Ruleset) -> Iterator[Line]:
    yield Line(
        _(
            "Landing on a single opposing checker hits it: it goes to the bar. You may hit several checkers in one"
            " turn."
        ),
        "HIT-1",
    )
    yield Line(
        _(
            "With a checker on the bar, no other checker may move until all of yours have entered, each on an open"
            " point of the opponent's home board that a die shows."
        ),
        "BAR-1",
    )
    if ruleset.cube:
        yield Line(
            _(
                "Against a closed board you lose the move, but not the right to double when the cube is yours to use."
            ),
            "BAR-2",
        )
    else:
        yield Line(_("Against a closed board you lose the move."), "BAR-2")
    if ruleset.dice_obligation is DiceObligation.LARGER_DIE_SUFFICES:
        yield Line(_("Dice left after entering may be played with any checker."), "BAR-3")
    else:
        yield Line(_("Dice left after entering must be played with any checker that can move."), "BAR-3")
    yield Line(_("If neither die lets you enter, your turn is over."), "BAR-4")


def _bearing_off(ruleset: Ruleset) -> Iterator[Line]:
    yield Line(
        _(
            "Bear off only while all your remaining checkers are in your home board. A checker that is hit must come"
            " home first."
        ),
        "OFF-1",
    )
    yield Line(_("A die bears off a checker from the point of its number."), "OFF-2")
    if ruleset.bear_off is BearOff.LOWER_ALLOWED:
        text = _(
            "With no checker on the point of the die and one above it, you may move inside the board or bear off a"
            " checker from a lower point."
        )
        yield Line(text, "OFF-6")
    else:
        text = _(
            "With no checker on the point of the die and one above it, you must move inside the board with that die."
        )
        yield Line(text, "OFF-3")
    yield Line(
        _("With no checker on the point of the die or above it, bear off from your highest point."), "OFF-4"
    )
    yield Line(_("You need not bear off when another legal move of that die exists."), "OFF-5")
    if ruleset.hit_checker_first:
        text = _("A checker hit after bearing off began must be home again before your other checkers move.")
        yield Line(text, "OFF-7")
    yield Line(_("The player who first bears off all fifteen checkers wins the game."), "WIN-1")
