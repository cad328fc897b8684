"""Saves fees from a form, and asks for a confirmation where they change what was charged or awarded."""

from collections.abc import Callable, Mapping
from typing import Any

from django.forms import BaseForm
from django.http import HttpRequest

from rules.problem import RuleBroken
from tournament.money.fees import FeeChange
from tournament.refusals.money import FEES_NOT_CONFIRMED
from tournament.runtime.errors import Refused
from tournament.runtime.revisions import revision_of
from tournament.web.sentences import refusal_sentence


def save_fees(
    form: BaseForm, confirmed: str, save: Callable[[str], object], preview: Callable[[], FeeChange]
) -> FeeChange | None:
    """Saves the fees, or returns the change that must be confirmed first. A refusal becomes an error of the form.

    `confirmed`: the digest that was sent with the form; empty if nothing was shown yet.
    """
    try:
        save(confirmed)
    except (Refused, RuleBroken) as refusal:
        is_unconfirmed = isinstance(refusal, Refused) and refusal.code == FEES_NOT_CONFIRMED.code
        if confirmed or not is_unconfirmed:
            form.add_error(None, refusal_sentence(refusal))
        return preview() if is_unconfirmed else None
    return None


def revision_for_form(request: HttpRequest, stored: Mapping[str, Any], *, is_saved: bool) -> str:
    """The revision for the next save: of what is stored, or while nothing was saved of what the form was made from.

    `stored` is from before the save, so that a change beside it is never taken for the revision that was shown.
    """
    if request.method == "POST" and not is_saved:
        return request.POST.get("revision", "")
    return revision_of(stored)
