"""Where a bracket's pages are: the one that is opened first at the tournament's own address, each other beside it."""

from dataclasses import dataclass

from django.urls import reverse

from tournament.models import Tournament
from tournament.queries.brackets.bracket_list import default_bracket_key, find_bracket_key
from tournament.queries.brackets.labels import bracket_slug


@dataclass(frozen=True, slots=True)
class BracketPlaces:
    """The addresses of one bracket; `up` leads from its page to the tournament's own address."""

    up: str
    page: str
    fragment: str
    print: str
    svg: str
    standings: str


def places_of(tournament: Tournament, key: str, first: str) -> BracketPlaces:
    """The addresses of this bracket, where `first` is the one at the tournament's own address."""
    slugs = [tournament.event.slug, tournament.slug]
    own = slugs if key == first else [*slugs, bracket_slug(key)]
    prefix = "" if key == first else "side-"
    names = ("bracket", "bracket-fragment", "bracket-print", "bracket-svg", "standings")
    up = "" if key == first else "../../"
    return BracketPlaces(up, *(reverse(f"{prefix}{name}", args=own) for name in names))


def key_at(tournament: Tournament, bracket: str) -> str:
    """The key of the bracket at this address, the one opened first where there is none; raises NotFound."""
    return find_bracket_key(tournament, bracket) if bracket else default_bracket_key(tournament)
