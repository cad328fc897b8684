"""An entry list from a paste or a file: first what it would do, then exactly that or nothing.

Between the two steps the list itself travels in the page, sealed: nothing is kept on the server that could be
forgotten there, and what comes back is what was sent out.
"""

import base64
import zlib

from django.contrib import messages
from django.core.signing import BadSignature, Signer
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext

from tournament import importing
from tournament.access import Capability
from tournament.entrylist import read
from tournament.errors import Refused
from tournament.importing import ImportDone
from tournament.pages.director.doing import NO, accepted, page, why
from tournament.pages.director.forms.entry import ListForm
from tournament.pages.director.listed import in_words
from tournament.pages.director.place import TournamentPlace, at_tournament

SEAL = Signer(salt="an entry list between its preview and its import")


@page("GET", "POST")
def entries_import(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    """GET asks for a list; POST with a list previews it, POST with a previewed list imports it."""
    place = at_tournament(request, event, tournament, Capability.DIRECT)
    if request.method == "POST" and "sealed" in request.POST:
        return _import(request, place)
    form = ListForm(request.POST or None, request.FILES or None)
    if request.method == "POST":
        previewed = accepted(form, lambda: _previewed(place, *form.list_given()))
        if previewed is not None:
            return place.shown(request, "import_preview.html", "entries", **previewed.value)
    return place.shown(request, "import.html", "entries", form=form)


def seal(data: bytes, name: str) -> str:
    """The list as text for a hidden field."""
    packed = base64.urlsafe_b64encode(zlib.compress(data)).decode()
    return SEAL.sign(f"{base64.urlsafe_b64encode(name.encode()).decode()}.{packed}")


def unseal(sealed: str) -> tuple[bytes, str]:
    """The list and its file's name; raises Refused for anything that this server did not seal."""
    try:
        name, _dot, packed = SEAL.unsign(sealed).partition(".")
    except BadSignature:
        raise Refused("seal-broken", "The list was damaged on its way. Choose it once more.") from None
    return zlib.decompress(base64.urlsafe_b64decode(packed)), base64.urlsafe_b64decode(name).decode()


def _previewed(place: TournamentPlace, data: bytes, name: str) -> dict[str, object]:
    """What the preview's page shows. Raises Refused when nothing can be read, or nothing may be imported."""
    listing = read(data, name)
    if listing.refusal is not None:
        said = listing.refusal
        raise Refused(said.code, said.template, **said.params)
    preview = importing.preview(place.tournament, listing)
    return {
        "preview": preview,
        "added": [in_words(item) for item in preview.added],
        "changed": [in_words(item) for item in preview.changed],
        "troubles": [
            (trouble, gettext(trouble.template).format(**trouble.params)) for trouble in preview.troubles
        ],
        "columns": listing.columns.values(),
        "sealed": seal(data, name),
    }


def _import(request: HttpRequest, place: TournamentPlace) -> HttpResponse:
    """A list that cannot be imported as previewed is previewed anew, with the reason."""
    try:
        data, name = unseal(request.POST["sealed"])
        done = importing.apply(
            place.tournament.pk, read(data, name), request.POST.get("digest", ""), place.actor
        )
    except NO as no:
        messages.error(request, why(no))
        return _previewed_again(request, place)
    messages.success(request, _in_words(done))
    return redirect("entries", *place.slugs)


def _previewed_again(request: HttpRequest, place: TournamentPlace) -> HttpResponse:
    try:
        again = _previewed(place, *unseal(request.POST["sealed"]))
    except NO:
        return redirect("entries-import", *place.slugs)
    return place.shown(request, "import_preview.html", "entries", **again)


def _in_words(done: ImportDone) -> str:
    said = gettext("The list is taken in: {added} added, {changed} changed, {unchanged} as they were.")
    return said.format(added=done.added, changed=done.changed, unchanged=done.unchanged)
