"""Seeds all entries anew by their ratings, before the draw. Writes seeds and nothing else."""

import uuid

from tournament.access.actors import Actor
from tournament.brackets import advancing
from tournament.draw.recipes import DrawError, seeds_by_rating
from tournament.entries.closed_entries import refuse_while_closed
from tournament.entries.registration import refuse_after_the_draw
from tournament.live import journal
from tournament.live.journal import Deed
from tournament.models import Entry
from tournament.runtime.errors import Refused


def seed_by_rating(tournament_id: uuid.UUID, how_many: int, actor: Actor) -> int:
    """Gives seeds 1 to `how_many` to the best rated, of equals to whoever entered first, and takes all others away.

    Returns how many there are. Raises Refused after the draw, while entries are closed for it, and where fewer have a
    rating.
    """
    with advancing.lock_tournament(tournament_id) as locked:
        refuse_after_the_draw(locked.tournament)
        refuse_while_closed(locked.tournament)
        rows = Entry.objects.filter(tournament=locked.tournament)
        entries = rows.filter(withdrawn_at__isnull=True).select_related("player").order_by("entered_at", "pk")
        try:
            seeds = seeds_by_rating([(entry.pk, entry.player.rating) for entry in entries], how_many)
        except DrawError as cannot:
            raise Refused("too-few-ratings", "{why}", why=str(cannot)) from cannot
        rows.update(seed=None)
        seeded = [entry for entry in entries if entry.pk in seeds]
        for entry in seeded:
            entry.seed = seeds[entry.pk]
        Entry.objects.bulk_update(seeded, ["seed"])
        locked.touch_all()
        deed = Deed("seed by rating", "tournament", locked.tournament.pk, after={"seeds": how_many})
        journal.write(locked.tournament, actor, deed)
        return how_many
