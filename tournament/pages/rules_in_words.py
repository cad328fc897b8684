"""A ruleset in plain words for the people who play by it: what holds here, rule by rule, with the rule's id.

Says what the fields of the ruleset say and nothing more; decides nothing.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules.ruleset import (
    BearOff,
    ClockExpiry,
    CrawfordForm,
    CubeTiming,
    DiceObligation,
    FirstDouble,
    LateLadder,
    Opening,
    Ruleset,
    UncubedSingle,
)


@dataclass(frozen=True, slots=True)
class Line:
    """One sentence or two, and the rules it states."""

    text: str
    rules: str


@dataclass(frozen=True, slots=True)
class Section:
    key: str
    title: str
    lines: tuple[Line, ...]


def in_words(ruleset: Ruleset) -> list[Section]:
    """Everything a player may want to look up, in the order in which it comes up in a match."""
    return [
        Section("match", _("Match and score"), tuple(_match(ruleset))),
        Section("crawford", _("The Crawford game"), tuple(_crawford(ruleset))),
        Section("cube", _("The cube"), tuple(_cube(ruleset))),
        Section("opening", _("Opening and dice"), tuple(_dice(ruleset))),
        Section("bearing-off", _("Bearing off"), tuple(_bearing_off(ruleset))),
        Section("time", _("Time"), tuple(_time(ruleset))),
        Section("table", _("At the table"), tuple(_table())),
    ]


def cards_in_words() -> Section:
    """What holds where each player keeps a card."""
    lines = (
        Line(
            _("Each player keeps a card. A result counts when both say the same, or by the desk."), "CARD-1"
        ),
        Line(_("If only one player kept a written score, it stands."), "CARD-3"),
        Line(_("Of two cards that differ, that of the player who was behind stands."), "CARD-4"),
    )
    return Section("cards", _("Two cards"), lines)


def _match(ruleset: Ruleset) -> Iterator[Line]:
    yield Line(_("Whoever reaches the match length first wins. Points beyond it bring nothing."), "MATCH-1")
    yield _single(ruleset)
    yield Line(_("A gammon pays twice the cube: the loser bore off no checker."), "SCORE-3")
    yield _backgammon(ruleset)
    if ruleset.jacoby:
        yield Line(
            _("Gammons and backgammons count as singles unless somebody offered a double in that game."),
            "SCORE-6",
        )
    yield Line(
        _(
            "A game also ends when a double is dropped, or when a resignation is accepted as a single, gammon or"
            " backgammon."
        ),
        "SCORE-7",
    )
    yield Line(
        _("Both players keep the score card. The winner goes on, by whatever margin."), "CARD-1, CARD-2"
    )


def _single(ruleset: Ruleset) -> Line:
    if ruleset.uncubed_single is UncubedSingle.CHECKERS_LEFT:
        text = _(
            "A single game pays the value of the cube. If the cube was never turned, it pays as many points as the"
            " loser has checkers left on the board, so count them and enter the number."
        )
        return Line(text, "SCORE-2")
    return Line(_("A single game pays the value of the cube."), "SCORE-1")


def _backgammon(ruleset: Ruleset) -> Line:
    if ruleset.backgammon_counts_bar:
        text = _(
            "A backgammon pays three times the cube: the loser bore off no checker and has one on the bar or in"
            " the winner's home board."
        )
        return Line(text, "SCORE-4")
    text = _(
        "A backgammon pays three times the cube: the loser bore off no checker and has one in the winner's home"
        " board. A checker on the bar does not count for this."
    )
    return Line(text, "SCORE-5")


def _crawford(ruleset: Ruleset) -> Iterator[Line]:
    if not ruleset.cube or ruleset.crawford is CrawfordForm.OFF:
        yield Line(_("There is no Crawford game."), "CRAW-3")
        return
    if ruleset.crawford is CrawfordForm.ON:
        text = _(
            "The first game after somebody comes within one point of the match is played without the cube."
            " After it the cube is back. A 1-point match has no cube."
        )
        yield Line(text, "CRAW-1")
    else:
        text = _(
            "In the first game after somebody comes within one point of the match, the player behind may not"
            " double or redouble; the leader may."
        )
        yield Line(text, "CRAW-2")
    after_penalty = _("A score reached by penalty points brings the Crawford game too.")
    without = _("A score reached by penalty points brings no Crawford game.")
    yield Line(after_penalty if ruleset.crawford_after_penalty else without, "CRAW-4")


def _cube(ruleset: Ruleset) -> Iterator[Line]:
    if not ruleset.cube:
        yield Line(_("The match is played without a cube."), "CUBE-8")
        return
    yield _cube_timing(ruleset)
    yield Line(
        _("Either player may double first. Who took last owns the cube and alone may redouble."), "CUBE-4"
    )
    yield Line(
        _("Whoever drops a double loses the game for what the cube showed before that double."), "CUBE-5"
    )
    yield _cube_limit(ruleset)
    yield from _optional_cube_rules(ruleset)


def _cube_timing(ruleset: Ruleset) -> Line:
    if ruleset.cube_timing is CubeTiming.ANY_TIME:
        return Line(_("A double may be offered at any time in the game."), "CUBE-2")
    if ruleset.first_double is FirstDouble.AFTER_FIRST_THROW:
        text = _(
            "Double on your own turn before you roll, but not before the first throw of the game was made."
        )
        return Line(text, "CUBE-1, CUBE-3")
    return Line(_("Double on your own turn, before you roll."), "CUBE-1")


def _cube_limit(ruleset: Ruleset) -> Line:
    if ruleset.cube_limit is None:
        return Line(_("Each double turns the cube to twice its value, without a limit."), "CUBE-6")
    text = _("Each double turns the cube to twice its value, up to {limit}.").format(limit=ruleset.cube_limit)
    return Line(text, "CUBE-6")


def _optional_cube_rules(ruleset: Ruleset) -> Iterator[Line]:
    if ruleset.automatic_doubles != 0:
        text = _("A tie in the opening roll turns the cube to the next value; it stays in the middle.")
        yield Line(_with_most(text, ruleset.automatic_doubles), "OPEN-4")
    if ruleset.beavers == 0:
        yield Line(_("Beavers are not played."), "CUBE-7")
    else:
        text = _("Whoever is doubled may redouble at once and keep the cube (a beaver).")
        yield Line(_with_most(text, ruleset.beavers), "CUBE-7")


def _with_most(text: str, most: int | None) -> str:
    if most is None:
        return text
    limit = ngettext("At most {count} a game.", "At most {count} a game.", most).format(count=most)
    return f"{text} {limit}"


def _dice(ruleset: Ruleset) -> Iterator[Line]:
    yield _opening(ruleset)
    yield Line(_("Doubles are played four times."), "MOVE-3")
    if ruleset.dice_obligation is DiceObligation.LARGER_DIE_SUFFICES:
        text = _("Playing one die is enough, and then it must be the larger one if it can be played.")
        yield Line(text, "DICE-3")
    else:
        yield Line(
            _("Play both dice if there is any legal way to do so, otherwise as many as you can."), "DICE-1"
        )
    if ruleset.dice_obligation is DiceObligation.ALL_THEN_LARGER:
        yield Line(_("When either die can be played but not both, play the larger one."), "DICE-2")
    yield Line(_("Nobody may pass a turn in which there is a legal move."), "DICE-4")
    yield Line(_("With a checker on the bar, enter it before anything else moves."), "BAR-1")


def _opening(ruleset: Ruleset) -> Line:
    if ruleset.opening is Opening.ROLL_AGAIN:
        text = _(
            "Each player rolls one die. The higher one starts and rolls both dice anew; ties are rolled again."
        )
        return Line(text, "OPEN-1, OPEN-3")
    text = _("Each player rolls one die. The higher one starts with those two dice; ties are rolled again.")
    return Line(text, "OPEN-1, OPEN-2")


def _bearing_off(ruleset: Ruleset) -> Iterator[Line]:
    yield Line(_("Bear off only while all your checkers are in your home board."), "OFF-1")
    if ruleset.bear_off is BearOff.LOWER_ALLOWED:
        text = _(
            "With no checker on the point of the die and one above it, you may move inside the board or bear off a"
            " checker from a lower point."
        )
        yield Line(text, "OFF-6")
    else:
        text = _(
            "With no checker on the point of the die and one above it, move inside the board. With none above it,"
            " bear off from your highest point."
        )
        yield Line(text, "OFF-3, OFF-4")
    if ruleset.hit_checker_first:
        text = _("A checker hit after bearing off began must be home again before your other checkers move.")
        yield Line(text, "OFF-7")


def _time(ruleset: Ruleset) -> Iterator[Line]:
    clock = ruleset.clock
    if ruleset.late_ladder is not None:
        yield _lateness(ruleset.late_ladder)
    if clock is None:
        yield Line(_("Matches are played without clocks."), "TIME-1")
        return
    text = _(
        "Where a clock is used: {reserve} a point of the match for each side, and {move} a move before it runs."
    )
    yield Line(
        text.format(reserve=_minutes(clock.point_seconds), move=_seconds(clock.move_seconds)), "TIME-1"
    )
    lost = _("A clock that runs out loses the match.")
    overtime = _("A clock that runs out brings overtime as the director announces it.")
    yield Line(lost if ruleset.clock_expiry is ClockExpiry.LOSES_MATCH else overtime, "TIME-2")


def _lateness(ladder: LateLadder) -> Line:
    text = _(
        "Late for a match: {first} after {first_time}, {more} more every further {more_time}. The match is lost when"
        " that is more than {percent} % of its length."
    ).format(
        first=_penalty(ladder.first_points),
        first_time=_minutes(60 * ladder.first_minutes),
        more=ladder.each_points,
        more_time=_minutes(60 * ladder.each_minutes),
        percent=ladder.lost_beyond_percent,
    )
    return Line(text, "PEN-1, PEN-2")


def _penalty(points: int) -> str:
    return ngettext("{count} penalty point", "{count} penalty points", points).format(count=points)


def _minutes(seconds: int) -> str:
    if seconds % 60:
        return _seconds(seconds)
    return ngettext("{count} minute", "{count} minutes", seconds // 60).format(count=seconds // 60)


def _seconds(seconds: int) -> str:
    return ngettext("{count} second", "{count} seconds", seconds).format(count=seconds)


def _table() -> Iterator[Line]:
    yield Line(
        _(
            "Shake the dice in a cup and roll both on the half of the board to your right. If one is cocked or falls"
            " off, roll both again."
        ),
        "TABLE-1",
    )
    yield Line(
        _(
            "Keep the cube where both of you see it. Say a double aloud with its value; whoever takes puts the cube"
            " on their own side."
        ),
        "TABLE-2",
    )
    yield Line(_("When in doubt, stop and call the director."), "TABLE-3")
