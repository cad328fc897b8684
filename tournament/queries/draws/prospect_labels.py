"""Summarizes a format before the draw in short sentences for a director. Decides nothing."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournament.draw.formats import Format, Kind
from tournament.draw.pairing import Stop
from tournament.draw.recipes.drops.report import LayoutReport
from tournament.queries.brackets.labels import bracket_title

USUAL_WAIT = 1

FORMAT_SUMMARIES: Mapping[Kind, Promise] = {
    Kind.KNOCKOUT: gettext_lazy("Knock-out: a player who loses is out, or drops into a consolation."),
    Kind.DOUBLE: gettext_lazy("Double elimination: out after the second loss."),
    Kind.ROUND_ROBIN: gettext_lazy("Round robin: everybody plays everybody, unless it stops before."),
    Kind.GROUPS: gettext_lazy("Groups, then a play-off of the best."),
    Kind.SWISS: gettext_lazy("Swiss: each round is paired from the records so far."),
    Kind.MONRAD: gettext_lazy("Monrad: each round pairs neighbours in the standings."),
    Kind.LIVES: gettext_lazy("Lives: each round pairs those who are still in."),
}


@dataclass(frozen=True, slots=True)
class LayoutNote:
    """A sentence about the layout; `is_warning` if a director may want to choose another format."""

    sentence: str
    is_warning: bool = False


def format_summary(chosen: Format) -> str:
    """Describes the format, and its later rounds if it is paired round by round."""
    return " ".join([str(FORMAT_SUMMARIES[chosen.kind]), *_goes_on(chosen)])


def layout_notes(report: LayoutReport) -> list[LayoutNote]:
    """Returns the notes on a layout, the most relevant first."""
    notes = [*_rematches(report), *_first_losers(report), _wait(report.longest_wait)]
    if report.double_byes:
        words = ngettext(
            "{count} bye can go to somebody who had one before.",
            "{count} byes can go to somebody who had one before.",
            report.double_byes,
        )
        notes.append(LayoutNote(words.format(count=report.double_byes), is_warning=True))
    else:
        notes.append(LayoutNote(_("Nobody has two byes.")))
    if report.two_rounds_credit:
        notes.append(
            LayoutNote(
                _("Somebody can stand two rounds ahead of others with a better record."), is_warning=True
            )
        )
    return notes


def rematch_notes(chosen: Format, entries: int) -> list[LayoutNote]:
    """Warns of a Swiss or Monrad tournament with more rounds than a player has opponents; never without two entries."""
    most = entries - 1 + entries % 2
    if chosen.kind not in (Kind.SWISS, Kind.MONRAD) or entries <= 1 or chosen.rounds <= most:
        return []
    words = ngettext(
        "After {count} round everybody has met everybody. In the later rounds players meet again.",
        "After {count} rounds everybody has met everybody. In the later rounds players meet again.",
        most,
    )
    return [LayoutNote(words.format(count=most), is_warning=True)]


def _goes_on(chosen: Format) -> Iterator[str]:
    if chosen.kind in (Kind.SWISS, Kind.MONRAD):
        yield _("The draw pairs round 1 of {rounds}.").format(rounds=chosen.rounds)
    elif chosen.kind == Kind.LIVES:
        yield _("Losses until a player is out: {lives}. The draw pairs round 1.").format(lives=chosen.lives)
        if chosen.stop == Stop.BELOW:
            yield _("It ends when only one player has two lives or more.")
        elif chosen.stop == Stop.ROUNDS:
            yield _("It ends after round {rounds}.").format(rounds=chosen.rounds)
        else:
            yield _("It ends when one player is left.")


def _rematches(report: LayoutReport) -> Iterator[LayoutNote]:
    if report.earliest_rematch is None:
        yield LayoutNote(_("Nobody can meet twice."))
        return
    bracket, number, _line = report.earliest_rematch
    words = _("Rematches are possible from round {number} of {bracket}. Expected number: {count}.")
    count = f"{report.expected_rematches:.2f}"
    yield LayoutNote(words.format(number=number, bracket=bracket_title(bracket), count=count))


def _first_losers(report: LayoutReport) -> Iterator[LayoutNote]:
    if not report.first_losers:
        return
    if not report.first_losers_waiting:
        yield LayoutNote(_("Losers of the first round play again at once."))
        return
    words = ngettext(
        "Losers of the first round play again at once, except {count} who waits.",
        "Losers of the first round play again at once, except {count} who wait.",
        report.first_losers_waiting,
    )
    most_wait = 2 * report.first_losers_waiting > report.first_losers
    yield LayoutNote(words.format(count=report.first_losers_waiting), is_warning=most_wait)


def _wait(slots: int) -> LayoutNote:
    """Describes a pause. One round is usual; a longer pause is a warning."""
    if not slots:
        return LayoutNote(_("Nobody sits out a round between two matches."))
    words = ngettext(
        "The longest wait between two matches is {count} round.",
        "The longest wait between two matches is {count} rounds.",
        slots,
    )
    return LayoutNote(words.format(count=slots), is_warning=slots > USUAL_WAIT)
