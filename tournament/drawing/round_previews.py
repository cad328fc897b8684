"""Pairs the next round as a preview, changes it by hand, and releases it.

A preview has no rows of a round, so nothing outside the pages of staff can show it, and it raises no bracket version.
"""

import uuid
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.utils import timezone

from tournament.access.actors import Actor
from tournament.brackets import advancing, seat_changes
from tournament.brackets.advancing import LockedTournament
from tournament.brackets.round_basis import Basis, basis_from_json
from tournament.draw.pairing import ByeGiven, Cost, PairedRound, PairMade, Tiers
from tournament.drawing import rounds
from tournament.drawing.rounds import PairedByRecords
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import (
    Feed,
    Pairing,
    PreviewSwap,
    Round,
    RoundPreview,
    SeatChange,
    SeatChangeKind,
    Tournament,
)
from tournament.refusals.rounds import (
    ALREADY_OPPONENTS,
    HAND_REASON_NEEDED,
    NO_PREVIEW,
    NO_SWAP_TO_UNDO,
    NOT_IN_PREVIEW,
    PREVIEW_OUTDATED,
    ROUND_IS_PAIRED,
    ROUND_PREVIEW_CHANGED,
    TWO_PLAYERS_NEEDED,
)
from tournament.runtime.errors import Refused

PLAYERS_OF_A_SWAP = 2
Players = tuple[uuid.UUID, uuid.UUID]
Seats = list[tuple[uuid.UUID, uuid.UUID | None]]


@dataclass(frozen=True, slots=True)
class ExpectedPreview:
    """The stamp of the preview that the user saw; empty for none."""

    stamp: str


def stamp_of(preview: RoundPreview) -> str:
    """Changes whenever the round is paired again and with every swap."""
    last_swap = preview.swaps.last()
    return f"{preview.pk}-{last_swap.pk if last_swap else 0}"


def find_preview(tournament: Tournament) -> RoundPreview | None:
    return RoundPreview.objects.filter(tournament=tournament).first()


def preview_next_round(tournament_id: uuid.UUID, actor: Actor) -> RoundPreview:
    """Pairs the next round without releasing it; replaces an earlier preview. Raises Refused as `pair_next_round`."""

    def store(locked: LockedTournament, basis: Basis, paired: PairedByRecords) -> RoundPreview:
        return _replace_preview(locked, basis, paired, actor)

    return rounds.pair(tournament_id, rounds.next_round_basis, store)


def pair_again(tournament_id: uuid.UUID, actor: Actor) -> int:
    """Like `preview_next_round`, but keeps each swap that still fits. Returns the number of swaps dropped.

    A swap fits if both players have the opponents that they had before it, and if it neither splits a pair set by hand
    nor makes a pair that is kept apart.
    """

    def store(locked: LockedTournament, basis: Basis, paired: PairedByRecords) -> int:
        earlier = find_preview(locked.tournament)
        if earlier is None:
            _replace_preview(locked, basis, paired, actor)
            return 0
        swaps, seats = list(earlier.swaps.all()), _drawn_seats(earlier)
        preview = _replace_preview(locked, basis, paired, actor)
        kept = _fitting_swaps(swaps, seats, _drawn_seats(preview), basis)
        for swap in kept:
            preview.swaps.create(
                first_id=swap.first_id, second_id=swap.second_id, reason=swap.reason, at=swap.at, by=swap.by
            )
        return len(swaps) - len(kept)

    return rounds.pair(tournament_id, rounds.next_round_basis, store)


def pair_and_release(
    tournament_id: uuid.UUID, actor: Actor, expected: ExpectedPreview | None = None
) -> Round:
    """Releases the preview, or pairs and releases the next round if there is none.

    Raises Refused if the preview is not the `expected` one.
    """
    has_seen_preview = expected is not None and expected.stamp != ""
    if has_seen_preview or RoundPreview.objects.filter(tournament=tournament_id).exists():
        return release_round(tournament_id, actor, expected)
    return rounds.pair_next_round(tournament_id, actor)


def release_round(tournament_id: uuid.UUID, actor: Actor, expected: ExpectedPreview | None = None) -> Round:
    """Releases the previewed round with its changes by hand, and opens its matches.

    Raises Refused if the facts it was paired from have changed, and if the preview is not the `expected` one.
    """
    with advancing.lock_tournament(tournament_id) as locked:
        preview = _preview(locked, expected)
        basis = preview_basis(preview)
        if rounds.next_round_basis(locked.tournament) != basis:
            raise Refused(PREVIEW_OUTDATED, number=preview.number)
        row = rounds.store_round(locked, basis, _paired_round(preview))
        for swap in preview.swaps.select_related("by"):
            _swap_seats(locked, row, swap)
        advancing.open_ready_matches(locked)
        preview.delete()
        after = {"round": basis.number, "seed": basis.seed_text}
        journal.write(locked.tournament, actor, JournalEntry("release round", "round", row.pk, after=after))
        return row


