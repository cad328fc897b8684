"""Loads pairings, calls, tables and pins that an actor may change. Reads only.

Raises NotFound, or Denied without the permission in the event of the row.
"""

import uuid

from tournament.access import permissions
from tournament.access.actors import Actor
from tournament.access.permissions import Capability
from tournament.models import Call, Pairing, Pin, Table
from tournament.runtime.errors import NotFound


def pairing_to_call(actor: Actor, pairing_id: int) -> Pairing:
    rows = Pairing.objects.select_related("round__bracket__tournament__event")
    pairing = rows.filter(pk=pairing_id).first()
    if pairing is None:
        raise NotFound
    permissions.require(actor, pairing.round.bracket.tournament, Capability.CALLS)
    return pairing


def call_to_change(actor: Actor, call_id: uuid.UUID) -> Call:
    call = Call.objects.select_related("room__event").filter(pk=call_id).first()
    if call is None:
        raise NotFound
    permissions.require(actor, call.room.event, Capability.CALLS)
    return call


def table_to_set_up(actor: Actor, table_id: int) -> Table:
    table = Table.objects.select_related("room__event").filter(pk=table_id).first()
    if table is None:
        raise NotFound
    permissions.require(actor, table.room.event, Capability.DIRECT)
    return table


def pin_to_lift(actor: Actor, pin_id: int) -> Pin:
    pin = Pin.objects.select_related("table__room__event").filter(pk=pin_id).first()
    if pin is None:
        raise NotFound
    permissions.require(actor, pin.table.room.event, Capability.DIRECT)
    return pin
