"""API views of the own account: tokens, invitations, and the players of a phone."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from tournament.access import account_permissions, permissions
from tournament.access.actors import Actor
from tournament.access.phone_players import open_pairing_of
from tournament.accounts import links, roles
from tournament.accounts.links import TokenPlan
from tournament.api.account_serializers import InvitationDocument, NewTokenDocument, TokenBody, TokenDocument
from tournament.api.authentication import actors_of
from tournament.api.describing import describes, describes_list
from tournament.api.phone_serializers import PhoneDocument
from tournament.api.views import ApiView
from tournament.models import ApiToken, Entry, Invitation
from tournament.queries.accounts.activity import invitations_of
from tournament.queries.accounts.tokens import token_of, tokens_of
from tournament.runtime.errors import Denied
from tournament.web import recent_sign_in


class TokensView(ApiView):
    @describes_list("list_tokens", TokenDocument)
    def get(self, request: Request) -> Response:  # noqa: ARG002
        """Returns your tokens without their secret part."""
        user = permissions.require_user(self.actor)
        return self.page(tokens_of(user), token_json, ("made_at", "pk"))

    @describes("make_token", {201: NewTokenDocument}, request=TokenBody)
    def post(self, request: Request) -> Response:
        """Creates a token and shows it once. Requires a browser session with a recent sign-in; a token is refused."""
        user = permissions.require_user(self.actor)
        _require_recent_sign_in(self.actor, request)
        body = self.read(TokenBody)
        event = permissions.event_for(self.actor, body["event"]) if body["event"] else None
        plan = TokenPlan(body["scope"], body["days"], event)
        return Response({"token": links.make_api_token(user, body["name"], plan)}, status=201)


class TokenView(ApiView):
    @describes("revoke_token", {204: None})
    def delete(self, request: Request, token_id: int) -> Response:  # noqa: ARG002
        """Revokes a token at once."""
        user = permissions.require_user(self.actor)
        links.revoke_api_token(token_of(user.pk, token_id))
        return Response(status=204)


class InvitationsView(ApiView):
    @describes_list("list_invitations", InvitationDocument)
    def get(self, request: Request) -> Response:  # noqa: ARG002
        """Returns the roles that are offered to this account."""
        user = permissions.require_user(self.actor)
        return self.page(invitations_of(user), invitation_json, ("made_at", "pk"))


class InvitationView(ApiView):
    @describes("decline_invitation", {204: None})
    def delete(self, request: Request, invitation_id: int) -> Response:  # noqa: ARG002
        """Declines an offered role."""
        roles.decline(account_permissions.invitation_for(self.actor, invitation_id), self.actor)
        return Response(status=204)


class InvitationAcceptView(ApiView):
    @describes("accept_invitation", {204: None}, 409, request=None)
    def post(self, request: Request, invitation_id: int) -> Response:  # noqa: ARG002
        """Accepts an offered role. It takes effect at once."""
        roles.accept(account_permissions.invitation_for(self.actor, invitation_id), self.actor)
        return Response(status=204)


class MeView(ApiView):
    @describes("show_phone", {200: PhoneDocument(many=True)})
    def get(self, request: Request) -> Response:
        """Returns the entries of a phone, each with its current match."""
        players = [actor for actor in actors_of(request) if actor.entry is not None]
        if not players:
            raise Denied(is_known=self.actor.user is not None)
        return Response([phone_json(actor.entry) for actor in players if actor.entry])


def phone_json(entry: Entry) -> dict[str, Any]:
    pairing = open_pairing_of(entry)
    match = pairing.match if pairing else None
    return {
        "entry": entry.pk,
        "name": entry.name,
        "tournament": entry.tournament_id,
        "match": match.pk if match else None,
        "side": match.side_of(entry.pk) if match else None,
        "length": match.length if match else None,
        "games": match.games if match else None,
        "state": match.state if match else None,
        "round": pairing.round.number if pairing else None,
    }


def _require_recent_sign_in(actor: Actor, request: Request) -> None:
    """Raises Denied for a program, Refused for a browser without a recent sign-in."""
    if actor.token is not None:
        raise Denied(is_known=True)
    recent_sign_in.require(request._request)


def token_json(token: ApiToken) -> dict[str, Any]:
    return {
        "id": token.pk,
        "name": token.label,
        "scope": token.scope,
        "event": token.event.slug if token.event else None,
        "made_at": token.made_at,
        "expires_at": token.expires_at,
        "last_used_at": token.last_used_at,
        "revoked_at": token.revoked_at,
    }


def invitation_json(invitation: Invitation) -> dict[str, Any]:
    return {
        "id": invitation.pk,
        "event": invitation.event.slug,
        "event_name": invitation.event.name,
        "role": invitation.role,
        "invited_by": invitation.made_by.username if invitation.made_by else None,
        "made_at": invitation.made_at,
    }
