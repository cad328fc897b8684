"""How pairings hang together: where each leads, in which order, and what cannot be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Generic, NamedTuple, TypeAlias

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

Feeds: TypeAlias = dict[PairingKey, tuple[Feed[PairingKey], ...]]
PlaceFeeds: TypeAlias = dict[str, tuple[PlaceFeed[PairingKey], ...]]

_LEFT, _RIGHT, _WINNER = Seat.LEFT, Seat.RIGHT, Outcome.WINNER


class Wires(NamedTuple, Generic[PairingKey, EntryId]):
    """Where winners, losers and places lead, by where they come from; on how many outcomes of others each pairing
    waits; and the pairings with the seat of an entry."""

    feeds: Feeds[PairingKey]
    place_feeds: PlaceFeeds[PairingKey]
    awaited: dict[PairingKey, int]
    entered: dict[PairingKey, Pairing[PairingKey, EntryId]]


def wired(pairings: Mapping[PairingKey, Pairing[PairingKey, EntryId]]) -> Wires[PairingKey, EntryId]:
    wires: Wires[PairingKey, EntryId] = Wires({}, {}, {}, {})
    feeds, awaited = wires.feeds, wires.awaited
    for key, pairing in pairings.items():
        waits = 0
        for seat, source in ((_LEFT, pairing.left), (_RIGHT, pairing.right)):
            if isinstance(source, FromPairing):
                fed_by, outcome = source
                feed, known = Feed(fed_by, outcome, key, seat), feeds.get(fed_by)
                feeds[fed_by] = (feed,) if known is None else _both(known, feed)
                waits += 1
            elif isinstance(source, FromEntry):
                wires.entered[key] = pairing
            elif isinstance(source, FromPlace):
                _lead_on(wires.place_feeds, source, key, seat)
        awaited[key] = waits
    for missing in feeds.keys() - pairings.keys():
        raise GraphError(f"Pairing {feeds[missing][0].target} is fed by {missing}, which is not in the draw.")
    return wires


def _both(known: tuple[Feed[PairingKey], ...], feed: Feed[PairingKey]) -> tuple[Feed[PairingKey], ...]:
    """A winner goes one way, and a loser, however it lost, another."""
    if len(known) > 1 or (known[0].outcome is _WINNER) is (feed.outcome is _WINNER):
        raise GraphError(f"The {feed.outcome} of pairing {feed.source} is fed twice.")
    return (*known, feed)


def _lead_on(place_feeds: PlaceFeeds[PairingKey], source: FromPlace, target: PairingKey, seat: Seat) -> None:
    others = place_feeds.get(source.bracket, ())
    if any(one.place == source.place for one in others):
        raise GraphError(f"Place {source.place} of {source.bracket} is fed twice.")
    place_feeds[source.bracket] = (*others, PlaceFeed(source.bracket, source.place, target, seat))


def members(
    pairings: tuple[Pairing[PairingKey, EntryId], ...], place_feeds: PlaceFeeds[PairingKey]
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
    wires: Wires[PairingKey, EntryId], members: Mapping[str, tuple[PairingKey, ...]]
) -> list[PairingKey]:
    """The keys of all pairings, each after those that it waits for. Raises GraphError for a circle."""
    awaited = dict(wires.awaited)
    leads: dict[PairingKey, tuple[Feed[PairingKey] | PlaceFeed[PairingKey], ...]] = dict(wires.feeds)
    for bracket, sent_on in wires.place_feeds.items():
        for key in members[bracket]:
            leads[key] = (*wires.feeds.get(key, ()), *sent_on)
        for place_feed in sent_on:
            awaited[place_feed.target] += len(members[bracket])
    ordered = [key for key, number in awaited.items() if not number]
    for key in ordered:
        for feed in leads.get(key, ()):
            target = feed.target
            if awaited[target] == 1:
                ordered.append(target)
            awaited[target] -= 1
    if len(ordered) != len(awaited):
        circle = next(key for key, number in awaited.items() if number > 0)
        raise GraphError(f"Pairing {circle} is fed in a circle.")
    return ordered


def refuse_an_entry_seated_twice(
    entered: Iterable[Pairing[PairingKey, EntryId]], ordered: tuple[Pairing[PairingKey, EntryId], ...]
) -> None:
    """`entered` are those of all pairings that have the seat of an entry."""
    entries = [
        source.entry
        for pairing in entered
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
