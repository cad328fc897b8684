"""One's own account over the API: tokens for programs, and what a player's phone is for."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from tournament import access, links
from tournament.api import documents as said
from tournament.api.authentication import actors_of
from tournament.api.bodies import TokenBody
from tournament.api.describing import describes, lists
from tournament.api.door import Door
from tournament.errors import Denied, NotFound
from tournament.models import ApiToken, Pairing


class TokensDoor(Door):
    @lists("list_tokens", said.TokenDocument)
    def get(self, request: Request) -> Response:  # noqa: ARG002
        """One's own tokens, without the secret part."""
        user = access.require_user(self.actor)
        return self.page(ApiToken.objects.filter(user=user), token_told, ("made_at", "pk"))

    @describes("make_token", {201: said.NewTokenDocument}, request=TokenBody)
    def post(self, request: Request) -> Response:  # noqa: ARG002
        """Makes a token; it is told once."""
        user = access.require_user(self.actor)
        return Response({"token": links.make_api_token(user, self.read(TokenBody)["name"])}, status=201)


class TokenDoor(Door):
    @describes("revoke_token", {204: None})
    def delete(self, request: Request, token_id: int) -> Response:  # noqa: ARG002
        """Revokes a token, at once."""
        user = access.require_user(self.actor)
        token = ApiToken.objects.filter(pk=token_id, user=user).first()
        if token is None:
            raise NotFound
        links.revoke_api_token(token)
        return Response(status=204)


class MeDoor(Door):
    @describes("show_phone", {200: said.PhoneDocument(many=True)})
    def get(self, request: Request) -> Response:
        """What a phone is for: each entry it carries, with the match to be played now."""
        players = [actor for actor in actors_of(request) if actor.entry is not None]
        if not players:
            raise Denied(is_known=self.actor.user is not None)
        return Response([phone_told(actor.entry) for actor in players if actor.entry])


def phone_told(entry: Any) -> dict[str, Any]:
    seated = Pairing.objects.filter(settled="", match__isnull=False).select_related("match", "round")
    playing = seated.filter(left=entry).first() or seated.filter(right=entry).first()
    match = playing.match if playing else None
    return {
        "entry": entry.pk,
        "name": entry.name,
        "tournament": entry.tournament_id,
        "match": match.pk if match else None,
        "side": match.side_of(entry.pk) if match else None,
        "length": match.length if match else None,
        "state": match.state if match else None,
        "round": playing.round.number if playing else None,
    }


def token_told(token: ApiToken) -> dict[str, Any]:
    return {"id": token.pk, "name": token.label, "made_at": token.made_at, "revoked_at": token.revoked_at}
