"""Organizers: who runs events and keeps their money. Only the owner of an organizer changes it."""

import uuid
from dataclasses import asdict, dataclass, fields

from django.contrib.auth.models import User
from django.db import transaction

from tournament.access.actors import Actor
from tournament.access.permissions import require_user
from tournament.fees.bank_details import is_bic, is_country, is_iban, is_payment_link, plain_iban
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import Event, Organizer
from tournament.refusals.money import (
    BIC_IS_WRONG,
    COUNTRY_IS_WRONG,
    IBAN_IS_WRONG,
    ORGANIZER_CHANGED,
    ORGANIZER_OF_ANOTHER,
    PAYMENT_LINK_IS_WRONG,
)
from tournament.runtime.errors import NotFound, Refused
from tournament.runtime.event_lock import lock_event
from tournament.runtime.revisions import refuse_changed_settings

SHOWN_DIGITS = 4
"""The last characters of an IBAN that the journal repeats."""


@dataclass(frozen=True, slots=True)
class OrganizerDetails:
    name: str
    account_holder: str = ""
    iban: str = ""
    bic: str = ""
    street: str = ""
    house_number: str = ""
    postcode: str = ""
    town: str = ""
    country: str = ""
    payment_link: str = ""
    tax_text: str = ""


def default_organizer(owner: User) -> Organizer:
    """Returns the first organizer of the user, made with the user's name if there is none. Call it in a transaction."""
    return first_organizer(owner) or Organizer.objects.create(
        name=owner.get_full_name() or owner.get_username(), owner=owner
    )


def first_organizer(owner: User) -> Organizer | None:
    return Organizer.objects.filter(owner=owner).order_by("name", "pk").first()


def needs_organizer(event: Event) -> bool:
    """True without an organizer, and with one that has no owner and nothing but a name."""
    organizer = event.organizer
    if organizer is None:
        return True
    details = asdict(_details(organizer)) | {"name": ""}
    return organizer.owner_id is None and not (any(details.values()) or organizer.prize_templates)


def own_organizer(event: Event, actor: Actor) -> Organizer:
    """Returns the organizer of the locked event; the default one of the acting user if it needs one.

    Raises Refused for that of another user.
    """
    owner = require_user(actor)
    if event.organizer is None or needs_organizer(event):
        event.organizer = default_organizer(owner)
        event.save(update_fields=["organizer"])
    if event.organizer.owner_id != owner.pk:
        raise Refused(ORGANIZER_OF_ANOTHER)
    return event.organizer


def organizer_for(event: Event, owner: User) -> Organizer | None:
    """The organizer whose details the owner of the event changes; None if it is made first."""
    return first_organizer(owner) if needs_organizer(event) else event.organizer


def organizer_settings(organizer: Organizer | None) -> dict[str, str]:
    return asdict(_details(organizer)) if organizer else {}


@transaction.atomic
def change_organizer(
    event_id: uuid.UUID, details: OrganizerDetails, actor: Actor, *, revision: str = ""
) -> Organizer:
    """Changes the organizer of the event in all its events.

    `revision`: that of the stored details that these replace; empty to replace any. Raises Refused if they have another
    one, for an organizer of another user, and for bank details that cannot be right.
    """
    event = lock_event(event_id)
    present = organizer_for(event, require_user(actor))
    if present is not None:  # other events of the organizer change it under other locks
        present = Organizer.objects.select_for_update(no_key=True).get(pk=present.pk)
    refuse_changed_settings(organizer_settings(present), revision, ORGANIZER_CHANGED)
    values = _checked(details)
    organizer = own_organizer(event, actor)
    before = {name: getattr(organizer, name) for name in values}
    for name, value in values.items():
        setattr(organizer, name, value)
    organizer.save(update_fields=list(values))
    if before != values:
        action = JournalEntry(
            "change organizer", "event", event.pk, _journal_values(before), _journal_values(values)
        )
        journal.write(event, actor, action)
    return organizer


@transaction.atomic
def choose_organizer(
    event_id: uuid.UUID, organizer_id: uuid.UUID, actor: Actor, *, is_new: bool = False
) -> Organizer:
    """Gives the event another organizer of the acting user. `is_new` makes it if there is none of this id.

    Raises NotFound for any other.
    """
    owner = require_user(actor)
    event = lock_event(event_id)
    organizer = Organizer.objects.filter(pk=organizer_id).first()
    if organizer is None and is_new:
        defaults = {"name": event.name, "owner": owner}
        organizer, _is_created = Organizer.objects.get_or_create(pk=organizer_id, defaults=defaults)
    if organizer is None or organizer.owner_id != owner.pk:
        raise NotFound
    if event.organizer_id != organizer.pk:
        Event.with_deleted.filter(pk=event.pk).update(organizer=organizer)
        after = _journal_values(asdict(_details(organizer)))
        journal.write(event, actor, JournalEntry("choose organizer", "event", event.pk, after=after))
    return organizer


def _details(organizer: Organizer) -> OrganizerDetails:
    return OrganizerDetails(
        **{field.name: getattr(organizer, field.name) for field in fields(OrganizerDetails)}
    )


def _checked(details: OrganizerDetails) -> dict[str, str]:
    values = {name: value.strip() for name, value in asdict(details).items()}
    values |= {name: plain_iban(values[name]) for name in ("iban", "bic", "country")}
    for name, is_right, refusal in (
        ("iban", is_iban, IBAN_IS_WRONG),
        ("bic", is_bic, BIC_IS_WRONG),
        ("country", is_country, COUNTRY_IS_WRONG),
        ("payment_link", is_payment_link, PAYMENT_LINK_IS_WRONG),
    ):
        if values[name] and not is_right(values[name]):
            raise Refused(refusal)
    return values


def _journal_values(values: dict[str, str]) -> dict[str, str]:
    """The data that identify the receiver of money, without names of people."""
    iban = values["iban"]
    visible = {"iban": f"…{iban[-SHOWN_DIGITS:]}" if iban else "", "payment_link": values["payment_link"]}
    return {name: value for name, value in visible.items() if value}
