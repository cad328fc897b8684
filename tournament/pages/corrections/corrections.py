"""Pages of corrections: preview a correction with its consequences, make it, undo it.

The preview uses GET, so that the director can go back and try another choice.
"""

import uuid
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from rules.problem import RuleBroken
from tournament import corrections
from tournament.access.permissions import Capability
from tournament.corrections import Preview, PreviewChanged
from tournament.models import Pairing
from tournament.pages.corrections.forms import (
    ChangeForm,
    CorrectForm,
    initial_values,
    kept_pairings,
    proposed_reason,
    shows_values,
    swapped_values,
    with_played_score,
)
from tournament.pages.director.actions import page, run, submit
from tournament.pages.director.context import TournamentContext, tournament_context
from tournament.pages.director.pairing import names_in, pairing_in
from tournament.queries.brackets.bracket_context import match_number
from tournament.queries.corrections.money_changes import agreed_again, agreement_lost, money_changes
from tournament.queries.corrections.preview import find_correction, load_correction_page
from tournament.results import posting
from tournament.runtime.errors import NotFound, Refused
from tournament.web.sentences import refusal_sentence


@page("GET", "POST")
def desk_correct(request: HttpRequest, event: str, tournament: str, pairing: int) -> HttpResponse:
    """GET shows the form or the preview; POST makes the previewed correction."""
    context = tournament_context(request, event, tournament, Capability.DIRECT)
    current_pairing = pairing_in(context, pairing)
    if request.method == "POST":
        return _correct(request, context, current_pairing)
    if "outcome" not in request.GET:
        posting.require_current_result(current_pairing.pk)
        return _render(request, context, current_pairing, _change_form(current_pairing))
    return _render_preview(request, context, current_pairing, request.GET)


@page("POST")
def correction_undo(request: HttpRequest, event: str, tournament: str, correction: uuid.UUID) -> HttpResponse:
    """Undoes a correction, unless something newer depends on it."""
    context = tournament_context(request, event, tournament, Capability.DIRECT)
    correction_row = find_correction(context.tournament, correction)
    if correction_row is None:
        raise NotFound
    run(request, lambda: corrections.undo(correction_row.pk, context.actor), _("Correction undone."))
    return redirect(reverse("desk-match", args=[*context.slugs, correction_row.pairing_id]))


def _change_form(pairing: Pairing, sent: QueryDict | None = None) -> ChangeForm:
    result = posting.find_current_result(pairing.pk)
    initial = initial_values(result) if result else {}
    if sent is not None:
        sent = with_played_score(sent, initial)
    return ChangeForm(sent, pairing=pairing, names=names_in(pairing), initial=initial)


def _render_preview(
    request: HttpRequest, context: TournamentContext, pairing: Pairing, sent: QueryDict, **more: Any
) -> HttpResponse:
    form = _change_form(pairing, sent)
    if not form.is_valid():
        return _render(request, context, pairing, form, **more)
    try:
        preview = corrections.preview(pairing.pk, form.change(), kept_pairings(sent.getlist("keep")))
    except (Refused, RuleBroken) as refusal:
        form.add_error(None, refusal_sentence(refusal))
        return _render(request, context, pairing, form, **more)
    return _render(request, context, pairing, form, preview=preview, **more)


def _correct(request: HttpRequest, context: TournamentContext, pairing: Pairing) -> HttpResponse:
    form = _change_form(pairing, request.POST)
    confirm = CorrectForm(request.POST)
    if not form.is_valid() or not confirm.is_valid():
        return _render_preview(request, context, pairing, request.POST, confirm=confirm)
    keep = kept_pairings(request.POST.getlist("keep"))
    values = confirm.cleaned_data
    try:
        work = submit(
            confirm,
            lambda: corrections.correct(
                corrections.preview(pairing.pk, form.change(), keep),
                values["digest"],
                values["reason"],
                context.actor,
            ),
        )
    except PreviewChanged as changed:
        confirm.add_error(None, refusal_sentence(changed))
        return _render(request, context, pairing, form, preview=changed.preview, confirm=confirm)
    if work is None:
        return _render_preview(request, context, pairing, request.POST, confirm=confirm)
    undo = reverse("correction-undo", args=[*context.slugs, work.value.pk])
    messages.success(request, _("Result corrected, with everything that follows."), extra_tags=undo)
    return redirect(reverse("desk-match", args=[*context.slugs, pairing.pk]))


def _render(
    request: HttpRequest,
    context: TournamentContext,
    pairing: Pairing,
    form: ChangeForm,
    *,
    preview: Preview | None = None,
    confirm: CorrectForm | None = None,
) -> HttpResponse:
    form_with_errors = confirm if confirm is not None and confirm.errors else form
    result = posting.find_current_result(pairing.pk)
    swapped = swapped_values(initial_values(result)) if result else {}
    more: dict[str, Any] = {
        "change_form": form,
        "pairing": pairing,
        "number": match_number(pairing),
        "names": names_in(pairing),
        "swapped": {} if shows_values(form, swapped) else swapped,
        "swap_query": urlencode(swapped),
    }
    if preview is not None:
        sent_values = {name: form.data.get(name, "") for name in form.fields}
        again = confirm or CorrectForm(
            initial={"reason": proposed_reason(result, form.change()) if result else ""}
        )
        more |= {
            "correction_page": load_correction_page(preview),
            "money_changes": money_changes(preview) if context.permissions.money else (),
            "agreed": agreed_again(preview) if context.permissions.money else None,
            "agreement_lost": agreement_lost(preview),
            "digest": preview.digest,
            "keep": preview.keep,
            "sent_values": sent_values,
            "sent_query": urlencode(sent_values),
            "confirm": again,
        }
    return context.render(request, "desk_correct.html", "desk", form=form_with_errors, **more)
