"""What rounds and matches of a forecast are called: drawn or only planned, with players or without. Reads only.

A number of statements that does not grow with a draw.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

from django.db.models import Q

from tournament.draw.formats import Format
from tournament.draw.formats.estimate import bracket_kind, estimate_format
from tournament.forecast.open_matches import Part
from tournament.models import Bracket, Call, Pairing, Round, Tournament
from tournament.queries.brackets.labels import round_title_in
from tournament.queries.brackets.round_names import PLAIN, round_codes, round_codes_by_id
from tournament.queries.forecast.loading import FEWEST, Underway


@dataclass(frozen=True, slots=True)
class MatchNamed:
    """A drawn match by what a director says. Names are empty while it is not known who will play; `is_open`: the desk
    has a page of it."""

    pairing: int
    tournament: str
    slug: str
    round_name: str
    length: int | None
    games: int | None
    minutes: int | None
    left: str
    right: str
    table: str
    is_open: bool


def round_titles(known: Underway) -> dict[Part, str]:
    """The name of every round, drawn or planned."""
    planned: dict[Part, str] = {}
    for slug, tournament in known.tournaments.items():
        planned.update(_planned(slug, tournament, known.entered[slug]))
    return planned | _drawn(known.tournaments)


def title_of(titles: Mapping[Part, str], part: Part) -> str:
    """A round that nobody has planned, as in an event with lives, goes by its number."""
    return titles.get(part) or round_title_in(f"{PLAIN}{part.round}", part.bracket)


def matches_named(keys: Collection[int], titles: Mapping[Part, str]) -> dict[int, MatchNamed]:
    """These pairings with their players and tables, in two statements."""
    rows = Pairing.objects.filter(pk__in=keys).select_related(
        "left__player", "right__player", "round__bracket__tournament"
    )
    calls = Call.objects.filter(Q(ended_at__isnull=True), pairing__in=keys, table__isnull=False)
    tables = dict(calls.values_list("pairing_id", "table__name"))
    return {row.pk: _named(row, titles, tables.get(row.pk, "")) for row in rows}


def _named(row: Pairing, titles: Mapping[Part, str], table: str) -> MatchNamed:
    tournament = row.round.bracket.tournament
    part = Part(tournament.slug, bracket_kind(row.round.bracket.key), row.round.number)
    return MatchNamed(
        row.pk,
        tournament.name,
        tournament.slug,
        title_of(titles, part),
        row.round.length,
        row.round.games,
        row.round.minutes,
        row.left.name if row.left else "",
        row.right.name if row.right else "",
        table,
        row.match_id is not None,
    )


def _drawn(tournaments: Mapping[str, Tournament]) -> dict[Part, str]:
    slugs = {one.pk: slug for slug, one in tournaments.items()}
    brackets = Bracket.objects.filter(tournament__in=list(slugs)).values_list("pk", "key", "tournament_id")
    known = {pk: (slugs[tournament], bracket_kind(key)) for pk, key, tournament in brackets}
    codes = round_codes_by_id(known)
    rounds = Round.objects.filter(bracket__in=list(known)).values_list("pk", "bracket_id", "number")
    return {
        Part(*known[bracket], number): round_title_in(codes[pk], known[bracket][1])
        for pk, bracket, number in rounds
        if pk in codes  # the others were paired meanwhile
    }


def _planned(slug: str, tournament: Tournament, entries: int) -> Iterator[tuple[Part, str]]:
    ahead = estimate_format(Format.from_json(tournament.format), max(FEWEST, entries))
    for bracket, found in groupby(ahead.rounds, key=lambda one: one.bracket):
        rounds = list(found)
        codes = round_codes(
            [(one.number, one.pairings) for one in rounds],
            is_table=bracket in ahead.record_brackets,
            plays_again=bracket in ahead.brackets_played_again,
            leads_on=bracket in ahead.brackets_leading_on,
        )
        for one, code in zip(rounds, codes, strict=True):
            yield Part(slug, bracket, one.number), round_title_in(code, bracket)
