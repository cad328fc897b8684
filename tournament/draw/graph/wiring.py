"""How pairings hang together: where each leads, in which order, and what cannot be."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

from tournament.draw.graph.pairings import (
    EntryId,
    Feed,
    FromEntry,
    FromPairing,
    FromPlace,
    GraphError,
    Outcome,
    Pairing,
    PairingKey,
    PlaceFeed,
    Seat,
)


def fed(
    pairings: Mapping[PairingKey, Pairing[PairingKey, EntryId]],
) -> tuple[dict[PairingKey, tuple[Feed[PairingKey], ...]], dict[str, tuple[PlaceFeed[PairingKey], ...]]]:
    """Where winners, losers and places lead, by where they come from."""
    feeds: dict[PairingKey, tuple[Feed[PairingKey], ...]] = {}
    place_feeds: dict[str, tuple[PlaceFeed[PairingKey], ...]] = {}
    left, right = Seat.LEFT, Seat.RIGHT
    for key, pairing in pairings.items():
        for seat, source in ((left, pairing.left), (right, pairing.right)):
            if isinstance(source, FromPairing):
                fed_by, outcome = source
                if fed_by not in pairings:
                    raise GraphError(f"Pairing {key} is fed by {fed_by}, which is not in the draw.")
                feed, known = Feed(fed_by, outcome, key, seat), feeds.get(fed_by)
                feeds[fed_by] = (feed,) if known is None else (*_unless_taken(known, feed), feed)
            elif isinstance(source, FromPlace):
                others = place_feeds.get(source.bracket, ())
                if any(one.place == source.place for one in others):
                    raise GraphError(f"Place {source.place} of {source.bracket} is fed twice.")
                place_feeds[source.bracket] = (*others, PlaceFeed(source.bracket, source.place, key, seat))
    return feeds, place_feeds


def _unless_taken(
    known: tuple[Feed[PairingKey], ...], feed: Feed[PairingKey]
) -> tuple[Feed[PairingKey], ...]:
    for one in known:
        if one.outcome is feed.outcome or Outcome.WINNER not in (one.outcome, feed.outcome):
            raise GraphError(f"The {feed.outcome} of pairing {feed.source} is fed twice.")
    return known


def members(
    pairings: tuple[Pairing[PairingKey, EntryId], ...],
    place_feeds: dict[str, tuple[PlaceFeed[PairingKey], ...]],
) -> dict[str, tuple[PairingKey, ...]]:
    members: dict[str, list[PairingKey]] = {bracket: [] for bracket in place_feeds}
    for pairing in pairings if members else ():
        if pairing.bracket in members:
            members[pairing.bracket].append(pairing.key)
    for bracket, keys in members.items():
        if not keys:
            raise GraphError(f"A seat is fed by {bracket}, which is not in the draw.")
    return {bracket: tuple(keys) for bracket, keys in members.items()}


def in_order(
    pairings: dict[PairingKey, Pairing[PairingKey, EntryId]],
    feeds: dict[PairingKey, tuple[Feed[PairingKey], ...]],
    place_feeds: dict[str, tuple[PlaceFeed[PairingKey], ...]],
    members: dict[str, tuple[PairingKey, ...]],
) -> tuple[Pairing[PairingKey, EntryId], ...]:
    onward: dict[PairingKey, list[Feed[PairingKey] | PlaceFeed[PairingKey]]] = {}
    for bracket, sent_on in place_feeds.items():
        for key in members[bracket]:
            onward[key] = [*feeds.get(key, ()), *sent_on]
    leads = {**feeds, **onward}
    awaited = dict.fromkeys(pairings, 0)
    for reached in leads.values():
        for feed in reached:
            awaited[feed.target] += 1
    ready = deque(key for key, number in awaited.items() if number == 0)
    ordered: list[Pairing[PairingKey, EntryId]] = []
    while ready:
        key = ready.popleft()
        ordered.append(pairings[key])
        for feed in leads.get(key, ()):
            awaited[feed.target] -= 1
            if awaited[feed.target] == 0:
                ready.append(feed.target)
    if len(ordered) != len(pairings):
        circle = next(key for key, number in awaited.items() if number)
        raise GraphError(f"Pairing {circle} is fed in a circle.")
    return tuple(ordered)


def refuse_an_entry_seated_twice(ordered: tuple[Pairing[PairingKey, EntryId], ...]) -> None:
    entries = [
        source.entry
        for pairing in ordered
        for source in (pairing.left, pairing.right)
        if isinstance(source, FromEntry) and source.entry is not None
    ]
    if len(set(entries)) == len(entries):
        return
    repeated = _seated_again(ordered)
    part_of = connected(ordered)
    for entry, keys in repeated.items():
        if len({part_of[key] for key in keys}) < len(keys):
            raise GraphError(f"Entry {entry} is seated twice.")


def _seated_again(
    ordered: tuple[Pairing[PairingKey, EntryId], ...],
) -> dict[EntryId, list[PairingKey]]:
    seated: dict[EntryId, list[PairingKey]] = {}
    for pairing in ordered:
        for source in (pairing.left, pairing.right):
            if isinstance(source, FromEntry) and source.entry is not None:
                seated.setdefault(source.entry, []).append(pairing.key)
    return {entry: keys for entry, keys in seated.items() if len(keys) > 1}


def connected(ordered: tuple[Pairing[PairingKey, EntryId], ...]) -> dict[PairingKey, int]:
    """A number for each pairing, the same for those that feeds connect."""
    part_of: dict[PairingKey, int] = {}
    members: dict[int, list[PairingKey]] = {}
    for number, pairing in enumerate(ordered):
        part_of[pairing.key], members[number] = number, [pairing.key]
        for source in (pairing.left, pairing.right):
            if isinstance(source, FromPairing):
                _join(part_of, members, part_of[source.pairing], part_of[pairing.key])
    return part_of


def _join(part_of: dict[PairingKey, int], members: dict[int, list[PairingKey]], one: int, other: int) -> None:
    if one != other:
        small, large = sorted((one, other), key=lambda part: len(members[part]))
        part_of.update(dict.fromkeys(members[small], large))
        members[large] += members.pop(small)
