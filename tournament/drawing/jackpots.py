"""Opens, joins, leaves and closes jackpots: knock-outs of four or eight players beside a tournament.

A full jackpot is drawn automatically. `brackets.storage` writes its bracket like any other.
"""

import secrets
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Max
from django.utils import timezone

from tournament.access.actors import Actor
from tournament.brackets import advancing, storage
from tournament.brackets.advancing import LockedTournament
from tournament.brackets.lengths import validate_lengths
from tournament.brackets.storage import GraphToStore
from tournament.draw import chance
from tournament.draw.recipes import apply_order, single_elimination
from tournament.fees.amounts import Amount, exponent_of
from tournament.ledger.charging import charge_players, refuse_uneven_price, schedule_of
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import Entry, Jackpot, JackpotSeat, Tournament
from tournament.models.jackpots import JACKPOT_SIZES
from tournament.refusals.entries import PRICE_OUT_OF_RANGE
from tournament.refusals.jackpots import (
    JACKPOT_BEFORE_RELEASE,
    JACKPOT_CLOSED,
    JACKPOT_KEY_REUSED,
    JACKPOT_SIZE_UNKNOWN,
    JACKPOT_STARTED,
    JOINED_ALREADY,
    PLAYER_WITHDRAWN,
)
from tournament.runtime.errors import NotFound, Refused

HIGHEST_PRICE = Decimal("999999.99")


@dataclass(frozen=True, slots=True)
class JackpotPlan:
    """`key` is an idempotency key that the client makes: the same key opens one jackpot only."""

    size: int
    length: int
    price: Decimal | None = None
    key: uuid.UUID | None = None


def _written_price(tournament: Tournament, price: Decimal | None) -> str | None:
    """The price for the journal, in the currency of the fees if there are any."""
    schedule = schedule_of(tournament)
    if not price or schedule is None:
        return str(price) if price else None
    return str(Amount(int(price.scaleb(exponent_of(schedule.currency))), schedule.currency))


def open_jackpot(tournament_id: uuid.UUID, plan: JackpotPlan, actor: Actor) -> Jackpot:
    """Opens a jackpot. Idempotent by key; raises Refused if the key opened a different jackpot."""
    if plan.size not in JACKPOT_SIZES:
        raise Refused(JACKPOT_SIZE_UNKNOWN)
    if plan.price is not None and not 0 <= plan.price <= HIGHEST_PRICE:
        raise Refused(PRICE_OUT_OF_RANGE, most=HIGHEST_PRICE)
    validate_lengths([plan.length])
    with advancing.lock_tournament(tournament_id) as locked:
        key = plan.key or uuid.uuid4()
        existing = Jackpot.objects.filter(pk=key).first()
        if existing is not None:
            return _same_jackpot(existing, locked.tournament, plan)
        _refuse_before_the_draw(locked.tournament)
        refuse_uneven_price(schedule_of(locked.tournament), [plan.price])
        last = locked.tournament.jackpots.aggregate(last=Max("number"))["last"] or 0
        jackpot = Jackpot.objects.create(
            pk=key,
            tournament=locked.tournament,
            number=last + 1,
            size=plan.size,
            length=plan.length,
            price=plan.price,
            opened_at=timezone.now(),
        )
        price = _written_price(locked.tournament, plan.price)
        details = {"size": plan.size, "length": plan.length, "price": price}
        _journal(locked, actor, "open jackpot", jackpot, details)
        return jackpot


def _same_jackpot(existing: Jackpot, tournament: Tournament, plan: JackpotPlan) -> Jackpot:
    """Returns the existing jackpot; raises Refused if the plan differs from it."""
    if (existing.tournament_id, existing.size, existing.length, existing.price) != (
        tournament.pk,
        plan.size,
        plan.length,
        plan.price,
    ):
        raise Refused(JACKPOT_KEY_REUSED)
    return existing


