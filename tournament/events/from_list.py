"""Creates an event together with the import of its players, so that an unfinished import leaves no event."""

from django.db import transaction
from django.utils import timezone

from rules.ruleset import DEFAULT_PRESET, PRESETS
from tournament.access.actors import Actor
from tournament.entries import importing
from tournament.entries.importing import ImportCounts
from tournament.entries.lists import Listing
from tournament.entries.lists.comparison import Preview, compare
from tournament.events.setup import EventPlan, TournamentPlan, create_event, create_tournament
from tournament.models import Tournament


def preview(listing: Listing) -> Preview:
    """Returns the changes that an import into a new event would make."""
    return compare(listing, ())


@transaction.atomic
def create_event_from_list(
    name: str, tournament_name: str, listing: Listing, digest: str, actor: Actor
) -> tuple[Tournament, ImportCounts]:
    """Creates an event of today with one tournament in the usual set-up, and imports the previewed list, or nothing.

    Raises Refused like `create_event` and `importing.apply`.
    """
    event = create_event(EventPlan(name, timezone.localdate()), actor)
    tournament = create_tournament(event, TournamentPlan(tournament_name, PRESETS[DEFAULT_PRESET]), actor)
    return tournament, importing.apply(tournament.pk, listing, digest, actor)
