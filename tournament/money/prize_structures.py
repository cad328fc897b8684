"""Sets the prize structure of a tournament, and keeps an organizer's own templates."""

import uuid
from collections.abc import Sequence
from typing import Any

from django.db import transaction

from tournament.access.actors import Actor
from tournament.brackets import advancing
from tournament.events.organizers import own_organizer
from tournament.ledger.charging import schedule_of
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import Organizer, Tournament
from tournament.prizes.stored import LONGEST_TEMPLATE_NAME, MOST_TEMPLATES, parts_as_json, structure_as_json
from tournament.prizes.structure import Part, PrizeStructure
from tournament.refusals.money import (
    NAME_OF_TEMPLATE,
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
        tournament.prize_structure = structure_as_json(structure) if structure else {}
        tournament.save(update_fields=["prize_structure"])
        after = {"currency": structure.currency} if structure else {}
        journal.write(tournament, actor, JournalEntry("set prizes", "tournament", tournament.pk, after=after))


def keep_template(tournament: Tournament, name: str, parts: Sequence[Part], actor: Actor) -> None:
    """Keeps the lines as a template of the event's organizer. A template of the same name is replaced."""
    name = name.strip()
    if not 0 < len(name) <= LONGEST_TEMPLATE_NAME or not parts:
        raise Refused(NAME_OF_TEMPLATE, most=LONGEST_TEMPLATE_NAME)
    with transaction.atomic():
        organizer = own_organizer(lock_event(tournament.event_id), actor)
        templates = {**organizer.prize_templates, name: parts_as_json(parts)}
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
