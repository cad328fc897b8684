"""A drawn tournament for a bench to play: so many entries, released, with a phone's token for each."""

import logging
import uuid

from django.utils import timezone

from rules.ruleset import DEFAULT_PRESET, PRESETS
from tournament.access.actors import Actor
from tournament.accounts import directors, links
from tournament.draw.formats import Format
from tournament.drawing import draws
from tournament.drawing.draws import DrawPlan
from tournament.entries import registration
from tournament.entries.registration import EntryCard, PlayerCard
from tournament.events import setup
from tournament.events.setup import EventPlan, TournamentPlan
from tournament.models import Tournament


def drawn(entries: int, length: int, chosen: Format | None = None) -> tuple[Tournament, dict[uuid.UUID, str]]:
    """The tournament, and the token of each entry by its id; a knock-out where no format is chosen."""
    logging.disable(logging.WARNING)  # this process has no broker to tell of the draw, and needs none
    director = Actor(user=directors.director())
    event = setup.create_event(EventPlan("Bench", timezone.localdate()), director)
    plan = TournamentPlan("Open", PRESETS[DEFAULT_PRESET], lengths=(length,), format=chosen or Format())
    tournament = setup.create_tournament(event, plan, director)
    for number in range(1, entries + 1):
        registration.enter(tournament.pk, EntryCard(PlayerCard(f"Player {number}")), director)
    draws.make(tournament.pk, DrawPlan(seed_text="bench"), director)
    draws.release(tournament.pk, director)
    tokens = links.give_links(list(tournament.entries.all()), director)
    logging.disable(logging.NOTSET)
    return tournament, {entry.pk: token for entry, token in tokens.items()}
