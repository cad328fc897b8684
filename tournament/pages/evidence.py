"""A photo of a dispute, for the desk and for the two players' phones; nobody else, and kept by no browser."""

import uuid

from csp.constants import NONE
from csp.decorators import csp
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournament import witnesses
from tournament.actors import STRANGER, Actor
from tournament.models import Evidence
from tournament.pages.answers import answering
from tournament.pages.request import players_of


@never_cache
@require_safe
@csp({"default-src": [NONE], "sandbox": True})  # type: ignore[arg-type]  # it is typed for no arguments
@answering
def evidence(request: HttpRequest, evidence: uuid.UUID) -> HttpResponse:
    users = [Actor(user=request.user)] if isinstance(request.user, User) else []
    return photo_of(witnesses.evidence_for([*players_of(request), *users] or [STRANGER], evidence))


def photo_of(found: Evidence) -> HttpResponse:
    headers = {
        "X-Content-Type-Options": "nosniff",
        "Content-Disposition": f'inline; filename="{found.pk}.jpg"',
    }
    return HttpResponse(bytes(found.photo), content_type="image/jpeg", headers=headers)
