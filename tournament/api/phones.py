"""Lists, approves and revokes personal links over the API. `entries` creates links."""

import uuid
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from tournament.access import permissions
from tournament.access.permissions import Capability
from tournament.accounts import links
from tournament.api.describing import describes, describes_list, word_parameter
from tournament.api.phone_serializers import PersonalLinkDocument
from tournament.api.views import ApiView
from tournament.models import PersonalLink
from tournament.queries.entries.entry_list import links_of_tournament
from tournament.runtime.errors import NotFound

ACTIONS = {"approve": links.approve, "revoke": links.revoke}
ACTION = word_parameter("action", ACTIONS)


class PhonesView(ApiView):
    @describes_list("list_phones", PersonalLinkDocument)
    def get(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Returns the personal links of the entries, oldest first. A link neither approved nor revoked is waiting."""
        tournament = permissions.tournament_by_id(self.actor, tournament_id, Capability.DESK)
        return self.page(links_of_tournament(tournament), link_json, ("made_at", "pk"))


class PhoneActionView(ApiView):
    @describes("let_phone_in_or_out", {204: None}, request=None, parameters=[ACTION])
    def post(self, request: Request, link_id: int, action: str) -> Response:  # noqa: ARG002
        """approve: lets a waiting phone in. revoke: revokes its link at once."""
        work = ACTIONS.get(action)
        if work is None:
            raise NotFound
        work(permissions.link_for_desk(self.actor, link_id), self.actor)
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
