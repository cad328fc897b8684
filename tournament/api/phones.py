"""Lists, approves and revokes personal links over the API. `entries` creates links."""

import uuid
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from tournament.access import permissions
from tournament.access.permissions import Capability
from tournament.accounts import links
from tournament.api.describing import describes, describes_list, word_parameter
from tournament.api.response_serializers import PersonalLinkDocument
from tournament.api.views import ApiView
from tournament.models import PersonalLink
from tournament.runtime.errors import NotFound

ACTIONS = {"approve": links.approve, "revoke": links.revoke}
ACTION = word_parameter("action", ACTIONS)


class PhonesView(ApiView):
    @describes_list("list_phones", PersonalLinkDocument)
    def get(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Returns the personal links of the entries, oldest first. A link neither approved nor revoked is waiting."""
        tournament = permissions.tournament_by_id(self.actor, tournament_id, Capability.DESK)
        phones = PersonalLink.objects.filter(entry__tournament=tournament).select_related("entry__player")
        return self.page(phones, link_json, ("made_at", "pk"))


class PhoneActionView(ApiView):
    @describes("let_phone_in_or_out", {204: None}, request=None, parameters=[ACTION])
    def post(self, request: Request, link_id: int, action: str) -> Response:  # noqa: ARG002
        """approve: lets a waiting phone in. revoke: revokes its link at once."""
        work = ACTIONS.get(action)
        link = PersonalLink.objects.select_related("entry__tournament__event").filter(pk=link_id).first()
        if work is None or link is None:
            raise NotFound
        permissions.require(self.actor, link.entry.tournament.event, Capability.DESK)
        work(link, self.actor)
        return Response(status=204)


def link_json(link: PersonalLink) -> dict[str, Any]:
    return {
        "id": link.pk,
        "entry": link.entry_id,
        "name": link.entry.name,
        "made_at": link.made_at,
        "approved_at": link.approved_at,
        "revoked_at": link.revoked_at,
    }
