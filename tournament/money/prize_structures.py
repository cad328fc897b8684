"""Sets the prize structure of a tournament, also when its fees change currency, and keeps own templates."""

import uuid
from collections.abc import Sequence
from typing import Any

from django.db import transaction

from tournament.access.actors import Actor
from tournament.brackets import advancing
from tournament.events.organizers import own_organizer
from tournament.ledger.balances import currencies_of_added_money
from tournament.ledger.charging import schedule_of
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import Deed, Organizer, Tournament, Transfer
from tournament.prizes.other_currency import with_other_currency
from tournament.prizes.own_templates import template_as_json
from tournament.prizes.stored import (
    LONGEST_TEMPLATE_NAME,
    MOST_TEMPLATES,
    parse_structure,
    structure_as_json,
)
from tournament.prizes.structure import Part, PrizeStructure
from tournament.refusals.money import (
    NAME_OF_TEMPLATE,
    PRIZES_AWARDED_IN_CURRENCY,
    PRIZES_CHANGED,
    PRIZES_IN_ANOTHER_CURRENCY,
    TOO_MANY_TEMPLATES,
)
from tournament.runtime.errors import NotFound, Refused
from tournament.runtime.event_lock import lock_event
from tournament.runtime.revisions import refuse_changed_settings


def set_structure(
    tournament_id: uuid.UUID, structure: PrizeStructure | None, actor: Actor, *, revision: str = ""
) -> None:
    """Stores the structure; None: the pot pays no prizes. Awards that are recorded do not change.

    `revision`: that of the stored structure that this one replaces; empty to replace any.
    Raises Refused if the stored structure is another one now, or for another currency than that of the fees.
    """
    with advancing.lock_tournament(tournament_id) as locked:
        tournament = locked.tournament
        refuse_changed_settings(tournament.prize_structure, revision, PRIZES_CHANGED)
        schedule = schedule_of(tournament)
        if structure and schedule and structure.currency != schedule.currency:
            raise Refused(PRIZES_IN_ANOTHER_CURRENCY, currency=schedule.currency)
        _store(tournament, structure, actor)


def _store(tournament: Tournament, structure: PrizeStructure | None, actor: Actor) -> None:
    tournament.prize_structure = structure_as_json(structure) if structure else {}
    tournament.save(update_fields=["prize_structure"])
    after = {"currency": structure.currency} if structure else {}
    journal.write(tournament, actor, JournalEntry("set prizes", "tournament", tournament.pk, after=after))


def structure_in_currency(tournament: Tournament, currency: str) -> PrizeStructure | None:
    """The stored structure as new fees in this currency leave it; None without one.

    A structure of which prizes are awarded in its own currency stays in it.
    """
    structure = parse_structure(tournament.prize_structure)
    if structure is None or structure.currency == currency or _awarded_currency(tournament, currency):
        return structure
    return with_other_currency(structure, currency)


def follow_currency(tournament: Tournament, currency: str, actor: Actor) -> None:
    """Stores the structure in the currency of new fees. The tournament is locked."""
    structure = structure_in_currency(tournament, currency)
    if structure != parse_structure(tournament.prize_structure):
        _store(tournament, structure, actor)


def refuse_other_currency(tournament: Tournament, currency: str) -> None:
    """Raises Refused if the currency of fees and prizes changes to this one while prizes are awarded in another."""
    schedule, structure = schedule_of(tournament), parse_structure(tournament.prize_structure)
    present = schedule or structure
    if present is None or present.currency == currency:
        return
    awarded = _awarded_currency(tournament, currency)
    if awarded:
        raise Refused(PRIZES_AWARDED_IN_CURRENCY, currency=awarded)


def _awarded_currency(tournament: Tournament, currency: str) -> str:
    """A currency other than this one in which prizes or added money are posted; empty without any."""
    prizes = Transfer.objects.filter(
        transaction__deed=Deed.PRIZE,
        transaction__reversed_by__isnull=True,
        transaction__entry__tournament=tournament,
    )
    awarded = set(prizes.order_by().values_list("target__currency", flat=True).distinct())
    return min((awarded | currencies_of_added_money(tournament.pk)) - {currency}, default="")


def keep_template(
    tournament: Tournament, name: str, parts: Sequence[Part], currency: str, actor: Actor
) -> None:
    """Keeps the lines as a template of the event's organizer. A template of the same name is replaced.

    `currency`: that of the fixed amounts.
    """
    name = name.strip()
    if not 0 < len(name) <= LONGEST_TEMPLATE_NAME or not parts:
        raise Refused(NAME_OF_TEMPLATE, most=LONGEST_TEMPLATE_NAME)
    with transaction.atomic():
        organizer = own_organizer(lock_event(tournament.event_id), actor)
        templates = {**organizer.prize_templates, name: template_as_json(parts, currency)}
        if len(templates) > MOST_TEMPLATES:
            raise Refused(TOO_MANY_TEMPLATES, most=MOST_TEMPLATES)
        _save(tournament, organizer, templates, actor)


def remove_template(tournament: Tournament, name: str, actor: Actor) -> None:
    """Raises NotFound for an unknown template."""
    with transaction.atomic():
        organizer = own_organizer(lock_event(tournament.event_id), actor)
        if name not in organizer.prize_templates:
            raise NotFound
        templates = {key: parts for key, parts in organizer.prize_templates.items() if key != name}
        _save(tournament, organizer, templates, actor)


def _save(tournament: Tournament, organizer: Organizer, templates: dict[str, Any], actor: Actor) -> None:
    organizer.prize_templates = templates
    organizer.save(update_fields=["prize_templates"])
    journal.write(
        tournament,
        actor,
        JournalEntry(
            "change prize templates", "tournament", tournament.pk, after={"templates": len(templates)}
        ),
    )
