"""Places of entries, and what they win."""

from tournament.prizes.awards import awards_of
from tournament.prizes.places import Entrant, Place


def out(names, first=1, **more):
    """Places of entries that are out, one after the other; a list of names shares its places."""
    places, place = [], first
    for name in names:
        together = name if isinstance(name, list) else [name]
        places += [Place(entry, place, place + len(together) - 1, **more) for entry in together]
        place += len(together)
    return places


def still_in(*names):
    return [Place(name, 1, len(names), still_in=True) for name in names]


def entrants(places, **pools):
    names = {place.entry for rows in places.values() for place in rows}
    return {
        name: Entrant(pools=frozenset(key for key, joined in pools.items() if name in joined))
        for name in names
    }


def amounts(structure, places, pots, of_entrants=None):
    facts = entrants(places) if of_entrants is None else of_entrants
    return {(award.entry, award.line): award.minor for award in awards_of(structure, pots, places, facts)}
