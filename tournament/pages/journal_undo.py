"""The buttons that undo a line of the journal: their addresses, and the permissions that they need."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.urls import reverse

from tournament.access.permissions import Capability
from tournament.models import Event
from tournament.pages.director.context import Permissions
from tournament.queries.journal import JournalPageLine
from tournament.queries.journal_undo import RELEASE_VERBS, Ids


@dataclass(frozen=True, slots=True)
class _Route:
    """An address that undoes a line. `action` is its last part; `is_of_event`: it does not name the tournament."""

    name: str
    action: str = ""
    capability: Capability = Capability.DESK
    is_of_event: bool = False


@dataclass(frozen=True, slots=True)
class UndoButton:
    """`round_id` is the id of a round that is hidden again, which needs a reason; None for other lines."""

    address: str
    round_id: object = None


def _entry(action: str) -> _Route:
    return _Route("entry-action", action)


def _call(action: str) -> _Route:
    return _Route("call-action", action, Capability.CALLS, is_of_event=True)


def _table(action: str) -> _Route:
    return _Route("table-action", action, Capability.DIRECT, is_of_event=True)


ROUND = _Route("next-round", capability=Capability.DIRECT)
CHANGE_OF_TABLES = _Route("tables-undo", capability=Capability.DIRECT, is_of_event=True)
CHANGE_OF_ENTRIES = _Route("entries-bulk-undo")
ALONE: Mapping[str, _Route] = {
    "check in": _entry("undo-check-in"),
    "check in at kiosk": _entry("undo-check-in"),
    "undo check in": _entry("check-in"),
    "undo check in at kiosk": _entry("check-in"),
    "mark paid": _entry("unpaid"),
    "mark unpaid": _entry("paid"),
    "withdraw": _entry("unwithdraw"),
    "undo withdrawal": _entry("withdraw"),
    "correct with consequences": _Route("correction-undo", capability=Capability.DIRECT),
    "call match": _call("take-back"),
    "restore call": _call("take-back"),
    "take call back": _call("restore"),
    "call again": _call("undo-second"),
    "see playing": _call("undo-playing"),
    "undo see playing": _call("playing"),
    "move match": _Route("call-move-undo", capability=Capability.CALLS, is_of_event=True),
    "add tables": CHANGE_OF_TABLES,
    "change table": CHANGE_OF_TABLES,
    "remove table": CHANGE_OF_TABLES,
    "close table": _table("open"),
    "open table": _table("close"),
    **dict.fromkeys(RELEASE_VERBS, ROUND),
}
"""The address that undoes a line alone, by its verb."""
TOGETHER: Mapping[str, _Route] = {
    "see playing": _Route("calls-playing-undo", capability=Capability.CALLS, is_of_event=True),
    "change table": CHANGE_OF_TABLES,
}
"""The address that undoes all lines of one change; lines about entries have `CHANGE_OF_ENTRIES`."""


def undo_button(line: JournalPageLine, event: Event, held: Permissions) -> UndoButton | None:
    ids = line.undo.alone
    route = ALONE.get(line.verb)
    if ids is None or route is None:
        return None
    if route is ROUND:
        return _button(route, line, event, held, (), round_id=ids[0])
    return _button(route, line, event, held, ids)


def undo_together_button(line: JournalPageLine, event: Event, held: Permissions) -> UndoButton | None:
    """The button that undoes all lines of the same change; None for a single change."""
    ids = line.undo.together
    return (
        None if ids is None else _button(TOGETHER.get(line.verb, CHANGE_OF_ENTRIES), line, event, held, ids)
    )


def _button(
    route: _Route,
    line: JournalPageLine,
    event: Event,
    held: Permissions,
    ids: Ids,
    *,
    round_id: object = None,
) -> UndoButton | None:
    """None without the permission, and for a tournament that is gone."""
    allowed = {
        Capability.DESK: held.desk,
        Capability.CALLS: held.calls,
        Capability.DIRECT: held.direct,
    }
    if not allowed[route.capability] or not (route.is_of_event or line.slug):
        return None
    place = [event.slug] if route.is_of_event else [event.slug, line.slug]
    action = [route.action] if route.action else []
    return UndoButton(reverse(route.name, args=[*place, *ids, *action]), round_id)
