"""Seeds the entries by rating, before the draw."""

import uuid

from tournament.access.actors import Actor
from tournament.brackets import advancing
from tournament.draw.recipes import DrawError, seeds_by_rating
from tournament.entries.closed_entries import refuse_while_closed
from tournament.entries.registration import refuse_after_the_draw
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import Entry
from tournament.refusals.draws import SEEDS_NOT_POSSIBLE
from tournament.runtime.errors import Refused


def seed_by_rating(tournament_id: uuid.UUID, count: int, actor: Actor) -> int:
    """Gives seeds 1 to `count` to the best rated, removes all other seeds, and returns `count`.

    Of equal ratings the earlier entry comes first. Raises Refused after the draw, while entries are closed, and if too
    few entries have a rating.
    """
    with advancing.lock_tournament(tournament_id) as locked:
        refuse_after_the_draw(locked.tournament)
        refuse_while_closed(locked.tournament)
        rows = Entry.objects.filter(tournament=locked.tournament)
        entries = rows.filter(withdrawn_at__isnull=True).select_related("player").order_by("entered_at", "pk")
        try:
            seeds = seeds_by_rating([(entry.pk, entry.player.rating) for entry in entries], count)
        except DrawError as error:
            raise Refused(SEEDS_NOT_POSSIBLE, reason=error) from error
        rows.update(seed=None)
        seeded = [entry for entry in entries if entry.pk in seeds]
        for entry in seeded:
            entry.seed = seeds[entry.pk]
        Entry.objects.bulk_update(seeded, ["seed"])
        locked.touch_all()
        journal_entry = JournalEntry(
            "seed by rating", "tournament", locked.tournament.pk, after={"seeds": count}
        )
        journal.write(locked.tournament, actor, journal_entry)
        return count
