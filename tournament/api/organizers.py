"""API views of the organizer of an event: name, address, bank account, payment link, and text on receipts."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.access import permissions
from tournament.access.actors import Actor
from tournament.access.permissions import Capability
from tournament.api.describing import describes
from tournament.api.views import ApiView
from tournament.events import organizers
from tournament.events.organizers import OrganizerDetails
from tournament.models import Event
from tournament.queries.money.organizers import organizers_of, owns_organizer


def text_field(most: int, help_text: str = "") -> serializers.CharField:
    return serializers.CharField(
        max_length=most, required=False, allow_blank=True, default="", help_text=help_text
    )


class OrganizerBody(serializers.Serializer[Any]):
    """Fields that are left out become empty."""

    name = serializers.CharField(max_length=120, help_text="Printed on receipts.")
    account_holder = text_field(70)
    iban = text_field(42, "Players see it, also as a QR code.")
    bic = text_field(14)
    street = text_field(70)
    house_number = text_field(16)
    postcode = text_field(16)
    town = text_field(35)
    country = text_field(2, "Two letters, such as CH.")
    payment_link = text_field(
        300, "Such as https://example.com/pay/{amount}. It may also contain {currency} and {reference}."
    )
    tax_text = text_field(300, "Printed on receipts.")


FIELDS = tuple(OrganizerBody().fields)


class OtherOrganizerDocument(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    name = serializers.CharField()


class OrganizerDocument(OrganizerBody):
    """Of an organizer of another user, only name and IBAN are given."""

    id = serializers.UUIDField(allow_null=True, help_text="Null before the first change.")
    is_own = serializers.BooleanField(help_text="Only your own organizer can be changed.")
    others = OtherOrganizerDocument(many=True, help_text="Your other organizers, for another choice.")


class ChoiceBody(serializers.Serializer[Any]):
    organizer = serializers.UUIDField(
        help_text="One of your organizers, or with `is_new` an id that you make."
    )
    is_new = serializers.BooleanField(
        required=False,
        default=False,
        help_text="Makes it, with the name of the event. A repeated id makes none.",
    )


class OrganizerView(ApiView):
    @describes("show_organizer", {200: OrganizerDocument})
    def get(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Returns the organizer that keeps the money of the event. For owners of the event."""
        row = permissions.event_for(self.actor, event, Capability.OWN)
        return Response(organizer_json(row, self.actor))

    @describes("change_organizer", {200: OrganizerDocument}, 409, request=OrganizerBody)
    def put(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Changes the organizer in all events that it runs. Players pay to this account."""
        row = permissions.event_for(self.actor, event, Capability.OWN)
        details = OrganizerDetails(**self.read(OrganizerBody))
        row.organizer = organizers.change_organizer(row.pk, details, self.actor)
        return Response(organizer_json(row, self.actor))


class OrganizerChoiceView(ApiView):
    @describes("choose_organizer", {200: OrganizerDocument}, request=ChoiceBody)
    def put(self, request: Request, event: str) -> Response:  # noqa: ARG002
        """Gives the event another organizer of yours. Recorded payments and receipts stay."""
        row = permissions.event_for(self.actor, event, Capability.OWN)
        body = self.read(ChoiceBody)
        chosen, is_new = body["organizer"], body["is_new"]
        row.organizer = organizers.choose_organizer(row.pk, chosen, self.actor, is_new=is_new)
        return Response(organizer_json(row, self.actor))


def organizer_json(event: Event, actor: Actor) -> dict[str, Any]:
    organizer = event.organizer
    visible = FIELDS if organizer is None or owns_organizer(event, actor) else ("name", "iban")
    return {
        **{name: getattr(organizer, name) if organizer and name in visible else "" for name in FIELDS},
        "id": organizer.pk if organizer else None,
        "is_own": visible == FIELDS,
        "others": [{"id": row.pk, "name": row.name} for row in organizers_of(actor, event)],
    }
