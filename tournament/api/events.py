"""API views of events, their members, tournaments and journal."""

import uuid
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from rules.ruleset import PRESETS
from tournament.access import account_permissions, permissions
from tournament.access.actors import Actor
from tournament.access.permissions import Capability
from tournament.accounts import directors, roles
from tournament.api.account_serializers import MemberDocument, RoleBody
from tournament.api.describing import EVERYBODY, describes, describes_list
from tournament.api.draw_serializers import FormatPresetDocument
from tournament.api.event_serializers import EventBody, EventDocument, JournalDocument, event_of
from tournament.api.tournament_serializers import (
    PresetsDocument,
    TournamentBody,
    TournamentDocument,
    tournament_of,
)
from tournament.api.views import ApiView
from tournament.brackets.advancing import current_draw
from tournament.draw.formats import Format
from tournament.draw.formats.presets import FORMAT_PRESETS, FormatPreset
from tournament.events import setup, visibility
from tournament.live.channels import ANY_EVENT, event_channel
from tournament.models import Event, JournalLine, Membership, Tournament, Visibility
from tournament.queries.events.events import tournaments_with_draw_state, visible_events
from tournament.queries.events.overview import memberships
from tournament.queries.journal import journal_lines
from tournament.runtime.errors import NotFound
from tournament.web.conditional import vary_by_channels


class EventsView(ApiView):
    @describes_list("list_events", EventDocument, auth=EVERYBODY)
    def get(self, request: Request) -> Response:  # noqa: ARG002
        """Returns all public events and those you have a role in, newest first."""
        page = self.page(
            visible_events(permissions.roles_by_event(self.actor)), event_json, ("-starts_on", "name", "pk")
        )
        return vary_by_channels(page, [event_channel(ANY_EVENT)])

    @describes("create_event", {201: EventDocument}, 409, request=EventBody)
    def post(self, request: Request) -> Response:  # noqa: ARG002
        """Creates an event that you own. Needs the right to create events, which helpers do not have."""
        account_permissions.require_event_right(self.actor)
        body = self.read(EventBody)
        event = setup.create_event(event_of(body), self.actor, body.get("visibility", Visibility.PUBLIC))
        return Response(event_json(event), status=201)


