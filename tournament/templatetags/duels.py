"""Renders a match in a column of the desk, as a link to it.

In Python, because a large desk shows a hundred matches, and a template took a third of the page's time.
"""

from typing import Any

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from tournament.queries.brackets.bracket_view import PairingView, SeatView
from tournament.queries.brackets.labels import RESULT_LABELS, round_title_in, short_length
from tournament.queries.desk.desk import DeskLine

register = template.Library()

LINK = """<a class="duel" href="{}">
  <span class="duel__head">{}</span>
  {}
  {}
</a>"""


@register.simple_tag(takes_context=True)
def duel(context: dict[str, Any], line: DeskLine, *, points: bool = False) -> SafeString:
    """Renders number, round, length and both players, with their points if `points`."""
    place = (context["event"].slug, context["tournament"].slug, line.pairing.id)
    sides = (_side(seat, points=points) for seat in (line.pairing.left, line.pairing.right))
    return format_html(LINK, reverse("desk-match", args=place), _head(line), *sides)


def _head(line: DeskLine) -> SafeString:
    pairing = line.pairing
    html = format_html(
        '<span class="num">{}</span> {}, {}',
        pairing.called,
        round_title_in(line.round_name, line.bracket),
        short_length(pairing),
    )
    return html + _marks(pairing)


def _marks(pairing: PairingView) -> SafeString:
    """Renders the table, a mark of the Crawford game, and the kind of a result that was not played."""
    html = SafeString()
    if pairing.table:
        html += format_html(" · <strong>{}</strong>", gettext("table %(name)s") % {"name": pairing.table})
    if pairing.is_crawford and pairing.state == "playing":
        html += format_html(' <span class="badge badge--crawford">{}</span>', gettext("Crawford"))
    if pairing.how:
        html += format_html(
            ' <span class="badge badge--walkover">{}</span>', RESULT_LABELS.get(pairing.how, pairing.how)
        )
    return html


def _side(seat: SeatView, *, points: bool) -> SafeString:
    html = format_html(
        '<span class="duel__side {}"><bdi>{}</bdi>', "is-winner" if seat.is_winner else "", seat.name
    )
    if points and seat.points is not None:
        html += format_html('<b class="num">{}</b>', seat.points)
    return html + SafeString("</span>")
