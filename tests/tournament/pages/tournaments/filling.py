"""The form of a tournament, filled in without its page."""

from typing import Any

from tests.tournament import stories
from tests.tournament.pages.filling import as_sent
from tournament.access.actors import Actor
from tournament.events import setup
from tournament.models import Tournament
from tournament.pages.tournaments.forms import TournamentForm, first_initial


def fill(initial: dict[str, Any] | None = None, **typed: object) -> TournamentForm:
    """The form of a new tournament, or of these initial values, as a browser sends it."""
    initial = first_initial(None) if initial is None else initial
    sent = as_sent(TournamentForm(initial=initial), **{"name": "Open", **typed})
    return TournamentForm(sent, initial=initial)


def make(owner: Actor, form: TournamentForm) -> Tournament:
    """The tournament of a new event that the form describes."""
    assert form.is_valid(), form.errors
    return setup.create_tournament(stories.event(owner), form.plan(), owner)
