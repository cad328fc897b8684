"""Finds the feeds between pairings, sorts pairings by them, and refuses invalid graphs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Generic, NamedTuple, TypeAlias

from rules.translation import gettext_noop
from tournament.draw.graph.pairings import (
    EntryId,
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

Targets: TypeAlias = dict[PairingKey, PairingKey]
PlaceFeeds: TypeAlias = dict[str, tuple[PlaceFeed[PairingKey], ...]]

_WINNER = Outcome.WINNER


class Wires(NamedTuple, Generic[PairingKey, EntryId]):
    """Targets of winners, losers and places by their source.

    `awaited` is the number of winners and losers that each pairing waits for. `entered` holds the pairings with the
    seat of an entry.
    """

    won: Targets[PairingKey]
    lost: Targets[PairingKey]
    places: PlaceFeeds[PairingKey]
    awaited: dict[PairingKey, int]
    entered: dict[PairingKey, Pairing[PairingKey, EntryId]]


def find_wires(pairings: Mapping[PairingKey, Pairing[PairingKey, EntryId]]) -> Wires[PairingKey, EntryId]:
    """Raises GraphError for a source that is missing or feeds two seats."""
    wires: Wires[PairingKey, EntryId] = Wires({}, {}, {}, {}, {})
    won, lost, places, awaited, entered = wires
    for key, pairing in pairings.items():
        waits = 0
        for source in (pairing.left, pairing.right):
            if isinstance(source, FromPairing):
                fed_by, outcome = source
                (won if outcome is _WINNER else lost)[fed_by] = key
                waits += 1
            elif isinstance(source, FromEntry):
                entered[key] = pairing
            elif isinstance(source, FromPlace):
                _add_place_feed(places, source, pairing)
        awaited[key] = waits
    if len(won) + len(lost) < sum(awaited.values()):
        _refuse_two_ways(pairings)
    for goes in (won, lost):
        if not goes.keys() <= pairings.keys():
            missing = next(key for key in goes if key not in pairings)
            raise GraphError(
                gettext_noop("Pairing {pairing} is fed by {missing}, which is not in the draw."),
                pairing=goes[missing],
                missing=missing,
            )
    return wires


def _refuse_two_ways(pairings: Mapping[PairingKey, Pairing[PairingKey, EntryId]]) -> None:
    ways: set[tuple[PairingKey, bool]] = set()
    for pairing in pairings.values():
        for source in (pairing.left, pairing.right):
            if isinstance(source, FromPairing):
                way = (source.pairing, source.outcome is _WINNER)
                if way in ways:
                    raise GraphError(
                        gettext_noop("The {outcome} of pairing {pairing} is fed twice."),
                        outcome=source.outcome,
                        pairing=source.pairing,
                    )
                ways.add(way)


def _add_place_feed(
    places: PlaceFeeds[PairingKey], source: FromPlace, target: Pairing[PairingKey, EntryId]
) -> None:
    seat = Seat.LEFT if source is target.left else Seat.RIGHT
    feeds = places.get(source.bracket, ())
    if any(feed.place == source.place for feed in feeds):
        raise GraphError(
            gettext_noop("Place {place} of {bracket} is fed twice."),
            place=source.place,
            bracket=source.bracket,
        )
    places[source.bracket] = (*feeds, PlaceFeed(source.bracket, source.place, target.key, seat))


def pairings_of_ranked_brackets(
    pairings: tuple[Pairing[PairingKey, EntryId], ...], places: PlaceFeeds[PairingKey]
) -> dict[str, tuple[PairingKey, ...]]:
    """Returns the pairings of each bracket whose places feed seats.

    Raises GraphError for a bracket without pairings.
    """
    members: dict[str, list[PairingKey]] = {bracket: [] for bracket in places}
    for pairing in pairings if members else ():
        if pairing.bracket in members:
            members[pairing.bracket].append(pairing.key)
    for bracket, keys in members.items():
        if not keys:
            raise GraphError(
                gettext_noop("A seat is fed by {bracket}, which is not in the draw."), bracket=bracket
            )
    return {bracket: tuple(keys) for bracket, keys in members.items()}


def sort_by_feeds(
    wires: Wires[PairingKey, EntryId], members: Mapping[str, tuple[PairingKey, ...]]
) -> list[PairingKey]:
    """Returns the keys of all pairings, each after the pairings it waits for. Raises GraphError for a cycle."""
    awaited = dict(wires.awaited)
    placed: dict[PairingKey, tuple[PairingKey, ...]] = {}
    for bracket, sent_on in wires.places.items():
        for feed in sent_on:
            awaited[feed.target] += len(members[bracket])
        placed.update(dict.fromkeys(members[bracket], tuple(feed.target for feed in sent_on)))
    ordered = [key for key, number in awaited.items() if not number]
    ways = (wires.won, wires.lost)
    for key in ordered:
        for goes in ways:
            if key in goes:
                target = goes[key]
                awaited[target] -= 1
                if not awaited[target]:
                    ordered.append(target)
        if key in placed:
            _release(placed[key], awaited, ordered)
    if len(ordered) != len(awaited):
        circle = next(key for key, number in awaited.items() if number)
        raise GraphError(gettext_noop("Pairing {circle} is fed in a circle."), circle=circle)
    return ordered


def _release(
    targets: Iterable[PairingKey], awaited: dict[PairingKey, int], ordered: list[PairingKey]
) -> None:
    for target in targets:
        awaited[target] -= 1
        if not awaited[target]:
            ordered.append(target)


def refuse_an_entry_seated_twice(
    entered: Iterable[Pairing[PairingKey, EntryId]], ordered: tuple[Pairing[PairingKey, EntryId], ...]
) -> None:
    """Raises GraphError. `entered` are the pairings with the seat of an entry."""
    entries = [
        source.entry
        for pairing in entered
        for source in (pairing.left, pairing.right)
        if isinstance(source, FromEntry) and source.entry is not None
    ]
    if len(set(entries)) == len(entries):
        return
    repeated = _entries_seated_again(ordered)
    part_of = number_parts(ordered)
    for entry, keys in repeated.items():
        if len({part_of[key] for key in keys}) < len(keys):
            raise GraphError(gettext_noop("Entry {entry} is seated twice."), entry=entry)


def _entries_seated_again(
    ordered: tuple[Pairing[PairingKey, EntryId], ...],
) -> dict[EntryId, list[PairingKey]]:
    seated: dict[EntryId, list[PairingKey]] = {}
    for pairing in ordered:
        for source in (pairing.left, pairing.right):
            if isinstance(source, FromEntry) and source.entry is not None:
                seated.setdefault(source.entry, []).append(pairing.key)
    return {entry: keys for entry, keys in seated.items() if len(keys) > 1}


def number_parts(ordered: tuple[Pairing[PairingKey, EntryId], ...]) -> dict[PairingKey, int]:
    """Returns a number for each pairing. Pairings connected by feeds share a number."""
    part_of: dict[PairingKey, int] = {}
    members: dict[int, list[PairingKey]] = {}
    for number, pairing in enumerate(ordered):
        part_of[pairing.key], members[number] = number, [pairing.key]
        for source in (pairing.left, pairing.right):
            if isinstance(source, FromPairing):
                _join_parts(part_of, members, part_of[source.pairing], part_of[pairing.key])
    return part_of


def _join_parts(
    part_of: dict[PairingKey, int], members: dict[int, list[PairingKey]], first: int, second: int
) -> None:
    if first != second:
        small, large = sorted((first, second), key=lambda part: len(members[part]))
        part_of.update(dict.fromkeys(members[small], large))
        members[large] += members.pop(small)
