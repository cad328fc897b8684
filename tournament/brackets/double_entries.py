"""Finds players with two entries still in the tournament, and refuses changes that would cause it. Writes nothing.

A player who enters again has a second entry. The first may come back by an undone withdrawal or by a correction:
then the player could meet themselves.
"""

import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import StrEnum
from typing import NamedTuple

from django.db.models import Count, Q

from tournament.brackets.storage import Sheet
from tournament.draw.formats import Format, Kind
from tournament.draw.seating import State
from tournament.models import Bracket, Entry, Pairing, Shape, Tournament
from tournament.models.brackets import Settled
from tournament.refusals.seats import TWO_ENTRIES_IN_PLAY
from tournament.runtime.errors import Refused


class EntryInPairing(NamedTuple):
    """A pairing of an entry: how it was settled (empty: open), its winner, and the shape of its bracket."""

    settled: str
    winner: object
    shape: str


@contextmanager
def no_double_entry(tournament: Tournament) -> Iterator[None]:
    """Raises Refused if the block gives a player a second entry that is still in."""
    before = players_with_two_entries(tournament)
    yield
    player = next((player for player in players_with_two_entries(tournament) if player not in before), None)
    if player is not None:
        entries = Entry.objects.filter(tournament=tournament, player=player).select_related("player")
        raise double_entry_refusal(entries.order_by("-number")[0])


class StillIn(StrEnum):
    """The reason why an entry is not out."""

    WITHDRAWN = "withdrawn"
    TO_PLAY = "to_play"
    LIVES = "lives"
    NO_KNOCK_OUT = "no_knock_out"
    UNBEATEN = "unbeaten"


def is_out(tournament: Tournament, entry: Entry) -> bool:
    """True if the entry lost or withdrew and has nothing to play in any bracket except jackpots."""
    return reason_still_in(tournament, entry) is None


def reason_still_in(tournament: Tournament, entry: Entry) -> StillIn | None:
    """The reason why the entry is not out; None if it is."""
    pairings = Pairing.objects.filter(Q(left=entry) | Q(right=entry), round__bracket__tournament=tournament)
    pairings = pairings.exclude(round__bracket__jackpot__isnull=False)
    fields = pairings.values_list("settled", "winner", "round__bracket__shape")
    return _reason_in(tournament, entry, [EntryInPairing(*values) for values in fields])


def players_with_two_entries(tournament: Tournament) -> set[uuid.UUID]:
    """Players with two entries that are still in. One statement if no player entered again."""
    return {
        player
        for player, entries in _entries_by_player(tournament).items()
        if sum(not is_out(tournament, entry) for entry in entries) > 1
    }


def double_entries_in(
    tournament: Tournament, sheet: Sheet, states: Mapping[int, State[uuid.UUID]]
) -> list[Entry]:
    """The last entries of players who would have two still in if this were the seating."""
    repeated_entries = _entries_by_player(tournament)
    if not repeated_entries:
        return []
    side_brackets = Bracket.objects.filter(tournament=tournament, jackpot__isnull=True)
    shapes = dict(side_brackets.values_list("key", "shape"))

    def is_in(entry: Entry) -> bool:
        pairings = [
            EntryInPairing(state.result.how or "", state.result.winner, shapes[sheet.rows[key].bracket])
            for key, state in states.items()
            if entry.pk in (state.left, state.right) and sheet.rows[key].bracket in shapes
        ]
        return _reason_in(tournament, entry, pairings) is not None

    return [entries[-1] for entries in repeated_entries.values() if sum(map(is_in, entries)) > 1]


def double_entry_refusal(last: Entry) -> Refused:
    """The refusal because this entry and an earlier one of the same player would both be in."""
    return Refused(TWO_ENTRIES_IN_PLAY, name=last.player.name, again=last.name)


def _entries_by_player(tournament: Tournament) -> dict[uuid.UUID, list[Entry]]:
    """Players with several entries that have not withdrawn, and these entries."""
    here = Entry.objects.filter(tournament=tournament, withdrawn_at__isnull=True)
    several = here.order_by().values("player").annotate(entries=Count("pk")).filter(entries__gt=1)
    entries_by_player: dict[uuid.UUID, list[Entry]] = {}
    for entry in here.filter(player__in=several.values("player")).select_related("player").order_by("number"):
        entries_by_player.setdefault(entry.player_id, []).append(entry)
    return entries_by_player


def _reason_in(tournament: Tournament, entry: Entry, pairings: Sequence[EntryInPairing]) -> StillIn | None:
    if any(not pairing.settled for pairing in pairings):
        return StillIn.WITHDRAWN if entry.is_withdrawn else StillIn.TO_PLAY
    lost_pairings = [
        pairing for pairing in pairings if pairing.winner != entry.pk and pairing.settled != Settled.BYE
    ]
    if _is_beaten(Format.from_json(tournament.format), entry, lost_pairings):
        return None
    return StillIn.WITHDRAWN if entry.is_withdrawn else _reason_unbeaten(tournament, lost_pairings)


def _is_beaten(plan: Format, entry: Entry, lost_pairings: Sequence[EntryInPairing]) -> bool:
    if plan.kind == Kind.LIVES:
        return (
            sum(pairing.shape == Shape.TABLE for pairing in lost_pairings) + entry.starting_losses
            >= plan.lives
        )
    return any(pairing.shape == Shape.TREE for pairing in lost_pairings)


def _reason_unbeaten(tournament: Tournament, lost_pairings: Sequence[EntryInPairing]) -> StillIn:
    if tournament.format.get("kind") == Kind.LIVES:
        return StillIn.LIVES
    has_tables = tournament.brackets.filter(shape=Shape.TABLE).exists()
    return StillIn.NO_KNOCK_OUT if has_tables and lost_pairings else StillIn.UNBEATEN
