"""Imports an entry list from pasted text or a file, in two steps: a preview, then exactly the previewed changes.

Between the steps the page carries the list in a signed hidden field. The server stores nothing and rejects a list
that was changed on the way.
"""

import base64
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.contrib import messages
from django.core.signing import BadSignature, Signer
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import get_language, gettext, ngettext

from matches.refusals import Refusal
from rules.problem import RuleBroken
from tournament.access.actors import Actor
from tournament.access.permissions import Capability
from tournament.entries import importing
from tournament.entries.importing import ImportCounts
from tournament.entries.lists import Listing, list_text, read_list, remarks
from tournament.entries.lists.comparison import Preview
from tournament.entries.lists.listing import PoolNames
from tournament.fees.amounts import Amount, format_amount, sum_by_currency
from tournament.ledger.labels import METHOD_LABELS
from tournament.models import PAYMENT_METHODS, AccountKind, Tournament
from tournament.money import advance_payments
from tournament.money.advance_payments import ImportedList, PaymentOptions
from tournament.pages.director.actions import page, submit
from tournament.pages.director.context import tournament_context
from tournament.pages.entries.changes import listed_player
from tournament.pages.entries.forms import ListForm
from tournament.pages.entries.import_review import Review, columns_panel, person_questions
from tournament.refusals.entries import LIST_DAMAGED
from tournament.runtime.errors import Refused
from tournament.web.one_at_a_time import Work, one_at_a_time
from tournament.web.sentences import refusal_sentence

SEAL = Signer(salt="an entry list between its preview and its import")
ASKED_ELSEWHERE = {
    remark.code
    for remark in (
        remarks.ALSO_ELSEWHERE,
        remarks.NO_HEADINGS,
        remarks.PAID_ABOVE_DEBT,
        remarks.READ_AS_CLUB,
        remarks.READ_AS_COUNTRY,
        remarks.READ_AS_RATING,
        remarks.UNCLEAR,
    )
}
"""Remarks that the page shows as a question instead."""


@dataclass(frozen=True, slots=True)
class ListImport:
    """An import into a tournament or into a new event. `address` is the page with the form.

    `render` takes the request, the name of a template and its variables. `pools` are the
    side pools of the tournament. `currency`: that of payments in advance; empty if the list may name none.
    """

    actor: Actor
    address: str
    render: Callable[..., HttpResponse]
    preview: Callable[[Listing, Review], Preview]
    apply: Callable[[Listing, str, Review], tuple[Tournament, ImportCounts]]
    pools: PoolNames = field(default_factory=dict)
    currency: str = ""


