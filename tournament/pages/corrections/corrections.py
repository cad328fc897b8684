"""A posted result corrected with all that follows: the preview, and making it happen as previewed.

The preview is asked for with GET, so that going back and trying another choice costs nothing.
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
from tournament.models import Correction, Pairing
from tournament.pages.corrections.forms import ChangeForm, CorrectForm, as_it_stands, kept
from tournament.pages.director.actions import page, refusal_text, run, submit
from tournament.pages.director.context import TournamentContext, tournament_context
from tournament.pages.director.pairing import names_in, pairing_in
from tournament.queries.corrections.preview import load_correction_page
from tournament.results import posting
from tournament.runtime.errors import NotFound, Refused


@page("GET", "POST")
def desk_correct(request: HttpRequest, event: str, tournament: str, pairing: int) -> HttpResponse:
    """GET asks and previews; POST makes the correction that was previewed."""
    context = tournament_context(request, event, tournament, Capability.DIRECT)
    found = pairing_in(context, pairing)
    if request.method == "POST":
        return _correct(request, context, found)
    if "outcome" not in request.GET:
        standing = as_it_stands(posting.require_current_result(found.pk))
        form = ChangeForm(pairing=found, names=names_in(found), initial=standing)
        return _shown(request, context, found, form)
    return _previewed(request, context, found, request.GET)


@page("POST")
def correction_undo(request: HttpRequest, event: str, tournament: str, correction: uuid.UUID) -> HttpResponse:
    """Takes a correction back, while nothing newer depends on it."""
    context = tournament_context(request, event, tournament, Capability.DIRECT)
    made = Correction.objects.filter(pk=correction, tournament=context.tournament).first()
    if made is None:
        raise NotFound
    run(request, lambda: corrections.undo(made.pk, context.actor), _("The correction is undone."))
    return redirect(reverse("desk-match", args=[*context.slugs, made.pairing_id]))


def _previewed(
    request: HttpRequest, context: TournamentContext, pairing: Pairing, asked: QueryDict, **more: Any
) -> HttpResponse:
    form = ChangeForm(asked, pairing=pairing, names=names_in(pairing))
    if not form.is_valid():
        return _shown(request, context, pairing, form, **more)
    try:
        preview = corrections.preview(pairing.pk, form.change(), kept(asked.getlist("keep")))
    except (Refused, RuleBroken) as no:
        form.add_error(None, refusal_text(no))
        return _shown(request, context, pairing, form, **more)
    return _shown(request, context, pairing, form, preview=preview, **more)


def _correct(request: HttpRequest, context: TournamentContext, pairing: Pairing) -> HttpResponse:
    form = ChangeForm(request.POST, pairing=pairing, names=names_in(pairing))
    confirm = CorrectForm(request.POST)
    if not form.is_valid() or not confirm.is_valid():
        return _previewed(request, context, pairing, request.POST, confirm=confirm)
    keep = kept(request.POST.getlist("keep"))
    said = confirm.cleaned_data
    try:
        work = submit(
            confirm,
            lambda: corrections.correct(
                corrections.preview(pairing.pk, form.change(), keep),
                said["digest"],
                said["reason"],
                context.actor,
            ),
        )
    except PreviewChanged as changed:
        confirm.add_error(None, refusal_text(changed))
        return _shown(request, context, pairing, form, preview=changed.preview, confirm=confirm)
    if work is None:
        return _previewed(request, context, pairing, request.POST, confirm=confirm)
    messages.success(request, _("Corrected, with everything that follows. You can undo it below."))
    return redirect(reverse("desk-match", args=[*context.slugs, pairing.pk]))


def _shown(
    request: HttpRequest,
    context: TournamentContext,
    pairing: Pairing,
    form: ChangeForm,
    *,
    preview: Preview | None = None,
    confirm: CorrectForm | None = None,
) -> HttpResponse:
    wrong = confirm if confirm is not None and confirm.errors else form
    more: dict[str, Any] = {"change_form": form, "pairing": pairing, "names": names_in(pairing)}
    if preview is not None:
        asked = {name: form.data.get(name, "") for name in form.fields}
        again = confirm or CorrectForm()
        more |= {
            "shown": load_correction_page(preview),
            "digest": preview.digest,
            "keep": preview.keep,
            "asked": asked,
            "asked_query": urlencode(asked),
            "confirm": again,
        }
    return context.render(request, "desk_correct.html", "desk", form=wrong, **more)
