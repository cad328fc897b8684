"""Plans when the rounds of a tournament start. The times are announced; they start nothing."""

import uuid
from collections.abc import Mapping
from datetime import datetime
from itertools import pairwise

from tournament.access.actors import Actor
from tournament.brackets import advancing
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import Tournament
from tournament.refusals.events import TIMES_OUT_OF_ORDER
from tournament.runtime.errors import Refused


def plan_times(tournament_id: uuid.UUID, times: Mapping[int, datetime], actor: Actor) -> None:
    """Replaces the planned starts of the rounds, by number. Raises Refused if a round starts before an earlier one."""
    for (first, earlier), (second, later) in pairwise(sorted(times.items())):
        if later < earlier:
            raise Refused(TIMES_OUT_OF_ORDER, number=second, before=first)
    with advancing.lock_tournament(tournament_id) as locked:
        before = _times_json(locked.tournament)
        locked.tournament.starts_at = times.get(1)
        later_rounds = {str(number): at.isoformat() for number, at in sorted(times.items()) if number > 1}
        locked.tournament.round_times = later_rounds or None
        after = _times_json(locked.tournament)
        if before == after:
            return
        locked.tournament.save(update_fields=["starts_at", "round_times"])
        locked.touch_all()
        journal_entry = JournalEntry("plan times", "tournament", tournament_id, before, after)
        journal.write(locked.tournament, actor, journal_entry)


def _times_json(tournament: Tournament) -> dict[str, object]:
    return {f"round_{number}": at.isoformat() for number, at in tournament.planned_times.items()}
