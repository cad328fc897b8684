"""The graph of a draw: its pairings, each after the pairings that feed it."""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Mapping
from typing import Generic, TypeVar, cast

from rules.translation import gettext_noop
from tournament.draw.graph.pairings import (
    EntryId,
    Feed,
    FromBye,
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
from tournament.draw.graph.wiring import (
    find_wires,
    number_parts,
    pairings_of_ranked_brackets,
    refuse_an_entry_seated_twice,
    sort_by_feeds,
)

Other = TypeVar("Other", bound=Hashable)

_WINNER_WAY, _LOSER_WAY = (Outcome.WINNER,), (Outcome.LOSER, Outcome.FIRST_LOSS)


class Graph(Generic[PairingKey, EntryId]):
    """Pairings of a draw, each after the pairings that feed it.

    The pairings may be passed in any order. Raises GraphError for a repeated key, a feed from a missing pairing or
    bracket, an outcome or place that is fed twice, a cycle, and an entry that is seated twice in pairings connected by
    winners and losers. In a group or a Swiss round an entry may sit in many pairings, because these are not connected.
    """

    __slots__ = ("_entered", "_lost", "_members", "_pairings", "_places", "_won", "pairings")

    pairings: tuple[Pairing[PairingKey, EntryId], ...]

    def __init__(self, pairings: Iterable[Pairing[PairingKey, EntryId]]) -> None:
        listed = tuple(pairings)
        by_key = {pairing.key: pairing for pairing in listed}
        if len(by_key) != len(listed):
            raise GraphError(gettext_noop("Two pairings have the same key."))
        wires = find_wires(by_key)
        self._won, self._lost, self._places, _, self._entered = wires
        self._members = pairings_of_ranked_brackets(listed, self._places)
        self._pairings = {key: by_key[key] for key in sort_by_feeds(wires, self._members)}
        self.pairings = tuple(self._pairings.values())
        refuse_an_entry_seated_twice(self._entered.values(), self.pairings)

    def with_entries(
        self, take: Callable[[FromEntry[EntryId]], FromEntry[Other] | FromBye]
    ) -> Graph[PairingKey, Other]:
        """Returns the same draw with other entries on its entry seats.

        Raises GraphError if an entry is seated twice.
        """
        graph: Graph[PairingKey, Other] = Graph(())
        graph._entered = {key: _with_seats_taken(pairing, take) for key, pairing in self._entered.items()}
        graph._pairings = (
            cast("dict[PairingKey, Pairing[PairingKey, Other]]", self._pairings) | graph._entered
        )
        graph._won, graph._lost = self._won, self._lost
        graph._places, graph._members = self._places, self._members
        graph.pairings = tuple(graph._pairings.values())
        refuse_an_entry_seated_twice(graph._entered.values(), graph.pairings)
        return graph

    def __iter__(self) -> Iterator[Pairing[PairingKey, EntryId]]:
        return iter(self.pairings)

    def __len__(self) -> int:
        return len(self.pairings)

    def __getitem__(self, key: PairingKey) -> Pairing[PairingKey, EntryId]:
        return self._pairings[key]

    def __contains__(self, key: object) -> bool:
        return key in self._pairings

    def feeds_from(self, key: PairingKey) -> tuple[Feed[PairingKey], ...]:
        """Returns the feeds of the pairing's winner and then of its loser: none, one or two."""
        ways = ((self._won, _WINNER_WAY), (self._lost, _LOSER_WAY))
        return tuple([_feed(key, self._pairings[goes[key]], how) for goes, how in ways if key in goes])

    def places_from(self, bracket: str) -> tuple[PlaceFeed[PairingKey], ...]:
        """Returns the feeds of the bracket's places. Empty for most brackets."""
        return self._places.get(bracket, ())

    def filled_by(self, key: PairingKey, seat: Seat) -> tuple[PairingKey, ...]:
        """Returns the pairings that fill a seat: one, all pairings of a ranked bracket, or none."""
        source = self[key].left if seat == Seat.LEFT else self[key].right
        if isinstance(source, FromPairing):
            return (source.pairing,)
        return self.ranked_pairings(source.bracket) if isinstance(source, FromPlace) else ()

    def part_numbers(self) -> Mapping[PairingKey, int]:
        """Returns a number for each pairing. Pairings connected by winners and losers share a number."""
        return number_parts(self.pairings)

    def ranked_pairings(self, bracket: str) -> tuple[PairingKey, ...]:
        """Returns the pairings of a bracket whose places feed other pairings; empty for any other bracket."""
        return self._members.get(bracket, ())


def _with_seats_taken(
    pairing: Pairing[PairingKey, EntryId], take: Callable[[FromEntry[EntryId]], FromEntry[Other] | FromBye]
) -> Pairing[PairingKey, Other]:
    left, right = pairing.left, pairing.right
    return Pairing(
        pairing.key,
        pairing.bracket,
        pairing.round,
        pairing.line,
        take(left) if isinstance(left, FromEntry) else left,
        take(right) if isinstance(right, FromEntry) else right,
    )


def _feed(
    key: PairingKey, target: Pairing[PairingKey, EntryId], outcomes: Container[Outcome]
) -> Feed[PairingKey]:
    """Returns the feed by which one of these outcomes reaches its target."""
    for seat, source in target.seats:
        if isinstance(source, FromPairing) and source.pairing == key and source.outcome in outcomes:
            return Feed(key, source.outcome, target.key, seat)
    raise GraphError(gettext_noop("Nobody comes from pairing {key} to {target}."), key=key, target=target.key)