class EventView(ApiView):
    @describes("show_event", {200: EventDocument, 304: None}, auth=EVERYBODY)
    def get(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Returns one event."""
        event_row = permissions.event_for(self.actor, event)
        return vary_by_channels(Response(event_json(event_row)), [event_channel(event_row.pk)])

    @describes("change_event", {200: EventDocument}, 409, request=EventBody)
    def put(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Changes an event."""
        event_row = permissions.event_for(self.actor, event, Capability.DIRECT)
        body = self.read(EventBody)
        setup.change_event(event_row, event_of(body, event_row), self.actor)
        if "visibility" in body:
            visibility.set_visibility(event_row, Visibility(body["visibility"]), self.actor)
            event_row.refresh_from_db(fields=["visibility"])
        return Response(event_json(event_row))


class PeopleView(ApiView):
    @describes_list("list_people", MemberDocument)
    def get(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Returns the members of this event and their roles."""
        event_row = permissions.event_for(self.actor, event, Capability.DIRECT)
        return self.page(memberships(event_row), member_json, ("pk",))

    @describes("give_role", {204: None}, 409, request=RoleBody)
    def put(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Changes the role of a member; invites anybody else, whose account then accepts or declines.

        The answer does not reveal if an account of this name exists.
        """
        event_row = permissions.event_for(self.actor, event, Capability.OWN)
        body = self.read(RoleBody)
        roles.set_role(event_row, body["user_name"], body["role"], self.actor)
        return Response(status=204)


class PersonView(ApiView):
    @describes("take_role", {204: None}, 409)
    def delete(self, request: Request, event: str, user_name: str) -> Response:  # noqa: ARG002
        """Ends a member's role, or withdraws an invitation."""
        event_row = permissions.event_for(self.actor, event, Capability.OWN)
        user = directors.find_by_name(user_name)
        invitation = roles.invitation_of(event_row, user_name)
        if user is not None and permissions.role_in(event_row, Actor(user=user)):
            roles.remove_role(event_row, user, self.actor)
        elif invitation is not None:
            roles.withdraw(invitation, self.actor)
        else:
            raise NotFound
        return Response(status=204)


class JournalView(ApiView):
    @describes_list("read_journal", JournalDocument)
    def get(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Returns the journal of the event, newest first. Lines about money need the capability for money."""
        event_row = permissions.event_for(self.actor, event, Capability.DESK)
        with_money = permissions.may(self.actor, event_row, Capability.MONEY)
        lines = journal_lines(event_row, with_money=with_money)
        return self.page(lines, journal_line_json, ("-at", "-id"))


class TournamentsView(ApiView):
    @describes_list("list_tournaments", TournamentDocument, auth=EVERYBODY)
    def get(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Returns the tournaments of an event, oldest first."""
        event_row = permissions.event_for(self.actor, event)
        rows = tournaments_with_draw_state(permissions.visible_tournaments(self.actor, event_row))
        return vary_by_channels(
            self.page(rows, _listed_tournament_json, ("created_at", "pk")), [event_channel(event_row.pk)]
        )

    @describes("create_tournament", {201: TournamentDocument}, 409, request=TournamentBody)
    def post(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Creates a tournament."""
        event_row = permissions.event_for(self.actor, event, Capability.DIRECT)
        created = setup.create_tournament(event_row, tournament_of(self.read(TournamentBody)), self.actor)
        return Response(tournament_json(created), status=201)


class TournamentView(ApiView):
    @describes("show_tournament", {200: TournamentDocument, 304: None}, auth=EVERYBODY)
    def get(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Returns one tournament."""
        event_row = permissions.tournament_by_id(self.actor, tournament_id)
        return vary_by_channels(Response(tournament_json(event_row)), [event_channel(event_row.event_id)])

    @describes("change_tournament", {200: TournamentDocument}, 409, request=TournamentBody)
    def put(self, request: Request, tournament_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Changes a tournament; rules, format and lengths only before the draw."""
        before = permissions.tournament_by_id(self.actor, tournament_id, Capability.DIRECT)
        plan = tournament_of(self.read(TournamentBody), before)
        setup.change_tournament(tournament_id, plan, self.actor)
        return Response(tournament_json(permissions.tournament_by_id(self.actor, tournament_id)))


class PresetsView(ApiView):
    @describes("list_presets", {200: PresetsDocument}, auth=EVERYBODY)
    def get(self, request: Request) -> Response:  # noqa: ARG002
        """Returns the available rulesets."""
        return Response({name: ruleset.as_json() for name, ruleset in sorted(PRESETS.items())})


class FormatsView(ApiView):
    @describes("list_formats", {200: FormatPresetDocument(many=True)}, auth=EVERYBODY)
    def get(self, request: Request) -> Response:  # noqa: ARG002
        """Returns the format presets, without paging."""
        return Response([preset_json(name, preset) for name, preset in FORMAT_PRESETS.items()])


def preset_json(name: str, preset: FormatPreset) -> dict[str, Any]:
    return {
        "name": name,
        "format": preset.format.as_json(),
        "lengths": preset.lengths,
        "side_lengths": preset.side_lengths,
        "games": preset.games,
        "preset": preset.ruleset,
    }


def event_json(event: Event) -> dict[str, Any]:
    return {
        "slug": event.slug,
        "name": event.name,
        "venue": event.venue,
        "starts_on": event.starts_on,
        "time_zone": event.time_zone,
        "is_indexed": event.is_indexed,
        "shows_initials": event.shows_initials,
        "ends_on": event.ends_on,
        "description": event.description,
        "contact": event.contact,
        "website": event.website,
        "visibility": event.visibility,
    }


def tournament_json(tournament: Tournament) -> dict[str, Any]:
    draw = current_draw(tournament)
    return _tournament_fields(
        tournament, is_drawn=draw is not None, is_released=draw is not None and draw.is_released
    )


def _listed_tournament_json(row: Any) -> dict[str, Any]:
    """`row` has the annotations `drawn` and `released`."""
    return _tournament_fields(row, is_drawn=row.drawn, is_released=row.released)


def _tournament_fields(tournament: Tournament, *, is_drawn: bool, is_released: bool) -> dict[str, Any]:
    return {
        "id": tournament.pk,
        "event": tournament.event.slug,
        "slug": tournament.slug,
        "name": tournament.name,
        "ruleset": tournament.ruleset,
        "lengths": tournament.lengths,
        "side_lengths": tournament.side_lengths,
        "games": tournament.games,
        "minutes": tournament.minutes,
        "format": Format.from_json(tournament.format).as_json(),
        "confirm_after": tournament.confirm_after,
        "final_score_allowed": tournament.final_score_allowed,
        "two_cards": tournament.two_cards,
        "doubles": tournament.doubles,
        "uses_clocks": tournament.uses_clocks,
        "score_delay": tournament.score_delay,
        "prizes": tournament.prizes,
        "is_drawn": is_drawn,
        "is_released": is_released,
    }


def member_json(member: Membership) -> dict[str, Any]:
    return {"user_name": member.user.username, "role": member.role}


def journal_line_json(line: JournalLine) -> dict[str, Any]:
    return {
        "at": line.at,
        "actor": line.actor,
        "user": line.user.username if line.user else None,
        "entry": line.entry_id,
        "verb": line.verb,
        "subject": line.subject,
        "subject_id": line.subject_id,
        "before": line.before,
        "after": line.after,
        "reason": line.reason,
    }