@page("GET", "POST")
def entries_import(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    context = tournament_context(request, event, tournament, Capability.DIRECT)

    def render(request: HttpRequest, template: str, **variables: Any) -> HttpResponse:
        return context.render(request, template, "entries", **variables)

    def preview(listing: Listing, review: Review) -> Preview:
        answers, above_debt = review.answers, review.above_debt
        return advance_payments.preview(context.tournament, listing, answers, above_debt=above_debt)

    def apply(listing: Listing, digest: str, review: Review) -> tuple[Tournament, ImportCounts]:
        row, options = context.tournament, PaymentOptions(_method_of(request), review.above_debt)
        done = advance_payments.apply(row.pk, listing, digest, context.actor, review.answers, options)
        if done.payments:
            messages.success(request, _payments_text(done))
        return row, done.counts

    address = reverse("entries-import", args=context.slugs)
    pools = importing.pool_names(context.tournament)
    currency = advance_payments.payment_currency(context.tournament) if context.permissions.money else ""
    return run_import(request, ListImport(context.actor, address, render, preview, apply, pools, currency))


def _method_of(request: HttpRequest) -> AccountKind:
    """The way in which the payments of the list were made."""
    sent = request.POST.get("method", "")
    return AccountKind(sent) if sent in PAYMENT_METHODS else AccountKind.BANK


def _payments_text(done: ImportedList) -> str:
    count = len(done.payments)
    paid = ngettext(
        "{count} payment recorded: {amount}.", "{count} payments recorded: {amount} together.", count
    ).format(count=count, amount=_together(done.payments))
    if not done.overpaid:
        return paid
    overpaid = ngettext(
        "{count} of these players has now paid more than the price. Check the cash desk.",
        "{count} of these players have now paid more than the price. Check the cash desk.",
        done.overpaid,
    )
    return f"{paid} {overpaid.format(count=done.overpaid)}"


def _together(payments: Sequence[Amount]) -> str:
    (amount,) = sum_by_currency(payments)
    return format_amount(amount, get_language() or "en")


def run_import(request: HttpRequest, target: ListImport) -> HttpResponse:
    """GET shows the form; POST previews a list, imports a previewed list, or opens the form with it again."""
    if "change" in request.POST:
        form = _restored_form(request.POST.get("sealed", ""))
        return target.render(request, "import.html", form=form)
    if "sealed" in request.POST:
        return _review(request, target)
    form = ListForm(request.POST or None, request.FILES or None)
    if form.is_valid():
        data, name = form.list_content()
        previewed = submit(form, lambda: _preview_variables(target, data, name, Review()))
        if previewed is not None:
            return target.render(request, "import_preview.html", **previewed.value)
        if name:
            form.show_text(list_text(data))
    return target.render(request, "import.html", form=form)


def _restored_form(sealed: str) -> ListForm:
    """Returns the form with the list as text, also if it came from a file."""
    try:
        data, _name = unseal(sealed)
    except Refused:
        return ListForm()
    return ListForm(initial={"text": list_text(data)})


def seal(data: bytes, name: str) -> str:
    """Returns the list as signed text for a hidden field."""
    packed = base64.urlsafe_b64encode(zlib.compress(data)).decode()
    return SEAL.sign(f"{base64.urlsafe_b64encode(name.encode()).decode()}.{packed}")


def unseal(sealed: str) -> tuple[bytes, str]:
    """Returns the list and the name of its file. Raises Refused for text that this server did not sign."""
    try:
        name, _dot, packed = SEAL.unsign(sealed).partition(".")
    except BadSignature:
        raise Refused(LIST_DAMAGED) from None
    return zlib.decompress(base64.urlsafe_b64decode(packed)), base64.urlsafe_b64decode(name).decode()


def _preview_variables(
    target: ListImport, data: bytes, name: str, review: Review, method: AccountKind = AccountKind.BANK
) -> dict[str, object]:
    """Returns the variables of the preview page. Raises Refused if the list cannot be read or imported."""
    with one_at_a_time(target.actor, Work.IMPORT):
        listing = read_list(data, name, review.choices, target.pools, target.currency)
        if listing.refusal is not None:
            refusal = listing.refusal
            raise Refused(Refusal(refusal.code, refusal.template), **refusal.params)
        preview = target.preview(listing, review)
    questions = person_questions(preview)
    payments = [item.payment for item in (*preview.added, *preview.changed) if item.payment]
    return {
        "preview": preview,
        "added": [listed_player(item, target.pools) for item in preview.added],
        "changed": [listed_player(item, target.pools) for item in preview.changed],
        "import_label": _import_label(len(preview.added), len(preview.changed)),
        "troubles": [
            (trouble, refusal_sentence(trouble))
            for trouble in preview.troubles
            if trouble.code not in ASKED_ELSEWHERE
        ],
        "panel": columns_panel(listing, review),
        "questions": [question for question in questions if question.changes_something],
        "known_people": [question for question in questions if not question.changes_something],
        "payment_count": len(payments),
        "left_out_payments": [
            refusal_sentence(trouble)
            for trouble in preview.troubles
            if trouble.code == remarks.PAID_ABOVE_DEBT.code
        ],
        "above_debt": review.above_debt,
        "paid": _together(payments) if payments else "",
        "methods": METHOD_LABELS.items(),
        "method": method,
        "sealed": seal(data, name),
        "address": target.address,
    }


def _import_label(added: int, changed: int) -> str:
    if changed:
        text = gettext("Import: {added} new, {changed} changed")
    else:
        text = ngettext("Import {added} player", "Import {added} players", added)
    return text.format(added=added, changed=changed)


def _review(request: HttpRequest, target: ListImport) -> HttpResponse:
    """Imports a previewed list, or renews the preview with the answers. After a refusal shows the reason."""
    review = Review.of(request.POST.dict())
    if "renew" in request.POST:
        return _render_preview_again(request, target, review)
    if review.has_new_columns:
        messages.info(
            request, gettext("The columns changed, so nothing was imported yet. Check the new preview.")
        )
        return _render_preview_again(request, target, review)
    try:
        data, name = unseal(request.POST["sealed"])
        with one_at_a_time(target.actor, Work.IMPORT):
            listing = read_list(data, name, review.choices, target.pools, target.currency)
            tournament, counts = target.apply(listing, request.POST.get("digest", ""), review)
    except (Refused, RuleBroken) as error:
        messages.error(request, refusal_sentence(error))
        return _render_preview_again(request, target, review)
    messages.success(request, _success_text(counts))
    return redirect("entries", tournament.event.slug, tournament.slug)


def _render_preview_again(request: HttpRequest, target: ListImport, review: Review) -> HttpResponse:
    """Falls back to the list as read without choices, then to the form."""
    for choices in (review.choices, None) if review.choices else (None,):
        try:
            data, name = unseal(request.POST["sealed"])
            shown = replace(review, choices=choices)
            variables = _preview_variables(target, data, name, shown, _method_of(request))
        except (Refused, RuleBroken) as error:
            if choices is not None:
                messages.error(request, refusal_sentence(error))
        else:
            return target.render(request, "import_preview.html", **variables)
    return redirect(target.address)


def _success_text(counts: ImportCounts) -> str:
    text = gettext("List imported: {added} added, {changed} changed, {unchanged} unchanged.")
    return text.format(added=counts.added, changed=counts.changed, unchanged=counts.unchanged)
