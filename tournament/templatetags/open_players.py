"""Renders the names that a field of the desk suggests. In Python, because there may be a thousand names."""

from collections.abc import Iterable

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from tournament.queries.desk.desk import DeskLine

register = template.Library()


@register.simple_tag
def open_players(lines: Iterable[DeskLine]) -> SafeString:
    """Renders an option for each player of these matches, with match number and opponent."""
    sentence = gettext("match {number}, against {other}")
    sides = (
        (line.pairing.called, *names)
        for line in lines
        for left, right in [(line.pairing.left.name, line.pairing.right.name)]
        for names in ((left, right), (right, left))
    )
    options = ((name, sentence.format(number=number, other=other)) for number, name, other in sides)
    return format_html_join("\n", '<option value="{}">{}</option>', options)
