"""What is said after the desk did something to a match, with the way to take it back."""

from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext

from tournament.brackets.states import current_results
from tournament.pages.director.context import TournamentContext
from tournament.pages.director.pairing import names_in, pairing_in
from tournament.results.stale_decisions import result_parameters


def posted_message(context: TournamentContext, pairing_id: int, *, by_whom: bool = False) -> str:
    """The result in force, with a link to where it can be taken back; `by_whom` where it was posted before."""
    pairing = pairing_in(context, pairing_id)
    result = current_results([pairing_id]).get(pairing_id)
    names = names_in(pairing)
    if result is None or result.kind == "retracted" or result.left_points is None:
        said = gettext("Written: {left} – {right}").format(left=names[0], right=names[1])
    elif by_whom:
        said = gettext("{left} – {right}: {score}, posted by {who}.").format(
            **result_parameters(pairing, result)
        )
    else:
        said = gettext("Posted: {left} {left_points}–{right_points} {right}").format(
            left=names[0], right=names[1], left_points=result.left_points, right_points=result.right_points
        )
    address = reverse("desk-match", args=[*context.slugs, pairing_id])
    return format_html('{} <a href="{}">{}</a>', said, address, gettext("Look at it or take it back"))