def join(jackpot_id: uuid.UUID, entry: Entry, actor: Actor) -> Jackpot:
    """Joins the jackpot; the last player starts it. Idempotent."""
    with advancing.lock_tournament(entry.tournament_id) as locked:
        jackpot = _load(locked.tournament, jackpot_id)
        if jackpot.seats.filter(entry=entry).exists():
            return jackpot
        _refuse_unless_open(jackpot)
        fresh = Entry.objects.select_related("player").get(pk=entry.pk)
        if fresh.is_withdrawn:
            raise Refused(PLAYER_WITHDRAWN, name=fresh.name)
        if jackpot.seats.filter(entry__player=fresh.player).exists():
            raise Refused(JOINED_ALREADY, name=fresh.name)
        JackpotSeat.objects.create(jackpot=jackpot, entry=fresh, joined_at=timezone.now())
        _journal(locked, actor, "join jackpot", jackpot, {"entry": fresh.pk})
        charge_players(fresh.player.event_id, [fresh.player_id], actor)
        if jackpot.seats.count() == jackpot.size:
            _start(locked, jackpot, actor)
        return jackpot


def leave(jackpot_id: uuid.UUID, entry: Entry, actor: Actor) -> None:
    """Leaves a jackpot that is not full yet. Idempotent."""
    with advancing.lock_tournament(entry.tournament_id) as locked:
        jackpot = _load(locked.tournament, jackpot_id)
        seat = jackpot.seats.filter(entry=entry).first()
        if seat is None:
            return
        _refuse_unless_open(jackpot)
        seat.delete()
        _journal(locked, actor, "leave jackpot", jackpot, {"entry": entry.pk})
        charge_players(locked.tournament.event_id, [entry.player_id], actor)


def close(jackpot: Jackpot, actor: Actor, reason: str = "") -> None:
    """Closes a jackpot that did not fill. Idempotent."""
    with advancing.lock_tournament(jackpot.tournament_id) as locked:
        current = _load(locked.tournament, jackpot.pk)
        if current.closed_at is not None:
            return
        _refuse_unless_open(current)
        current.closed_at = timezone.now()
        current.save(update_fields=["closed_at"])
        _journal(locked, actor, "close jackpot", current, {}, reason)
        players = current.seats.values_list("entry__player", flat=True)
        charge_players(locked.tournament.event_id, set(players), actor)


def _start(locked: LockedTournament, jackpot: Jackpot, actor: Actor) -> None:
    """Draws the bracket from the players in the order in which they joined, and opens its matches."""
    key, seed_text = f"jackpot {jackpot.number}", secrets.token_hex(16)
    order = chance.shuffle(jackpot.seats.values_list("entry_id", flat=True), seed_text)
    graph = apply_order(single_elimination(jackpot.size, key), order)
    storage.write(locked, GraphToStore(graph, lengths={key: [jackpot.length]}))
    jackpot.bracket = locked.tournament.brackets.get(key=key)
    jackpot.seed_text = seed_text
    jackpot.save(update_fields=["bracket", "seed_text"])
    advancing.open_ready_matches(locked)
    details = {"seed": seed_text, "order": [str(pk) for pk in order]}
    _journal(locked, actor, "draw jackpot", jackpot, details)


def _load(tournament: Tournament, jackpot_id: uuid.UUID) -> Jackpot:
    jackpot = Jackpot.objects.filter(pk=jackpot_id, tournament=tournament).first()
    if jackpot is None:
        raise NotFound
    return jackpot


def _refuse_before_the_draw(tournament: Tournament) -> None:
    draw = advancing.current_draw(tournament)
    if draw is None or not draw.is_released:
        raise Refused(JACKPOT_BEFORE_RELEASE)


def _refuse_unless_open(jackpot: Jackpot) -> None:
    if jackpot.bracket_id is not None:
        raise Refused(JACKPOT_STARTED, number=jackpot.number)
    if jackpot.closed_at is not None:
        raise Refused(JACKPOT_CLOSED, number=jackpot.number)
    _refuse_before_the_draw(jackpot.tournament)


def _journal(
    locked: LockedTournament,
    actor: Actor,
    verb: str,
    jackpot: Jackpot,
    details: Mapping[str, object],
    reason: str = "",
) -> None:
    journal_entry = JournalEntry(
        verb, "jackpot", jackpot.pk, after={"jackpot": jackpot.number, **details}, reason=reason
    )
    journal.write(locked.tournament, actor, journal_entry)
