"""Explains a ruleset to players: each rule that the engine applies, with the rule's id."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules.ruleset import (
    ClockExpiry,
    CrawfordForm,
    CubeTiming,
    FirstDouble,
    LateLadder,
    Opening,
    Ruleset,
    UncubedSingle,
)
from tournament.pages.rules.lines import Line, Section
from tournament.pages.rules.moves import moves_in_words


@dataclass(frozen=True, slots=True)
class Play:
    """Properties of a tournament that select the rules of the page, in addition to its ruleset.

    `by_margin`: the standings compare a difference of points. `for_a_time`: sessions of stake play end by time.
    """

    is_stake_play: bool = False
    for_a_time: bool = False
    by_margin: bool = False


def in_words(ruleset: Ruleset, play: Play | None = None) -> list[Section]:
    """Returns the rules of this ruleset, in the order of a match."""
    play = play or Play()
    return [
        Section("match", _("Match and score"), tuple(_match(ruleset, play))),
        *(
            []
            if play.is_stake_play
            else [Section("crawford", _("The Crawford game"), tuple(_crawford(ruleset)))]
        ),
        Section("cube", _("The cube"), tuple(_cube(ruleset, play))),
        *moves_in_words(ruleset),
        Section("time", _("Time and penalties"), tuple(_time(ruleset, play))),
        Section("table", _("At the table"), tuple(_table(ruleset))),
    ]


def cards_in_words() -> Section:
    """Returns the rules for tournaments in which each player keeps a card."""
    lines = (
        Line(
            _("Each player keeps a card. A result counts when both say the same, or by the desk."), "CARD-1"
        ),
        Line(_("If only one player kept a written score, it counts."), "CARD-3"),
        Line(_("Of two cards that differ, that of the player who was behind counts."), "CARD-4"),
    )
    return Section("cards", _("Two cards"), lines)


def _match(ruleset: Ruleset, play: Play) -> Iterator[Line]:
    if play.is_stake_play:
        yield from _sessions(play)
    else:
        text = _("The first player to reach the match length wins. Points beyond it bring nothing.")
        yield Line(text, "MATCH-1")
    yield _single(ruleset)
    yield Line(_("A gammon pays twice the cube: the loser bore off no checker."), "SCORE-3")
    yield _backgammon(ruleset)
    if ruleset.jacoby:
        text = _("Gammons and backgammons count as singles unless a double was offered in that game.")
        if ruleset.automatic_doubles != 0 and ruleset.cube:
            text = " ".join((text, _("An automatic double is no offer.")))
        yield Line(text, "SCORE-6")
    yield Line(
        _(
            "A game also ends when a double is dropped, or when a resignation is accepted as a single, gammon or"
            " backgammon."
        )
        if ruleset.cube
        else _("A game also ends when a resignation is accepted as a single, gammon or backgammon."),
        "SCORE-7",
    )
    yield Line(_("Both players keep the score card. The points of each game go to its winner."), "CARD-1")
    if not play.is_stake_play:
        yield _margin(play)


def _sessions(play: Play) -> Iterator[Line]:
    text = _("There is no match length. Each game is scored for itself, and its points count.")
    yield Line(text, "MATCH-3")
    if play.for_a_time:
        text = _("When time is over, the games counted so far are the games of the session: one at least.")
        yield Line(text, "MATCH-3")
    text = _(
        "A session has a winner. If the points are level after the last game, one more game is played at a time"
        " until they differ."
    )
    yield Line(text, "MATCH-3")
    if play.by_margin:
        yield Line(_("Standings compare points won minus points lost."), "MATCH-3")


def _margin(play: Play) -> Line:
    if play.by_margin:
        text = _(
            "A match is won or lost, by whatever margin. Among players with equal results, however, the standings of"
            " this tournament compare the difference of points."
        )
        return Line(text, "CARD-2")
    return Line(_("A match is won or lost. The margin plays no part in who advances."), "CARD-2")


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
        none = _("There is no Crawford game.")
        text = none if not ruleset.cube else _("There is no Crawford game. A 1-point match has no cube.")
        yield Line(text, "CRAW-3")
        return
    if ruleset.crawford is CrawfordForm.ON:
        text = _(
            "The first game after a player comes within one point of the match is played without the cube."
            " After it the cube is back. A 1-point match has no cube."
        )
        yield Line(text, "CRAW-1")
    else:
        text = _(
            "In the first game after a player comes within one point of the match, the player behind may not"
            " double or redouble; the leader may. A 1-point match has no cube."
        )
        yield Line(text, "CRAW-2")
    after_penalty = _("A score reached by penalty points brings the Crawford game too.")
    without = _("A score reached by penalty points brings no Crawford game.")
    yield Line(after_penalty if ruleset.crawford_after_penalty else without, "CRAW-4")


def _cube(ruleset: Ruleset, play: Play) -> Iterator[Line]:
    if not ruleset.cube:
        yield Line(_("Games are played without a cube."), "CUBE-8")
        return
    yield _cube_timing(ruleset)
    yield _first_double(ruleset)
    yield Line(
        _("Either player may double first. The player who took last owns the cube and alone may redouble."),
        "CUBE-4",
    )
    yield Line(
        _("A player who drops a double or redouble loses the stake as it was before that double."), "CUBE-5"
    )
    yield _cube_limit(ruleset)
    yield _automatic_doubles(ruleset, play)
    yield _beavers(ruleset)


def _cube_timing(ruleset: Ruleset) -> Line:
    if ruleset.cube_timing is CubeTiming.ANY_TIME:
        return Line(_("A double may be offered at any time in the game."), "CUBE-2")
    return Line(_("Double on your own turn, before you roll."), "CUBE-1")


def _first_double(ruleset: Ruleset) -> Line:
    if ruleset.first_double is FirstDouble.AFTER_FIRST_THROW:
        return Line(_("Nobody may double before the first throw of the game was made."), "CUBE-3")
    if ruleset.opening is Opening.PLAY_BOTH_DICE:
        return Line(_("The first double may be offered as soon as the opening roll was played."), "OPEN-2")
    return Line(_("The first double may be offered from the start of the game."), "OPEN-3")


def _cube_limit(ruleset: Ruleset) -> Line:
    if ruleset.cube_limit is None:
        return Line(_("Each double turns the cube to twice its value, without a limit."), "CUBE-6")
    text = _("Each double turns the cube to twice its value, up to {limit}.").format(limit=ruleset.cube_limit)
    return Line(text, "CUBE-6")


def _automatic_doubles(ruleset: Ruleset, play: Play) -> Line:
    most = ruleset.automatic_doubles
    if most == 0:
        return Line(_("There are no automatic doubles."), "OPEN-4")
    text = _("A tie in the opening roll turns the cube to the next value; it stays in the middle.")
    if most is not None:
        limit = ngettext("At most {count} a game.", "At most {count} a game.", most).format(count=most)
        text = f"{text} {limit}"
    if ruleset.crawford is CrawfordForm.ON and not play.is_stake_play:
        text = " ".join((text, _("Not in the Crawford game.")))
    return Line(text, "OPEN-4")


def _beavers(ruleset: Ruleset) -> Line:
    most = ruleset.beavers
    if most == 0:
        return Line(_("Beavers are not played."), "CUBE-7")
    text = _(
        "A player who is doubled may redouble at once and keep the cube (a beaver). The doubler then takes, or drops"
        " and loses the stake that the first double offered."
    )
    if most is None:
        further = _("Further redoubles in reply are allowed without a limit.")
    else:
        further = ngettext(
            "At most {count} redouble in reply to each double.",
            "At most {count} redoubles in reply to each double, by the two players in turn.",
            most,
        ).format(count=most)
    return Line(f"{text} {further}", "CUBE-7")


def _time(ruleset: Ruleset, play: Play) -> Iterator[Line]:
    clock = ruleset.clock
    if ruleset.late_ladder is not None:
        yield _lateness(ruleset.late_ladder, play)
    else:
        yield Line(_("Being late costs no penalty points."), "PEN-1")
    yield Line(_("Penalty points are entries of their own on the score card, never games."), "PEN-2")
    if clock is None or play.is_stake_play:
        yield Line(_("Matches are played without clocks."), "TIME-1")
        return
    yield Line(
        _(
            "Where a clock is used: {reserve} a point of the match for each side, and {move} a move before it runs."
            " Pairs have {pairs_reserve} a point and {pairs_move} a move. A clock that comes late has {less} less for"
            " each point already scored."
        ).format(
            reserve=_minutes(clock.point_seconds),
            move=_seconds(clock.move_seconds),
            pairs_reserve=_minutes(clock.doubles_point_seconds),
            pairs_move=_seconds(clock.doubles_move_seconds),
            less=_minutes(clock.late_start_seconds),
        ),
        "TIME-1",
    )
    lost = _("A clock that runs out loses the match.")
    overtime = _("A clock that runs out brings overtime as the director announces it.")
    yield Line(lost if ruleset.clock_expiry is ClockExpiry.LOSES_MATCH else overtime, "TIME-2")


def _lateness(ladder: LateLadder, play: Play) -> Line:
    text = _("Late for a match: {first} after {first_time}, {more} more every further {more_time}.")
    if not play.is_stake_play:
        lost = _("The match is lost when that is more than {percent} % of its length.")
        text = f"{text} {lost}"
    text = text.format(
        first=_penalty(ladder.first_points),
        first_time=_minutes(60 * ladder.first_minutes),
        more=ladder.each_points,
        more_time=_minutes(60 * ladder.each_minutes),
        percent=ladder.lost_beyond_percent,
    )
    return Line(text, "PEN-1")


def _penalty(points: int) -> str:
    return ngettext("{count} penalty point", "{count} penalty points", points).format(count=points)


def _minutes(seconds: int) -> str:
    if seconds % 60:
        return _seconds(seconds)
    return ngettext("{count} minute", "{count} minutes", seconds // 60).format(count=seconds // 60)


def _seconds(seconds: int) -> str:
    return ngettext("{count} second", "{count} seconds", seconds).format(count=seconds)


def _table(ruleset: Ruleset) -> Iterator[Line]:
    yield Line(
        _(
            "Shake the dice in a cup and roll both on the half of the board to your right. If one is cocked or falls"
            " off, roll both again."
        ),
        "TABLE-1",
    )
    if ruleset.cube:
        yield _cube_at_the_table()
    yield Line(_("When in doubt, stop and call the director."), "TABLE-3")


def _cube_at_the_table() -> Line:
    return Line(
        _(
            "Keep the cube where both of you see it. Say a double aloud with its value. The player who takes puts the"
            " cube on their own side."
        ),
        "TABLE-2",
    )
