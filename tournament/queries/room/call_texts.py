"""The sentence that the desk reads aloud when a match is called."""

from collections.abc import Mapping

from django.utils.translation import gettext as _

from tournament.queries.brackets.labels import length_phrase, round_title_in
from tournament.queries.room.room import CallInRoom


def call_text(call: CallInRoom) -> str:
    """“Table 7: Ana Novak against Zoë Brandt, Open, Semifinals, to 7 points.”"""
    at = call.at
    values = {
        "table": call.table,
        "left": at.left,
        "right": at.right,
        "tournament": at.tournament,
        "round": round_title_in(at.round_name, at.bracket),
        "length": length_phrase(at),
    }
    if call.state == "second":
        return _second(values, call.table)
    if call.table:
        return _("Table {table}: {left} against {right}, {tournament}, {round}, {length}.").format(**values)
    return _("{left} against {right}, {tournament}, {round}, {length}.").format(**values)


def _second(values: Mapping[str, object], table: str) -> str:
    if table:
        return _("Second call for table {table}: {left} against {right}, {tournament}, {round}.").format(
            **values
        )
    return _("Second call: {left} against {right}, {tournament}, {round}.").format(**values)
