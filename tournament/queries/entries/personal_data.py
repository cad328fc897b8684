"""Collects the stored data of one person as plain values for a file. Reads only."""

import uuid
from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from matches.models import GameRecord, Match
from tournament.entries.personal_data import matches_of
from tournament.fees.amounts import Amount
from tournament.ledger.balances import of_players
from tournament.models import (
    AccountKind,
    CalcuttaBid,
    CalcuttaLot,
    CalcuttaShare,
    Entry,
    Evidence,
    JournalLine,
    Pairing,
    PersonalLink,
    Player,
    Question,
    Result,
    Transfer,
    WinnerPicture,
)
from tournament.queries.entries.names import names_by_id

PLAYER = (
    "name",
    "full_name",
    "country",
    "club",
    "team",
    "federation_id",
    "rating",
    "conditions",
    "removed_at",
)
ENTRY = (
    "number",
    "seed",
    "starting_losses",
    "is_paid",
    "entered_at",
    "checked_in_at",
    "withdrawn_at",
    "gave_up_place",
    "pools",
)
LINK = ("made_at", "approved_at", "revoked_at", "connected_at")
RESULT = ("kind", "left_points", "right_points", "confirmed_by", "posted_at")
QUESTION = ("kind", "asked_by", "note", "opened_at", "closed_at", "ruling", "rule")
FILE = ("size", "uploaded_by", "uploaded_at")
PICTURE = ("size", "description", "uploaded_at")
LINE = ("at", "verb", "subject", "before", "after", "reason")


def find_players(text: str) -> QuerySet[Player]:
    """Returns the players of all events with this federation number, or with this text in their names."""
    named = Q(name__icontains=text) | Q(full_name__icontains=text) | Q(federation_id=text)
    players = Player.objects.filter(named, removed_at__isnull=True).select_related("event")
    return players.order_by("name", "event__starts_on")


def find_player(player_id: uuid.UUID) -> Player | None:
    return Player.objects.select_related("event").filter(pk=player_id).first()


def personal_data(players: Iterable[Player]) -> dict[str, Any]:
    """Photos and game records are listed by name and size, without their content."""
    return {"made_at": timezone.now(), "events": [_event_data(player) for player in players]}


def _event_data(player: Player) -> dict[str, Any]:
    entries = list(player.entries.select_related("tournament").order_by("entered_at"))
    matches = list(matches_of(player).order_by("opened_at"))
    return {
        "event": {"name": player.event.name, "slug": player.event.slug, "starts_on": player.event.starts_on},
        "player": {"id": player.pk, **_values(player, PLAYER)},
        "entries": [_entry(entry) for entry in entries],
        "matches": [_match(match) for match in matches],
        "winner_pictures": [
            {"name": f"{picture.pk}.jpg", **_values(picture, PICTURE)} for picture in _winner_pictures(player)
        ],
        "money": [_transfer(transfer) for transfer in _transfers(player)],
        "auction": _auction(player),
        "signatures": [signature.strokes for signature in player.payout_signatures.order_by("pk")],
        "journal": [_values(line, LINE) for line in _journal(player, entries)],
    }


def _entry(entry: Entry) -> dict[str, Any]:
    links = PersonalLink.objects.filter(entry=entry)
    return {
        "id": entry.pk,
        "tournament": entry.tournament.name,
        **_values(entry, ENTRY),
        "links": [_values(link, LINK) for link in links],
    }


def _match(match: Match) -> dict[str, Any]:
    names = names_by_id(Entry.objects.filter(pk__in=(match.left, match.right)))
    pairing = Pairing.objects.select_related("round__bracket__tournament").filter(match=match).first()
    questions = Question.objects.filter(match=match)
    photos = Evidence.objects.filter(question__in=questions).defer("photo")
    records = GameRecord.objects.filter(match=match).defer("data", "verdict").order_by("uploaded_at")
    return {
        "id": match.pk,
        "tournament": pairing.round.bracket.tournament.name if pairing else None,
        "bracket": pairing.round.bracket.key if pairing else None,
        "round": pairing.round.number if pairing else None,
        "left": names.get(match.left, ""),
        "right": names.get(match.right, ""),
        "length": match.length,
        "left_points": match.left_points,
        "right_points": match.right_points,
        "state": match.state,
        "results": [
            _values(result, RESULT) for result in Result.objects.filter(match=match).order_by("posted_at")
        ],
        "questions": [_values(question, QUESTION) for question in questions],
        "photos": [{"name": f"{photo.pk}.jpg", **_values(photo, FILE)} for photo in photos],
        "game_records": [{"name": record.name, **_values(record, FILE)} for record in records],
    }


def _transfers(player: Player) -> QuerySet[Transfer]:
    is_own = of_players([player.pk])
    return (
        Transfer.objects.filter(is_own)
        .select_related("transaction__signature", "source", "target")
        .order_by("pk")
    )


def _transfer(transfer: Transfer) -> dict[str, Any]:
    """`amount` is what the player owes by it; negative amounts are paid or won. `account` is the other side."""
    is_debit = transfer.target.kind == AccountKind.PLAYER
    account = transfer.source if is_debit else transfer.target
    minor = transfer.amount if is_debit else -transfer.amount
    signature = getattr(transfer.transaction, "signature", None)
    return {
        "at": transfer.transaction.at,
        "deed": transfer.transaction.deed,
        "line": transfer.line,
        "amount": str(Amount(minor, account.currency)),
        "account": account.kind,
        "signature": signature.strokes if signature else "",
    }


def _auction(player: Player) -> dict[str, Any]:
    """The lots of the player's own entries, and what the player bid for and owns."""
    lots = CalcuttaLot.objects.filter(seats__entry__player=player)
    bids, shares = CalcuttaBid.objects.filter(buyer=player), CalcuttaShare.objects.filter(owner=player)
    return {
        "lots": [_lot(lot) | {"sold_at": lot.sold_at} for lot in lots.select_related("calcutta__tournament")],
        "bids": [
            _lot(bid.lot) | {"at": bid.at, "amount": str(Amount(bid.amount, bid.lot.calcutta.currency))}
            for bid in bids.select_related("lot__calcutta__tournament").order_by("at")
        ],
        "shares": [
            _lot(share.lot) | {"parts": share.parts}
            for share in shares.select_related("lot__calcutta__tournament").order_by("pk")
        ],
    }


def _lot(lot: CalcuttaLot) -> dict[str, Any]:
    return {"tournament": lot.calcutta.tournament.name, "lot": lot.number}


def _winner_pictures(player: Player) -> QuerySet[WinnerPicture]:
    return WinnerPicture.objects.filter(players=player).defer("photo").order_by("uploaded_at")


def _journal(player: Player, entries: Iterable[Entry]) -> Iterable[JournalLine]:
    entry_ids = [entry.pk for entry in entries]
    about = (
        Q(subject="entry", subject_id__in=list(map(str, entry_ids)))
        | Q(subject="player", subject_id=str(player.pk))
        | Q(entry__in=entry_ids)
        | Q(after__player=str(player.pk))
    )
    return JournalLine.objects.filter(about, event=player.event_id).order_by("at", "pk")


def _values(row: object, names: Iterable[str]) -> Mapping[str, Any]:
    return {name: getattr(row, name) for name in names}
