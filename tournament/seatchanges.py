"""Gives seats of the draw to others by hand: the only room that writes a seat change, and with it the feed.

Called under the tournament's lock, after it was asked whether the seats can still be given (`openseats`).
"""

import uuid
from collections.abc import Mapping

from django.utils import timezone

from tournament import progression
from tournament.actors import Actor
from tournament.draw.graph import Seat
from tournament.keptseats import nobody_comes_to_sit_twice
from tournament.models import Feed, SeatChange, SeatChangeKind
from tournament.progression import Changes


def give(
    changes: Changes,
    seats: Mapping[int, uuid.UUID | None],
    kind: SeatChangeKind,
    actor: Actor,
    reason: str = "",
) -> None:
    """Gives each seat, named by its feed, to an entry or (None) to nobody, and seats whatever follows."""
    feeds = list(Feed.objects.filter(pk__in=seats).order_by("pk"))
    now = timezone.now()
    SeatChange.objects.bulk_create(
        SeatChange(
            feed=feed,
            kind=kind,
            before_id=feed.entry_id,
            after_id=seats[feed.pk],
            reason=reason,
            at=now,
            by=actor.user,
        )
        for feed in feeds
    )
    for feed in feeds:
        feed.entry_id = seats[feed.pk]
    Feed.objects.bulk_update(feeds, ["entry"])
    with nobody_comes_to_sit_twice(changes.tournament):
        progression.seat(changes, {(feed.target_id, Seat(feed.seat)): feed.entry_id for feed in feeds})
