"""Roles, capabilities, and the lookups by which every front door finds a row that the actor may see. Reads only.

A stranger gets the same answer for hidden and for missing objects.
"""

import uuid
from collections.abc import Sequence
from contextlib import suppress
from enum import StrEnum

from django.contrib.auth.models import User
from django.db.models import F, Q, QuerySet

from matches.keepers import Keeper
from matches.models import GameRecord, Match, MatchState
from tournament import sql
from tournament.access.actors import Actor
from tournament.access.draw_visibility import is_released
from tournament.access.visibility_keys import is_open_to_keys, rows_of
from tournament.models import (
    Correction,
    Entry,
    Event,
    Membership,
    Pairing,
    PersonalLink,
    Role,
    Tournament,
)
from tournament.refusals.access import NOT_YOUR_MATCH, PHONE_UNKNOWN
from tournament.refusals.cards import MATCH_CANCELLED
from tournament.runtime.errors import Denied, NotFound, Refused
from tournament.runtime.token_digest import digest


class Capability(StrEnum):
    """Capabilities of roles: call matches, work at the desk, take money, direct the event, own it."""

    CALLS = "calls"
    DESK = "desk"
    MONEY = "money"
    DIRECT = "direct"
    OWN = "own"


CAPABILITIES: dict[str, frozenset[Capability]] = {
    Role.OWNER: frozenset(Capability),
    Role.DIRECTOR: frozenset({Capability.CALLS, Capability.DESK, Capability.MONEY, Capability.DIRECT}),
    Role.DESK: frozenset({Capability.CALLS, Capability.DESK}),
    Role.MONITOR: frozenset({Capability.CALLS}),
    Role.CASH: frozenset({Capability.CALLS, Capability.MONEY}),
}

_tournaments = Tournament.objects.select_related("event")


def open_link(token: str) -> PersonalLink | None:
    """Returns the link of this token if it is approved, not revoked, and its event is not closed."""
    return sql.open_link(digest(token)) if token else None


def any_link(token: str) -> PersonalLink | None:
    """Returns the personal link of this token in any state."""
    links = PersonalLink.objects.select_related("entry__player", "entry__tournament__event")
    return links.filter(digest=digest(token)).first() if token else None


def open_links(tokens: Sequence[str]) -> list[PersonalLink]:
    """Returns the open personal links of these tokens, in the order of the tokens."""
    links = (open_link(token) for token in dict.fromkeys(tokens))
    return [link for link in links if link is not None]


def any_links(tokens: Sequence[str]) -> list[PersonalLink]:
    """Returns the personal links of these tokens in any state, in the order of the tokens."""
    links = (any_link(token) for token in dict.fromkeys(tokens))
    return [link for link in links if link is not None]


def link_for_desk(actor: Actor, link_id: int) -> PersonalLink:
    """Returns the link with entry and tournament. Raises NotFound, or Denied without the right to work at the desk."""
    links = PersonalLink.objects.select_related("entry__player", "entry__tournament__event")
    link = links.filter(pk=link_id).first()
    if link is None:
        raise NotFound
    require(actor, link.entry.tournament, Capability.DESK)
    return link


def role_in(event: Event, actor: Actor) -> str:
    """Returns the actor's role in the event; empty without one, and if the event is in the bin."""
    if actor.user is None or actor.only_event not in (None, event.pk) or event.deleted_at is not None:
        return ""
    roles = Membership.objects.filter(event=event, user=actor.user).values_list("role", flat=True)
    return roles.first() or ""


def roles_by_event(actor: Actor) -> dict[uuid.UUID, str]:
    """Returns the actor's roles by event id."""
    if actor.user is None:
        return {}
    return dict(_memberships(actor).values_list("event_id", "role"))


def _memberships(actor: Actor) -> QuerySet[Membership]:
    memberships = Membership.objects.filter(user=actor.user)
    return memberships.filter(event=actor.only_event) if actor.only_event else memberships


def may(actor: Actor, event: Event, capability: Capability) -> bool:
    return capability in CAPABILITIES.get(role_in(event, actor), frozenset())


def may_see(actor: Actor, place: Event | Tournament) -> bool:
    """The one rule of visibility: False for places in the bin, and for strangers if the place is not public.

    A private place, and the event around it, is visible to the event's staff and to phones of its players; a place that
    is visible by link also to visitors with its key. A public place costs no statement.
    """
    rows = rows_of(place)
    if any(row.deleted_at is not None for row in rows):
        return False
    if all(is_open_to_keys(row, actor.visibility_keys) for row in rows):
        return True
    return bool(role_in(_event_of(place), actor)) or _plays_in(actor, place)


def _event_of(place: Event | Tournament) -> Event:
    return place.event if isinstance(place, Tournament) else place


def _plays_in(actor: Actor, place: Event | Tournament) -> bool:
    path = "entry__tournament" if isinstance(place, Tournament) else "entry__tournament__event"
    digests = [digest(token) for token in actor.link_tokens]
    if not digests and actor.link is None:
        return False
    carried = Q(digest__in=digests) if actor.link is None else Q(digest__in=digests) | Q(pk=actor.link.pk)
    links = PersonalLink.objects.filter(approved_at__isnull=False, revoked_at__isnull=True, **{path: place})
    return links.filter(carried).exists()


