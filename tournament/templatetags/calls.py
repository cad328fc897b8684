"""Template filters for calls: the announcement, and a stamp for a table's tile."""

from django import template

from tournament.queries.room.call_texts import call_text
from tournament.queries.room.room import CallInRoom, TableInRoom

register = template.Library()


@register.filter
def call_sentence(call: CallInRoom) -> str:
    """“Table 7: Ana Novak against Zoë Brandt, Open, Semifinals, to 7 points.”"""
    return call_text(call)


@register.filter
def stamp_of_table(table: TableInRoom) -> str:
    """Returns a text that changes with everything on the tile except the minutes."""
    return repr(table)