def undo_release(
    tournament_id: uuid.UUID, reason: str, actor: Actor, expected: int | None = None
) -> RoundPreview | None:
    """Hides the last round again as a preview.

    Raises Refused as `take_back_round` does, while a preview exists, and if the last round has not the id `expected`.
    Returns None if a seat was changed other than by swapping two players: then the round is only taken back.
    """
    with advancing.lock_tournament(tournament_id) as locked:
        if preview := find_preview(locked.tournament):
            raise Refused(ROUND_IS_PAIRED, number=preview.number)
        row = rounds.unplayed_last_round(locked.tournament, reason, expected)
        basis, pairings, swaps = row.basis.document, _drawn_pairings(row), _swaps(row)
        rounds.remove_round(locked, row)
        journal_entry = JournalEntry(
            "undo release of round", "round", row.pk, before={"round": row.number}, reason=reason
        )
        journal.write(locked.tournament, actor, journal_entry)
        if swaps is None:
            return None
        preview = RoundPreview.objects.create(
            tournament=locked.tournament,
            number=row.number,
            seed_text=row.seed_text,
            basis=basis,
            pairings=pairings,
            made_at=timezone.now(),
            made_by=actor.user,
        )
        for swap in swaps:
            swap.preview = preview
        PreviewSwap.objects.bulk_create(swaps)
        return preview


def discard_preview(tournament_id: uuid.UUID, actor: Actor) -> None:
    with advancing.lock_tournament(tournament_id) as locked:
        preview = _preview(locked)
        before = {"round": preview.number}
        preview.delete()
        rounds.hold_automatic_pairing(locked, preview.number)
        journal.write(locked.tournament, actor, JournalEntry("discard preview", "round", before=before))


def swap_players(
    tournament_id: uuid.UUID,
    first: uuid.UUID,
    second: uuid.UUID,
    reason: str,
    actor: Actor,
    *,
    number: int | None = None,
) -> None:
    """Swaps two players of the preview, also if the new pairs break an aim: the page shows the reasons.

    Raises Refused without a reason, for players who are not in the round, for opponents, and if this is not swap
    `number` of the preview.
    """
    with advancing.lock_tournament(tournament_id) as locked:
        preview = _preview(locked)
        if number not in (None, preview.swaps.count() + 1):
            raise Refused(ROUND_PREVIEW_CHANGED)
        if first == second:
            raise Refused(TWO_PLAYERS_NEEDED)
        if not reason.strip():
            raise Refused(HAND_REASON_NEEDED)
        seats = preview_seats(preview)
        if not {entry for pair in seats for entry in pair}.issuperset((first, second)):
            raise Refused(NOT_IN_PREVIEW)
        if any({first, second} == set(pair) for pair in seats):
            raise Refused(ALREADY_OPPONENTS)
        preview.swaps.create(
            first_id=first, second_id=second, reason=reason.strip(), at=timezone.now(), by=actor.user
        )
        after = {"round": preview.number, "players": [str(first), str(second)]}
        journal.write(
            locked.tournament, actor, JournalEntry("swap in preview", "round", after=after, reason=reason)
        )


def undo_swap(tournament_id: uuid.UUID, actor: Actor, *, number: int | None = None) -> None:
    """Takes the last swap of the preview back. Raises Refused if it is not swap `number`."""
    with advancing.lock_tournament(tournament_id) as locked:
        preview = _preview(locked)
        swap = preview.swaps.last()
        if number not in (None, preview.swaps.count()):
            raise Refused(ROUND_PREVIEW_CHANGED)
        if swap is None:
            raise Refused(NO_SWAP_TO_UNDO)
        before = {"round": preview.number, "players": [str(swap.first_id), str(swap.second_id)]}
        swap.delete()
        journal.write(locked.tournament, actor, JournalEntry("undo swap in preview", "round", before=before))


def preview_basis(preview: RoundPreview) -> Basis:
    return basis_from_json(preview.number, preview.seed_text, preview.basis)


def preview_seats(preview: RoundPreview) -> Seats:
    """The pairs of a preview with its changes by hand, line by line; None is a bye."""
    seats = _drawn_seats(preview)
    for swap in preview.swaps.all():
        seats = _swapped(seats, swap)
    return seats


def _drawn_seats(preview: RoundPreview) -> Seats:
    """The pairs of a preview before its changes by hand."""
    return [
        (uuid.UUID(row["left"]), uuid.UUID(row["right"]) if row["right"] else None)
        for row in preview.pairings
    ]


def _swapped(seats: Seats, swap: PreviewSwap) -> Seats:
    taker_of = {swap.first_id: swap.second_id, swap.second_id: swap.first_id}
    return [
        (taker_of.get(left, left), taker_of.get(right, right) if right else None) for left, right in seats
    ]


