"""Names of rounds and matches in a forecast, drawn or only planned, with players or without. Reads only.

The number of statements does not grow with a draw.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

from django.db.models import Q

from tournament.draw.formats.estimate import bracket_kind, estimate_format
from tournament.entries.reentry import format_to_draw
from tournament.forecast.open_matches import Part
from tournament.models import Bracket, Call, Pairing, Round, Tournament
from tournament.queries.brackets.labels import round_title_in
from tournament.queries.brackets.round_names import PLAIN, round_codes, round_codes_by_id
from tournament.queries.forecast.loading import FEWEST_ENTRIES, ForecastInput


@dataclass(frozen=True, slots=True)
class NamedMatch:
    """A drawn match as a director names it. Player names are empty while unknown. `is_open`: the desk has its page."""

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


def round_titles(loaded: ForecastInput) -> dict[Part, str]:
    planned: dict[Part, str] = {}
    for slug, tournament in loaded.tournaments.items():
        planned.update(_planned_titles(slug, tournament, loaded.entry_counts[slug]))
    return planned | _drawn_titles(loaded.tournaments)


def title_of(titles: Mapping[Part, str], part: Part) -> str:
    """An unplanned round, as in an event with lives, has a number as its title."""
    return titles.get(part) or round_title_in(f"{PLAIN}{part.round}", part.bracket)


def name_matches(keys: Collection[int], titles: Mapping[Part, str]) -> dict[int, NamedMatch]:
    """Loads the names of these pairings in two statements. Pairings that do not exist are left out."""
    rows = Pairing.objects.filter(pk__in=keys).select_related(
        "left__player", "right__player", "round__bracket__tournament"
    )
    calls = Call.objects.filter(Q(ended_at__isnull=True), pairing__in=keys, table__isnull=False)
    tables = dict(calls.values_list("pairing_id", "table__name"))
    return {row.pk: _named_match(row, titles, tables.get(row.pk, "")) for row in rows}


def _named_match(row: Pairing, titles: Mapping[Part, str], table: str) -> NamedMatch:
    tournament = row.round.bracket.tournament
    part = Part(tournament.slug, bracket_kind(row.round.bracket.key), row.round.number)
    return NamedMatch(
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


def _drawn_titles(tournaments: Mapping[str, Tournament]) -> dict[Part, str]:
    slugs = {tournament.pk: slug for slug, tournament in tournaments.items()}
    brackets = Bracket.objects.filter(tournament__in=list(slugs)).values_list("pk", "key", "tournament_id")
    kinds = {pk: (slugs[tournament], bracket_kind(key)) for pk, key, tournament in brackets}
    codes = round_codes_by_id(kinds)
    rounds = Round.objects.filter(bracket__in=list(kinds)).values_list("pk", "bracket_id", "number")
    return {
        Part(*kinds[bracket], number): round_title_in(codes[pk], kinds[bracket][1])
        for pk, bracket, number in rounds
        if pk in codes  # a round paired since then has no code yet
    }


def _planned_titles(slug: str, tournament: Tournament, entries: int) -> Iterator[tuple[Part, str]]:
    estimate = estimate_format(format_to_draw(tournament), max(FEWEST_ENTRIES, entries))
    for bracket, group in groupby(estimate.rounds, key=lambda planned: planned.bracket):
        rounds = list(group)
        codes = round_codes(
            [(planned.number, planned.pairings) for planned in rounds],
            is_table=bracket in estimate.record_brackets,
            plays_again=bracket in estimate.brackets_played_again,
            leads_on=bracket in estimate.brackets_leading_on,
        )
        for planned, code in zip(rounds, codes, strict=True):
            yield Part(slug, bracket, planned.number), round_title_in(code, bracket)
