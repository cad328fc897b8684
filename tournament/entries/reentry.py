"""Stores the terms of re-entry, and creates the next entry of a player who was knocked out.

The first entry and its results do not change. The price is only recorded; this module takes no money.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from typing import Any

from django.db.models import Max, Q

from matches.refusals import Refusal
from tournament.access.actors import Actor
from tournament.brackets import advancing
from tournament.brackets.advancing import LockedTournament
from tournament.brackets.double_entries import StillIn, reason_still_in
from tournament.draw.formats import Format
from tournament.draw.recipes.drops.knockout_format import CONSOLATION
from tournament.entries import late_entry, registration
from tournament.entries.registration import EntryDetails, NewEntry
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import Entry, Pairing, SeatChangeKind, Tournament
from tournament.models.brackets import Settled
from tournament.refusals.entries import (
    NO_REENTRY,
    NO_REENTRY_LEFT,
    NOT_DRAWN_YET,
    NOT_OUT_LIVES,
    NOT_OUT_NO_KNOCK_OUT,
    NOT_OUT_TO_PLAY,
    NOT_OUT_UNBEATEN,
    PRICE_OUT_OF_RANGE,
    REENTERED_ALREADY,
    REENTRY_CLOSED,
    ROUND_OUT_OF_RANGE,
    TIMES_OUT_OF_RANGE,
    WITHDRAWN_NOT_OUT,
)
from tournament.runtime.errors import Refused

MAIN = "main"
MOST_TIMES, LAST_ROUND, HIGHEST_PRICE = 9, 20, Decimal("999999.99")

NOT_OUT: Mapping[StillIn, Refusal] = {
    StillIn.WITHDRAWN: WITHDRAWN_NOT_OUT,
    StillIn.TO_PLAY: NOT_OUT_TO_PLAY,
    StillIn.LIVES: NOT_OUT_LIVES,
    StillIn.NO_KNOCK_OUT: NOT_OUT_NO_KNOCK_OUT,
    StillIn.UNBEATEN: NOT_OUT_UNBEATEN,
}


@dataclass(frozen=True, slots=True)
class ReentryTerms:
    """`until_round`: re-entry closes when a match of that round of the main bracket begins; 0 means never. `into`: the
    bracket of the new entry. `times`: the number of re-entries of one player."""

    allowed: bool = False
    price: Decimal | None = None
    until_round: int = 0
    into: str = MAIN
    times: int = 1

    def as_json(self) -> dict[str, Any]:
        price = str(self.price) if self.price is not None else None
        return {
            "allowed": self.allowed,
            "price": price,
            "until_round": self.until_round,
            "into": self.into,
            "times": self.times,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ReentryTerms:
        values = {name: data[name] for name in ("allowed", "until_round", "into", "times") if name in data}
        try:
            price = Decimal(data["price"]) if data.get("price") else None
        except InvalidOperation:
            price = None
        return cls(price=price, **values)


def terms_of(tournament: Tournament) -> ReentryTerms:
    return ReentryTerms.from_json(tournament.reentry)


def format_to_draw(tournament: Tournament) -> Format:
    """Returns the format; its consolation keeps byes if the terms let players re-enter there."""
    terms = terms_of(tournament)
    keeps_byes = terms.allowed and terms.into == CONSOLATION
    return replace(Format.from_json(tournament.format), keeps_byes=keeps_byes)


def count_free_seats(tournament: Tournament) -> int:
    """Returns the number of free seats in the bracket of the terms; 0 before the draw."""
    return len(late_entry.available_places(tournament, _target_bracket(terms_of(tournament))))


def set_terms(tournament_id: uuid.UUID, terms: ReentryTerms, actor: Actor) -> None:
    """Stores the terms of re-entry. Raises Refused for numbers out of range."""
    if not 1 <= terms.times <= MOST_TIMES:
        raise Refused(TIMES_OUT_OF_RANGE, most=MOST_TIMES)
    if not 0 <= terms.until_round <= LAST_ROUND:
        raise Refused(ROUND_OUT_OF_RANGE, last=LAST_ROUND)
    if terms.price is not None and not 0 <= terms.price <= HIGHEST_PRICE:
        raise Refused(PRICE_OUT_OF_RANGE, most=HIGHEST_PRICE)
    with advancing.lock_tournament(tournament_id) as locked:
        tournament, before = locked.tournament, terms_of(locked.tournament)
        if before == terms:
            return
        tournament.reentry = terms.as_json()
        tournament.save(update_fields=["reentry"])
        journal_entry = JournalEntry(
            "set re-entry", "tournament", tournament.pk, before.as_json(), terms.as_json()
        )
        journal.write(tournament, actor, journal_entry)


def find_refusal(entry: Entry) -> Refused | None:
    """Returns why this player may not re-enter now, or None. Does not check for a free seat."""
    tournament = entry.tournament
    try:
        _refuse_unless_allowed(tournament, terms_of(tournament), entry)
    except Refused as refused:
        return refused
    return None


def loser_would_be_out(entry: Entry) -> bool:
    """Returns True if a loss would knock out the new entry while other losers of that round play on."""
    tournament = entry.tournament
    return late_entry.loser_would_be_out(
        tournament, _target_bracket(terms_of(tournament)), _entry_ids_of_player(tournament, entry)
    )


def matches_that_would_wait(entry: Entry) -> Collection[Pairing]:
    """Returns the ready matches that may have to wait if this player re-enters."""
    tournament = entry.tournament
    into, entry_ids = _target_bracket(terms_of(tournament)), _entry_ids_of_player(tournament, entry)
    return late_entry.matches_that_would_wait(tournament, into, entry_ids).values()


def re_enter(entry: Entry, actor: Actor, seed_text: str = "") -> Entry:
    """Creates the player's next entry, not paid, on a random free seat. Raises Refused if the terms do not allow it."""
    with advancing.lock_tournament(entry.tournament_id) as locked:
        entry = Entry.objects.select_related("player").get(pk=entry.pk)
        terms = terms_of(locked.tournament)
        _refuse_unless_allowed(locked.tournament, terms, entry)
        if late_entry.joins_the_next_round(locked.tournament):
            late_entry.refuse_after_the_last_round(locked.tournament)
            locked.touch_all()  # with lives, the standings list the entry before its first match
            return _create_entry(locked, entry, terms, actor)
        drawn_place = late_entry.draw_place(
            locked.tournament,
            seed_text=seed_text,
            bracket=_target_bracket(terms),
            avoiding=_entry_ids_of_player(locked.tournament, entry),
        )
        new_entry = _create_entry(locked, entry, terms, actor)
        late_entry.seat_entry(locked, new_entry, drawn_place, SeatChangeKind.RE_ENTRY, actor)
        return new_entry


