"""Steps that several benches share: draw a tournament, check an answer, wait for a condition."""

import logging
import time
import uuid
from collections.abc import Callable

from django.utils import timezone

from deploy.bench.installation import Installation
from rules.ruleset import DEFAULT_PRESET, PRESETS
from tournament.access.actors import Actor
from tournament.accounts import directors, links
from tournament.draw.formats import Format
from tournament.drawing import draws
from tournament.drawing.draws import DrawPlan
from tournament.entries import registration
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.events import setup
from tournament.events.setup import EventPlan, TournamentPlan
from tournament.models import Result, Tournament, Visibility
from tournament.rehearsal.wire import Answer

LONGEST_WAIT, POLL_SECONDS = 60.0, 0.05


class UnexpectedAnswer(RuntimeError):
    """The product refused a request that the bench depends on."""


class NotInTime(RuntimeError):
    """A condition did not become true in time; the text names it."""


def draw_tournament(
    entries: int, length: int, chosen: Format | None = None
) -> tuple[Tournament, dict[uuid.UUID, str]]:
    """Creates and releases a tournament (a knock-out by default); returns it with the token of each entry by its id.

    Each has a director of its own, because an account creates only a few events a day.
    """
    logging.disable(logging.WARNING)  # this process has no broker to publish the draw to, and needs none
    director = Actor(user=directors.get_director(f"bench {uuid.uuid4().hex[:12]}"))
    event = setup.create_event(EventPlan("Bench", timezone.localdate()), director, Visibility.PUBLIC)
    plan = TournamentPlan("Open", PRESETS[DEFAULT_PRESET], lengths=(length,), format=chosen or Format())
    tournament = setup.create_tournament(event, plan, director)
    for number in range(1, entries + 1):
        registration.enter(tournament.pk, EntryDetails(PlayerDetails(f"Player {number}")), director)
    draws.make(tournament.pk, DrawPlan(seed_text="bench"), director)
    draws.release(tournament.pk, director)
    tokens = links.make_links(list(tournament.entries.all()), director)
    logging.disable(logging.NOTSET)
    return tournament, {entry.pk: token for entry, token in tokens.items()}


def check_answer(answer: Answer) -> Answer:
    """Returns the answer. Raises UnexpectedAnswer unless its status is 2xx."""
    if not answer.is_ok:
        raise UnexpectedAnswer(f"The product answered {answer.status}: {str(answer.body)[:300]}")
    return answer


def until(
    condition: Callable[[], object], description: str, installation: Installation | None = None
) -> None:
    """Returns once the condition is true. Raises NotInTime after a minute, or when one of the parts has ended."""
    deadline = time.monotonic() + LONGEST_WAIT
    while not condition():
        dead = [part.name for part in installation.parts if not part.is_running] if installation else []
        if dead:
            raise NotInTime(f"{description}: {', '.join(dead)} ended")
        if time.monotonic() > deadline:
            raise NotInTime(f"{description}: not in {LONGEST_WAIT:.0f} s")
        time.sleep(POLL_SECONDS)


def until_all_advanced(installation: Installation) -> None:
    """Returns when no result waits for a worker. Call it within `installation.database()`."""
    waiting = Result.objects.filter(advanced_at__isnull=True)
    until(lambda: not waiting.exists(), "results are advanced", installation)
