"""The places of a tournament over groups and play-off. Pure.

The players of the play-off come first, with their places there. The others follow by their places in their groups;
equal group places share their places.
"""

import uuid
from collections.abc import Collection, Iterable
from dataclasses import replace

from tournament.prizes.places import Place


def rank_groups_behind(
    in_play_off: Collection[uuid.UUID], groups: Iterable[Iterable[Place[uuid.UUID]]]
) -> list[Place[uuid.UUID]]:
    """Returns the final places of the entries that did not reach the play-off, best first."""
    out = [place for group in groups for place in group if place.entry not in in_play_off]
    first = len(in_play_off) + 1
    places: list[Place[uuid.UUID]] = []
    for group_place in sorted({place.place_from for place in out}):
        tier = [place for place in out if place.place_from == group_place]
        last = first + len(tier) - 1
        places += [
            replace(place, place_from=first, place_to=last, tied_from=first, tied_to=last) for place in tier
        ]
        first = last + 1
    return places