def visible_tournaments(actor: Actor, event: Event) -> list[Tournament]:
    """Returns the tournaments of a visible event that the actor may see, archived ones last."""
    rows = _tournaments.filter(event=event).order_by(F("archived_at").asc(nulls_first=True), "created_at")
    return [row for row in rows if may_see(actor, row)]


def require(actor: Actor, place: Event | Tournament, capability: Capability) -> None:
    """Raises Denied unless the actor has the capability in this event; NotFound if the actor may not see the place."""
    if place.deleted_at is not None or not may(actor, _event_of(place), capability):
        if not may_see(actor, place):
            raise NotFound
        raise Denied(is_known=actor.kind != "stranger")


def require_user(actor: Actor) -> User:
    """Returns the signed-in user. Raises Denied for other actors and for tokens that are limited to one event."""
    if actor.user is None or actor.only_event is not None:
        raise Denied(is_known=actor.kind != "stranger")
    return actor.user


def event_for(actor: Actor, slug: str, capability: Capability | None = None) -> Event:
    """Returns the event. Raises NotFound, or Denied without the capability; None: the actor must see it only."""
    event = Event.objects.filter(slug=slug).first()
    if event is None or (capability is None and not may_see(actor, event)):
        raise NotFound
    if capability is not None:
        require(actor, event, capability)
    return event


def tournament_for(
    actor: Actor, event_slug: str, slug: str, capability: Capability | None = None
) -> Tournament:
    """Returns the tournament. Raises NotFound, or Denied without the capability; None: the actor must see it only."""
    return _require_tournament(
        actor, _tournaments.filter(event__slug=event_slug, slug=slug).first(), capability
    )


def tournament_by_id(actor: Actor, pk: uuid.UUID, capability: Capability | None = None) -> Tournament:
    """Like `tournament_for`, by id."""
    return _require_tournament(actor, _tournaments.filter(pk=pk).first(), capability)


def _require_tournament(
    actor: Actor, tournament: Tournament | None, capability: Capability | None
) -> Tournament:
    if tournament is None or (capability is None and not may_see(actor, tournament)):
        raise NotFound
    if capability is not None:
        require(actor, tournament, capability)
    return tournament


def entry_by_id(actor: Actor, pk: uuid.UUID, capability: Capability) -> Entry:
    """Returns the entry with its player. Raises NotFound, or Denied without the capability in its event."""
    entry = Entry.objects.select_related("player", "tournament__event").filter(pk=pk).first()
    if entry is None:
        raise NotFound
    require(actor, entry.tournament, capability)
    return entry


def correction_by_id(actor: Actor, pk: uuid.UUID, capability: Capability) -> Correction:
    """Returns the correction. Raises NotFound, or Denied without the capability in its event."""
    correction = Correction.objects.select_related("tournament__event").filter(pk=pk).first()
    if correction is None:
        raise NotFound
    require(actor, correction.tournament, capability)
    return correction


def _find_pairing(match_id: uuid.UUID) -> Pairing | None:
    """Without players and event: the joins would double the cost of a report."""
    pairings = Pairing.objects.select_related("match", "round__bracket__tournament")
    return next(iter(pairings.filter(match=match_id).order_by()), None)


def pairing_of_match(actor: Actor, match_id: uuid.UUID, capability: Capability) -> Pairing:
    """Returns the pairing of a match. Raises NotFound, or Denied without the capability in its event."""
    pairing = _find_pairing(match_id)
    if pairing is None:
        raise NotFound
    require(actor, pairing.round.bracket.tournament, capability)
    return pairing


def pairing_of_tournament(tournament: Tournament, pk: int) -> Pairing:
    """Returns a pairing of this tournament with its match and players. Raises NotFound."""
    pairings = Pairing.objects.select_related(
        "match", "round__bracket__tournament__event", "left__player", "right__player"
    )
    pairing = pairings.filter(pk=pk, round__bracket__tournament=tournament).first()
    if pairing is None:
        raise NotFound
    return pairing


def pairing_of_event(event: Event, pk: int) -> Pairing:
    """Returns a pairing of this event with its match and players. Raises NotFound."""
    pairings = Pairing.objects.select_related(
        "match", "round__bracket__tournament__event", "left__player", "right__player"
    )
    of_event = pairings.filter(round__bracket__tournament__event=event)
    pairing = of_event.filter(pk=pk, round__bracket__tournament__deleted_at__isnull=True).first()
    if pairing is None:
        raise NotFound
    return pairing


