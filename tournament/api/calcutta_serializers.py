"""Bodies and documents of the API about auctions of players, called Calcuttas."""

from typing import Any

from django.utils.translation import gettext
from rest_framework import serializers

from tournament.api.money_serializers import AmountDocument, amount_json, currency_field
from tournament.entries.lists.limits import LONGEST_NAME, MOST_ENTRIES
from tournament.fees.amounts import MOST_MINOR_UNITS
from tournament.fees.shares import WHOLE
from tournament.models import Player
from tournament.money.calcutta import Buyer, Terms
from tournament.prizes.calcutta import LONGEST_STATE, MOST_PARTS, MOST_PLACES
from tournament.queries.money.calcutta import Auction, LotLine


class TermsBody(serializers.Serializer[Any]):
    currency = currency_field()
    minimum = serializers.IntegerField(
        min_value=1, max_value=MOST_MINOR_UNITS, help_text="Lowest first bid, in minor units."
    )
    step = serializers.IntegerField(
        min_value=1, max_value=MOST_MINOR_UNITS, help_text="Bids rise by at least this."
    )
    rake = serializers.IntegerField(
        min_value=0,
        max_value=WHOLE,
        required=False,
        default=0,
        help_text="Kept by the organizer, in hundredths of a percent.",
    )
    split = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=100),
        max_length=MOST_PLACES,
        help_text="Percent of each place, 100 together.",
    )
    is_public = serializers.BooleanField(
        required=False, default=False, help_text="Everybody may see lots and buyers, without amounts."
    )

    def validate_split(self, split: list[int]) -> tuple[int, ...]:
        if sum(split) != 100:
            raise serializers.ValidationError(gettext("All percentages together are 100."))
        return tuple(split)


class NewLotBody(serializers.Serializer[Any]):
    """The entries that are sold together, each entry without a lot, or the field: everybody who is in no other sold
    lot."""

    entries = serializers.ListField(
        child=serializers.UUIDField(), required=False, default=list, max_length=MOST_ENTRIES
    )
    each = serializers.BooleanField(
        required=False, default=False, help_text="A lot for each entry that has none."
    )
    is_field = serializers.BooleanField(required=False, default=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["each"] and (attrs["entries"] or attrs["is_field"]):
            raise serializers.ValidationError(gettext("Give `each`, `entries` or `is_field`."))
        return attrs


class LotBody(serializers.Serializer[Any]):
    state = serializers.CharField(
        max_length=LONGEST_STATE,
        help_text="Of the lot that you saw. A lot that changed meanwhile is refused.",
    )


class PersonBody(LotBody):
    """A player of the event, or the name of another person."""

    player = serializers.UUIDField(required=False, allow_null=True, default=None)
    name = serializers.CharField(max_length=LONGEST_NAME, required=False, allow_blank=True, default="")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["player"] is None and not attrs["name"]:
            raise serializers.ValidationError(gettext("Give a player or a name."))
        return attrs


class BidBody(PersonBody):
    minor = serializers.IntegerField(min_value=1, max_value=MOST_MINOR_UNITS)


class ShareBody(PersonBody):
    parts = serializers.IntegerField(
        min_value=0, max_value=MOST_PARTS, help_text="Of all parts of the lot. 0 ends the share."
    )


class BuyBackBody(LotBody):
    player = serializers.UUIDField(help_text="A player of the lot.")


class PersonDocument(serializers.Serializer[Any]):
    player = serializers.UUIDField()
    name = serializers.CharField()


class BidDocument(PersonDocument):
    amount = AmountDocument()


class OwnerDocument(PersonDocument):
    share = serializers.CharField(help_text="A fraction such as 1/2; 1 for a sole owner.")
    amount = AmountDocument(help_text="What the owner is charged.")


class LotDocument(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    number = serializers.IntegerField()
    state = serializers.CharField(help_text="Send it with a change of the lot.")
    is_field = serializers.BooleanField()
    entries = serializers.ListField(child=serializers.UUIDField())
    least = AmountDocument(help_text="Least amount of the next bid.")
    bids = BidDocument(many=True, help_text="Highest first.")
    sold_at = serializers.DateTimeField(allow_null=True)
    bought_back_by = serializers.UUIDField(allow_null=True, help_text="The player who bought half of it.")
    owners = OwnerDocument(many=True)


class TermsDocument(serializers.Serializer[Any]):
    currency = serializers.CharField()
    minimum = serializers.IntegerField()
    step = serializers.IntegerField()
    rake = serializers.IntegerField()
    split = serializers.ListField(child=serializers.IntegerField())
    is_public = serializers.BooleanField()


class CalcuttaDocument(serializers.Serializer[Any]):
    terms = TermsDocument()
    pot = AmountDocument(help_text="Sold lots less the rake.")
    is_awarded = serializers.BooleanField(help_text="The owners were awarded the pot.")
    lots = LotDocument(many=True)


class PublicLotDocument(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    is_field = serializers.BooleanField()
    entries = serializers.ListField(child=serializers.UUIDField())
    is_sold = serializers.BooleanField()
    owners = serializers.ListField(child=serializers.CharField(), help_text="Names.")


class PublicAuctionDocument(serializers.Serializer[Any]):
    lots = PublicLotDocument(many=True)


def public_auction_json(auction: Auction) -> dict[str, Any]:
    lots = [
        {
            "number": line.lot.number,
            "is_field": line.lot.is_field,
            "entries": [entry.pk for entry in line.entries],
            "is_sold": line.is_sold,
            "owners": [owner.player.name for owner in line.owners],
        }
        for line in auction.lots
    ]
    return {"lots": lots}


def terms_of(body: dict[str, Any]) -> Terms:
    return Terms(**body)


def buyer_of(body: dict[str, Any]) -> Buyer:
    """A name counts only without a player."""
    return Buyer(body["player"], body["name"])


def calcutta_json(auction: Auction) -> dict[str, Any]:
    row = auction.calcutta
    return {
        "terms": {
            "currency": row.currency,
            "minimum": row.minimum,
            "step": row.step,
            "rake": row.rake,
            "split": list(row.split),
            "is_public": row.is_public,
        },
        "pot": amount_json(auction.pot),
        "is_awarded": bool(row.awards_stamp),
        "lots": [_lot_json(line) for line in auction.lots],
    }


def _lot_json(line: LotLine) -> dict[str, Any]:
    lot = line.lot
    return {
        "id": lot.pk,
        "number": lot.number,
        "state": line.state,
        "is_field": lot.is_field,
        "entries": [entry.pk for entry in line.entries],
        "least": amount_json(line.least),
        "bids": [{**_person_json(player), "amount": amount_json(amount)} for player, amount in line.bids],
        "sold_at": lot.sold_at,
        "bought_back_by": lot.bought_back_by_id,
        "owners": [
            {
                **_person_json(owner.player),
                "share": str(owner.share),
                "amount": amount_json(owner.amount),
            }
            for owner in line.owners
        ],
    }


def _person_json(player: Player) -> dict[str, Any]:
    return {"player": player.pk, "name": player.registered_name}
