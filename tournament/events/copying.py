"""Copies events and tournaments: settings, match lengths, tables, slides, screens, logo, fees and prizes, but no
people, no money and no auction of players.
"""

import uuid
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from tournament.access.actors import Actor
from tournament.accounts.links import new_token
from tournament.events import setup
from tournament.events.setup import EventPlan
from tournament.fees.other_day import moved_by
from tournament.fees.stored import parse_schedule, schedule_as_json
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import DisplayLink, Event, EventLogo, ExchangeRate, Room, Slide, Table, Tournament
from tournament.runtime.token_digest import digest
from tournament.screens.plan import Plan

COPIED_FIELDS = (
    *setup.FIELDS, "reentry", "round_release", "release_grace", "visibility", "fees", "prize_structure",
)  # fmt: skip


@transaction.atomic
def copy_event(event: Event, plan: EventPlan, actor: Actor) -> Event:
    """Creates a private event with the tournaments, tables, slides, screens and logo of another one.

    Archived tournaments and closed tables are left out. Each screen needs a new link. Raises Refused like
    `setup.create_event`.
    """
    copy = setup.create_event(plan, actor)
    copies = {}
    for tournament in event.tournaments.filter(archived_at__isnull=True).order_by("created_at"):
        later = plan.starts_on - event.starts_on
        copies[tournament.pk] = _copy_tournament(tournament, copy, tournament.name, actor, later)
        _copy_times(tournament, copies[tournament.pk], later)
    _copy_room(event, copy)
    _copy_screens(event, copy, copies)
    _copy_logo(event, copy, actor)
    _copy_fees(event, copy)
    journal.write(copy, actor, JournalEntry("copy event", "event", event.pk))
    return copy


@transaction.atomic
def copy_tournament(tournament: Tournament, name: str, actor: Actor) -> Tournament:
    """Creates a tournament with the same settings in the same event."""
    return _copy_tournament(tournament, tournament.event, name, actor)


def _copy_tournament(
    tournament: Tournament, event: Event, name: str, actor: Actor, later: timedelta = timedelta(0)
) -> Tournament:
    schedule = parse_schedule(tournament.fees)
    fees = schedule_as_json(moved_by(schedule, later)) if schedule else {}
    fields = {field: getattr(tournament, field) for field in COPIED_FIELDS} | {"name": name, "fees": fees}
    slug = setup.free_slug(name, Tournament.with_deleted.filter(event=event))
    copy = Tournament.objects.create(event=event, slug=slug, created_at=timezone.now(), **fields)
    journal.write(copy, actor, JournalEntry("create tournament", "tournament", copy.pk, after=fields))
    return copy


def _copy_times(tournament: Tournament, copy: Tournament, later: timedelta) -> None:
    """The planned times of a copy for a later day."""
    times = {number: at + later for number, at in tournament.planned_times.items()}
    copy.starts_at = times.pop(1, None)
    copy.round_times = {str(number): at.isoformat() for number, at in times.items()} or None
    copy.save(update_fields=["starts_at", "round_times"])


def _copy_room(event: Event, copy: Event) -> None:
    room = Room.objects.filter(event=event).first()
    if room is None:
        return
    new_room = Room.objects.create(
        event=copy, auto_call=room.auto_call, second_call_after=room.second_call_after
    )
    Table.objects.bulk_create(
        Table(
            room=new_room,
            name=table.name,
            position=table.position,
            note=table.note,
            is_reserved=table.is_reserved,
        )
        for table in room.tables.filter(closed_at__isnull=True)
    )


def _copy_screens(event: Event, copy: Event, tournaments: dict[uuid.UUID, Tournament]) -> None:
    """The tokens of the new screens are not known to anybody: the director issues new links.

    A screen of tournaments that are not copied is left out: without tournaments, its plan would show all.
    """
    now = timezone.now()
    Slide.objects.bulk_create(
        Slide(
            event=copy,
            position=slide.position,
            text=slide.text,
            picture=slide.picture,
            picture_size=slide.picture_size,
            made_at=now,
        )
        for slide in Slide.objects.filter(event=event)
    )
    for screen in DisplayLink.objects.filter(event=event, revoked_at__isnull=True):
        plan = Plan.from_json(screen.plan)
        copied = tuple(tournaments[pk].pk for pk in plan.tournaments if pk in tournaments)
        if plan.tournaments and not copied:
            continue
        DisplayLink.objects.create(
            event=copy,
            label=screen.label,
            digest=digest(new_token()),
            plan=Plan(plan.seconds, copied, plan.theme).as_json(),
            made_at=now,
        )


def _copy_logo(event: Event, copy: Event, actor: Actor) -> None:
    if event.logo is None:
        return
    copy.logo = EventLogo.objects.create(
        event=copy,
        picture=event.logo.picture,
        size=event.logo.size,
        uploaded_by=actor.user,
        uploaded_at=timezone.now(),
    )
    copy.save(update_fields=["logo"])


def _copy_fees(event: Event, copy: Event) -> None:
    """The fees of the event, its rates of exchange, and its organizer if the copy has the same owner."""
    copy.fees = event.fees
    old, new = event.organizer, copy.organizer
    if old is not None and new is not None and old.owner_id == new.owner_id:
        copy.organizer = old
    copy.save(update_fields=["fees", "organizer"])
    ExchangeRate.objects.bulk_create(
        ExchangeRate(event=copy, base=row.base, currency=row.currency, rate=row.rate, unit=row.unit)
        for row in event.exchange_rates.all()
    )
