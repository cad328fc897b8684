"""A photo of a dispute, for the desk and for the two players' phones; nobody else, and kept by no browser."""

import uuid

from csp.constants import NONE
from csp.decorators import csp
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournament.access import photo_permissions
from tournament.access.actors import STRANGER, Actor
from tournament.web.downloads import photo_response
from tournament.web.refusals import render_refusals
from tournament.web.request import players_of


@never_cache
@require_safe
@csp({"default-src": [NONE], "sandbox": True})  # type: ignore[arg-type]  # it is typed for no arguments
@render_refusals
def evidence(request: HttpRequest, evidence: uuid.UUID) -> HttpResponse:
    users = [Actor(user=request.user)] if isinstance(request.user, User) else []
    return photo_response(
        photo_permissions.evidence_for([*players_of(request), *users] or [STRANGER], evidence)
    )