def _fitting_swaps(
    swaps: list[PreviewSwap], earlier_seats: Seats, seats: Seats, basis: Basis
) -> list[PreviewSwap]:
    together = {frozenset(pair) for pair in basis.forced}
    apart = {frozenset(pair) for pair in basis.kept_apart()}
    fitting = []
    for swap in swaps:
        players = (swap.first_id, swap.second_id)
        swapped = _swapped(seats, swap)
        splits = not together.isdisjoint(_pairs_of(players, seats))
        joins = not apart.isdisjoint(_pairs_of(players, swapped))
        has_same_opponents = _opponents(earlier_seats, players) == _opponents(seats, players)
        if has_same_opponents and not splits and not joins:
            fitting.append(swap)
            seats = swapped
        earlier_seats = _swapped(earlier_seats, swap)
    return fitting


def _pairs_of(players: Players, seats: Seats) -> set[frozenset[uuid.UUID | None]]:
    return {frozenset(pair) for pair in seats if not set(players).isdisjoint(pair)}


def _opponents(seats: Seats, players: Players) -> list[uuid.UUID | None]:
    """The opponent of each player; None is a bye."""
    opponent_of = dict(seats) | {right: left for left, right in seats if right}
    return [opponent_of.get(player) for player in players]


def _replace_preview(
    locked: LockedTournament, basis: Basis, paired: PairedByRecords, actor: Actor
) -> RoundPreview:
    RoundPreview.objects.filter(tournament=locked.tournament).delete()
    preview = RoundPreview.objects.create(
        tournament=locked.tournament,
        number=basis.number,
        seed_text=basis.seed_text,
        basis=basis.as_json(),
        pairings=_pairings_json(paired),
        made_at=timezone.now(),
        made_by=actor.user,
    )
    after = {"round": basis.number, "seed": basis.seed_text}
    journal.write(locked.tournament, actor, JournalEntry("preview round", "round", after=after))
    return preview


def _preview(locked: LockedTournament, expected: ExpectedPreview | None = None) -> RoundPreview:
    preview = find_preview(locked.tournament)
    if preview is None:
        raise Refused(NO_PREVIEW)
    if expected is not None and expected.stamp != stamp_of(preview):
        raise Refused(ROUND_PREVIEW_CHANGED)
    return preview


def _pairings_json(paired: PairedByRecords) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = [
        {"left": str(pair.left), "right": str(pair.right), "cost": pair.cost.as_json()}
        for pair in paired.pairs
    ]
    if isinstance(paired, PairedRound) and paired.bye is not None:
        rows.append({"left": str(paired.bye.entry), "right": None, "cost": paired.bye.cost.as_json()})
    return rows


def _paired_round(preview: RoundPreview) -> PairedRound[uuid.UUID]:
    """The round as it was paired, before changes by hand."""
    pairs = tuple(
        PairMade(uuid.UUID(row["left"]), uuid.UUID(row["right"]), Cost.from_json(row["cost"]))
        for row in preview.pairings
        if row["right"]
    )
    byes = [
        ByeGiven(uuid.UUID(row["left"]), Cost.from_json(row["cost"]))
        for row in preview.pairings
        if not row["right"]
    ]
    return PairedRound(pairs, byes[0] if byes else None, Tiers(), Tiers())


def _swap_seats(locked: LockedTournament, row: Round, swap: PreviewSwap) -> None:
    taker_of = {swap.first_id: swap.second_id, swap.second_id: swap.first_id}
    seats: dict[int, uuid.UUID | None] = {
        feed.pk: taker
        for entry, taker in taker_of.items()
        for feed in Feed.objects.filter(target__round=row, entry=entry)
    }
    seat_changes.change_seats(locked, seats, SeatChangeKind.SWAP, Actor(user=swap.by), swap.reason)


def _drawn_pairings(row: Round) -> list[dict[str, Any]]:
    """The pairings of a stored round as they were paired, before changes by hand."""
    pairings = Pairing.objects.filter(round=row).prefetch_related("fed_by__changes")
    return [_drawn_pairing(pairing) for pairing in pairings.order_by("line")]


def _drawn_pairing(pairing: Pairing) -> dict[str, Any]:
    drawn: dict[str, Any] = {"cost": pairing.cost}
    for feed in pairing.fed_by.all():
        changes = list(feed.changes.all())
        entry = changes[0].before_id if changes else feed.entry_id
        drawn[feed.seat] = str(entry) if entry else None
    return drawn


def _swaps(row: Round) -> list[PreviewSwap] | None:
    """The swaps of two players in a stored round; None if seats were changed in another way as well."""
    changes = SeatChange.objects.filter(feed__target__round=row).order_by("at", "pk")
    swaps = []
    for at, group in groupby(changes, key=lambda change: change.at):
        made = list(group)
        players = [change.before_id for change in made if change.before_id]
        if (
            len(made) != len(players)
            or len(players) != PLAYERS_OF_A_SWAP
            or made[0].kind != SeatChangeKind.SWAP
        ):
            return None
        swaps.append(
            PreviewSwap(
                first_id=players[0], second_id=players[1], reason=made[0].reason, at=at, by=made[0].by
            )
        )
    return swaps
