"""Who may call matches and who may set tables up: `access` asked for the event they belong to. Reads only."""

import uuid

from tournament.access import permissions
from tournament.access.actors import Actor
from tournament.access.permissions import Capability
from tournament.models import Call, Pairing, Pin, Table
from tournament.runtime.errors import NotFound


def pairing_to_call(actor: Actor, pairing_id: int) -> Pairing:
    """A pairing of an event in which the actor may call; raises NotFound and Denied as `access` does."""
    rows = Pairing.objects.select_related("round__bracket__tournament__event")
    found = rows.filter(pk=pairing_id).first()
    if found is None:
        raise NotFound
    permissions.require(actor, found.round.bracket.tournament.event, Capability.CALLS)
    return found


def call_to_change(actor: Actor, call_id: uuid.UUID) -> Call:
    """A call of an event in which the actor may call."""
    found = Call.objects.select_related("room__event").filter(pk=call_id).first()
    if found is None:
        raise NotFound
    permissions.require(actor, found.room.event, Capability.CALLS)
    return found


def table_to_set_up(actor: Actor, table_id: int) -> Table:
    """A table of an event that the actor directs."""
    found = Table.objects.select_related("room__event").filter(pk=table_id).first()
    if found is None:
        raise NotFound
    permissions.require(actor, found.room.event, Capability.DIRECT)
    return found


def pin_to_lift(actor: Actor, pin_id: int) -> Pin:
    """A pin at such a table."""
    found = Pin.objects.select_related("table__room__event").filter(pk=pin_id).first()
    if found is None:
        raise NotFound
    permissions.require(actor, found.table.room.event, Capability.DIRECT)
    return found
