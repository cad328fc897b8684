"""A match in a column of the desk, as a link to it: written here, for of a large field a desk shows a hundred of them,
and a template took a third of all its time. Words only.
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
    """Number, round and length, and both players, with their points where those are wanted."""
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
    """Where it is played, whether this is the Crawford game, and how it was decided if not by play."""
    told = SafeString()
    if pairing.table:
        told += format_html(" · <strong>{}</strong>", gettext("table %(name)s") % {"name": pairing.table})
    if pairing.is_crawford and pairing.state == "playing":
        told += format_html(' <span class="badge badge--crawford">{}</span>', gettext("Crawford"))
    if pairing.how:
        told += format_html(
            ' <span class="badge badge--walkover">{}</span>', RESULT_LABELS.get(pairing.how, pairing.how)
        )
    return told


def _side(seat: SeatView, *, points: bool) -> SafeString:
    told = format_html(
        '<span class="duel__side {}"><bdi>{}</bdi>', "is-winner" if seat.is_winner else "", seat.name
    )
    if points and seat.points is not None:
        told += format_html('<b class="num">{}</b>', seat.points)
    return told + SafeString("</span>")
