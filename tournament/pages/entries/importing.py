"""Imports an entry list from pasted text or a file, in two steps: a preview, then exactly the previewed changes.

Between the steps the page carries the list in a signed hidden field. The server stores nothing and rejects a list
that was changed on the way.
"""

import base64
import zlib
from collections.abc import Iterable

from django.contrib import messages
from django.core.signing import BadSignature, Signer
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext

from matches.refusals import Refusal
from rules.problem import RuleBroken
from tournament.access.permissions import Capability
from tournament.entries import importing
from tournament.entries.importing import ImportCounts
from tournament.entries.lists import read_list
from tournament.pages.director.actions import page, submit
from tournament.pages.director.context import TournamentContext, tournament_context
from tournament.pages.entries.changes import listed_player
from tournament.pages.entries.forms import ListForm
from tournament.refusals.entries import LIST_DAMAGED
from tournament.runtime.errors import Refused
from tournament.web.one_at_a_time import Work, one_at_a_time
from tournament.web.sentences import refusal_sentence

SEAL = Signer(salt="an entry list between its preview and its import")


@page("GET", "POST")
def entries_import(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    """GET shows the form; POST previews a list, imports a previewed list, or opens the form with it again."""
    context = tournament_context(request, event, tournament, Capability.DIRECT)
    if "change" in request.POST:
        return context.render(
            request, "import.html", "entries", form=_restored_form(request.POST.get("sealed", ""))
        )
    if "sealed" in request.POST:
        return _import(request, context)
    form = ListForm(request.POST or None, request.FILES or None)
    if request.method == "POST":
        previewed = submit(form, lambda: _preview_variables(context, *form.list_content()))
        if previewed is not None:
            return context.render(request, "import_preview.html", "entries", **previewed.value)
    return context.render(request, "import.html", "entries", form=form)


def _restored_form(sealed: str) -> ListForm:
    """Returns the form with the pasted list. A file must be chosen again, because browsers never fill in a file."""
    try:
        data, name = unseal(sealed)
    except Refused:
        return ListForm()
    return ListForm(initial={} if name else {"text": data.decode("utf-8", "replace")})


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


def _preview_variables(context: TournamentContext, data: bytes, name: str) -> dict[str, object]:
    """Returns the variables of the preview page. Raises Refused if the list cannot be read or imported."""
    with one_at_a_time(context.actor, Work.IMPORT):
        listing = read_list(data, name)
        if listing.refusal is not None:
            refusal = listing.refusal
            raise Refused(Refusal(refusal.code, refusal.template), **refusal.params)
        preview = importing.preview(context.tournament, listing)
    return {
        "preview": preview,
        "added": [listed_player(item) for item in preview.added],
        "changed": [listed_player(item) for item in preview.changed],
        "troubles": [(trouble, refusal_sentence(trouble)) for trouble in preview.troubles],
        "columns": listing.columns.values(),
        "sealed": seal(data, name),
    }


def _import(request: HttpRequest, context: TournamentContext) -> HttpResponse:
    """Imports a previewed list. After a refusal shows the reason and a new preview."""
    try:
        data, name = unseal(request.POST["sealed"])
        with one_at_a_time(context.actor, Work.IMPORT):
            counts = importing.apply(
                context.tournament.pk,
                read_list(data, name),
                request.POST.get("digest", ""),
                context.actor,
                other_people=_numbers(request.POST.getlist("other_person")),
            )
    except (Refused, RuleBroken) as error:
        messages.error(request, refusal_sentence(error))
        return _render_preview_again(request, context)
    messages.success(request, _success_text(counts))
    return redirect("entries", *context.slugs)


def _numbers(values: Iterable[str]) -> set[int]:
    return {int(value) for value in values if value.isdecimal()}


def _render_preview_again(request: HttpRequest, context: TournamentContext) -> HttpResponse:
    try:
        variables = _preview_variables(context, *unseal(request.POST["sealed"]))
    except (Refused, RuleBroken):
        return redirect("entries-import", *context.slugs)
    return context.render(request, "import_preview.html", "entries", **variables)


def _success_text(counts: ImportCounts) -> str:
    text = gettext("List imported: {added} added, {changed} changed, {unchanged} unchanged.")
    return text.format(added=counts.added, changed=counts.changed, unchanged=counts.unchanged)