def _entry_ids_of_player(tournament: Tournament, entry: Entry) -> set[uuid.UUID]:
    entries = Entry.objects.filter(tournament=tournament, player=entry.player)
    return set(entries.values_list("pk", flat=True))


def _target_bracket(terms: ReentryTerms) -> str | None:
    return None if terms.into == MAIN else terms.into


def _create_entry(locked: LockedTournament, entry: Entry, terms: ReentryTerms, actor: Actor) -> Entry:
    details = EntryDetails(registration.details_of(entry).player)
    again = NewEntry(details, entry.player_id, entry.number + 1, is_checked_in=True)
    (new_entry,) = registration.create_entries(locked, [again], actor)
    after = {"number": new_entry.number, "price": terms.as_json()["price"], "first_entry": entry.pk}
    journal.write(locked.tournament, actor, JournalEntry("re-enter", "entry", new_entry.pk, after=after))
    return new_entry


def _refuse_unless_allowed(tournament: Tournament, terms: ReentryTerms, entry: Entry) -> None:
    name = entry.name
    if not terms.allowed:
        raise Refused(NO_REENTRY)
    if advancing.current_draw(tournament) is None:
        raise Refused(NOT_DRAWN_YET)
    entries = Entry.objects.filter(tournament=tournament, player=entry.player)
    last = entries.aggregate(last=Max("number"))["last"]
    if last > entry.number:
        raise Refused(REENTERED_ALREADY, name=name)
    if entry.number > terms.times:
        raise Refused(NO_REENTRY_LEFT, name=name)
    if terms.until_round and _has_begun(tournament, terms.until_round):
        raise Refused(REENTRY_CLOSED, round=terms.until_round)
    reason = reason_still_in(tournament, entry)
    if reason is not None:
        raise Refused(NOT_OUT[reason], name=name)


def _has_begun(tournament: Tournament, number: int) -> bool:
    main = Q(round__bracket__key=MAIN) | Q(round__bracket__key__startswith="group ")
    rounds = Pairing.objects.filter(main, round__bracket__tournament=tournament, round__number__gte=number)
    return rounds.filter(Q(match__began_at__isnull=False) | Q(settled=Settled.PLAYED)).exists()
