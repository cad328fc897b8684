"""The public page of a draw: its hashes, the repeated draw compared with it, and how to check it yourself."""

from pathlib import Path

from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.text import slugify
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournament.access import permissions
from tournament.live.channels import event_channel
from tournament.queries.draws.proofs import draw_proofs, released_document
from tournament.web.conditional import vary_by_channels
from tournament.web.downloads import json_attachment
from tournament.web.error_pages import render_refusals
from tournament.web.request import actor_of

SCRIPT = Path(__file__).resolve().parents[3] / "docs" / "verify_draw.py"


@require_safe
@never_cache
@render_refusals
def draw_proof(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    drawn = permissions.tournament_for(actor_of(request), event, tournament)
    context = {
        "event": drawn.event,
        "tournament": drawn,
        "proofs": draw_proofs(drawn),
        "current_tab": "draw",
    }
    with timezone.override(drawn.event.time_zone):
        return vary_by_channels(
            render(request, "public/draw_proof.html", context), [event_channel(drawn.event_id)]
        )


@require_safe
@render_refusals
def draw_document(request: HttpRequest, event: str, tournament: str, number: int) -> HttpResponse:
    """The document as a JSON file with line breaks."""
    drawn = permissions.tournament_for(actor_of(request), event, tournament)
    document = released_document(drawn, number)
    name = slugify(f"{drawn.event.slug} {drawn.slug} draw {number}")
    return vary_by_channels(json_attachment(document, name), [event_channel(drawn.event_id)])


@require_safe
def verify_script(request: HttpRequest) -> HttpResponseBase:  # noqa: ARG001
    """The script that repeats a published draw without this program."""
    return FileResponse(
        SCRIPT.open("rb"), as_attachment=True, filename=SCRIPT.name, content_type="text/x-python"
    )
