"""The URLs of a bracket's pages. The default bracket has the URL of the tournament; the others have their own."""

from dataclasses import dataclass

from django.urls import reverse

from tournament.models import Tournament
from tournament.queries.brackets.bracket_list import default_bracket_key, find_bracket_key
from tournament.queries.brackets.labels import bracket_slug


@dataclass(frozen=True, slots=True)
class BracketPlaces:
    """The URLs of one bracket; `up` is the relative path from its page to the URL of the tournament."""

    up: str
    page: str
    fragment: str
    print: str
    svg: str
    standings: str


def places_of(tournament: Tournament, key: str, first: str) -> BracketPlaces:
    """The URLs of this bracket; `first` is the key of the default bracket."""
    slugs = [tournament.event.slug, tournament.slug]
    own = slugs if key == first else [*slugs, bracket_slug(key)]
    prefix = "" if key == first else "side-"
    names = ("bracket", "bracket-fragment", "bracket-print", "bracket-svg", "standings")
    up = "" if key == first else "../../"
    return BracketPlaces(up, *(reverse(f"{prefix}{name}", args=own) for name in names))


def key_at(tournament: Tournament, bracket: str) -> str:
    """The key of the bracket with this slug, of the default bracket for an empty slug; raises NotFound."""
    return find_bracket_key(tournament, bracket) if bracket else default_bracket_key(tournament)