def pairing_for_keeper(actor: Actor, match_id: uuid.UUID) -> tuple[Pairing, Keeper]:
    """Returns the pairing of a match and the card that the actor keeps: a player's own, or the desk's.

    Raises NotFound for a player of another match, Denied for a stranger.
    """
    pairing = _find_pairing(match_id)
    if actor.entry is not None:
        return _match_of_player(actor, pairing, match_id)
    if pairing is None:
        if actor.kind == "stranger":
            raise Denied(is_known=False)
        raise NotFound
    require(actor, pairing.round.bracket.tournament, Capability.DESK)
    return pairing, Keeper.DESK


def pairing_for_phone(
    players: Sequence[Actor], match_id: uuid.UUID, entry_id: str = ""
) -> tuple[Actor, Pairing, Keeper]:
    """Returns the phone's player who plays this match, the pairing and the player's card.

    `entry_id` selects one of the phone's players. Raises Denied for a phone without links, NotFound if none of these
    players plays the match.
    """
    if not players:
        raise Denied(PHONE_UNKNOWN, is_known=False)
    pairing = _find_pairing(match_id)
    for actor in players:
        if entry_id and (actor.entry is None or str(actor.entry.pk) != entry_id):
            continue
        with suppress(NotFound):
            return actor, *_match_of_player(actor, pairing, match_id)
    raise NotFound(NOT_YOUR_MATCH)


def game_record_for(actors: Sequence[Actor], record_id: uuid.UUID) -> tuple[GameRecord, Tournament, Keeper]:
    """Returns a game record without its file, its tournament, and the actors' role: the desk or one of the players.

    The match may be cancelled. Raises NotFound for players of another match, Denied for strangers and for users
    without the desk capability.
    """
    if all(actor.kind == "stranger" for actor in actors):
        raise Denied(is_known=False)
    record = GameRecord.objects.defer("data").select_related("match").filter(pk=record_id).first()
    if record is None:
        raise NotFound
    match = record.match
    tournament = _tournaments.filter(entries__pk=match.left).first()
    if tournament is None or tournament.event.deleted_at is not None:
        raise NotFound
    if any(may(actor, tournament.event, Capability.DESK) for actor in actors):
        return record, tournament, Keeper.DESK
    sides = [side for actor in actors if actor.entry and (side := match.side_of(actor.entry.pk))]
    if sides:
        return record, tournament, Keeper(sides[0].value)
    if any(actor.user is not None for actor in actors):
        raise Denied(is_known=True)
    raise NotFound


def entry_for_desk_or_phone(actors: Sequence[Actor], entry_id: uuid.UUID) -> tuple[Actor, Entry]:
    """Returns the actor who may act for the entry, and the entry: a phone with its link, or the desk.

    Raises NotFound for phones of other players, Denied for strangers and for users without the desk capability.
    """
    if all(actor.kind == "stranger" for actor in actors):
        raise Denied(is_known=False)
    entry = Entry.objects.select_related("player", "tournament__event").filter(pk=entry_id).first()
    if entry is None or entry.tournament.deleted_at is not None:
        raise NotFound
    for actor in actors:
        if actor.entry == entry or may(actor, entry.tournament.event, Capability.DESK):
            return actor, entry
    if any(actor.user is not None for actor in actors):
        raise Denied(is_known=True)
    raise NotFound


def _match_of_player(actor: Actor, pairing: Pairing | None, match_id: uuid.UUID) -> tuple[Pairing, Keeper]:
    if pairing is None or pairing.match is None or actor.entry is None:
        _refuse_if_cancelled(actor, match_id)
        raise NotFound
    side = pairing.match.side_of(actor.entry.pk)
    if side is None:
        raise NotFound
    return pairing, Keeper(side.value)


def _refuse_if_cancelled(actor: Actor, match_id: uuid.UUID) -> None:
    """Raises Refused for a phone that still shows a cancelled match in which its player sat."""
    match = Match.objects.filter(pk=match_id, state=MatchState.CANCELLED).first()
    if match is not None and actor.entry is not None and match.side_of(actor.entry.pk) is not None:
        raise Refused(MATCH_CANCELLED)


def visible_match(actor: Actor, match_id: uuid.UUID) -> Match:
    """Returns a match that the actor may see: its draw is released, or the actor is at the desk. Else NotFound."""
    pairing = _find_pairing(match_id)
    if pairing is None or pairing.match is None:
        raise NotFound
    tournament = pairing.round.bracket.tournament
    if not may_see(actor, tournament) or not may_see_draw(actor, tournament):
        raise NotFound
    return pairing.match


def visible_pairing(actor: Actor, tournament: Tournament, match_id: uuid.UUID) -> Pairing:
    """Returns the pairing of a match of this tournament, with both players. Raises NotFound like `visible_match`."""
    pairing = (
        Pairing.objects.select_related("match", "round__bracket__tournament", "left__player", "right__player")
        .filter(match_id=match_id, round__bracket__tournament=tournament)
        .first()
    )
    if pairing is None or not may_see_draw(actor, tournament):
        raise NotFound
    return pairing


def may_see_draw(actor: Actor, tournament: Tournament) -> bool:
    """True if the current draw is released, or the actor has the desk capability."""
    return is_released(tournament) or may(actor, tournament.event, Capability.DESK)
