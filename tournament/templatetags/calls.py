"""What is said of calls on pages: the text to be read aloud, and what changes a table's tile. Words only."""

from django import template

from tournament.queries.room.call_texts import call_text
from tournament.queries.room.room import CallInRoom, TableInRoom

register = template.Library()


@register.filter
def call_words(call: CallInRoom) -> str:
    """“Table 7: Ana Novak against Zoë Brandt, Open, Semifinals, to 7 points.”"""
    return call_text(call)


@register.filter
def stamp_of_table(table: TableInRoom) -> str:
    """Changes with everything that the tile shows, but for the minutes."""
    return repr(table)
