"""The preview of a draw that is made now, and the list of draws."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from django.db.models import QuerySet

from tournament.brackets.lengths import bracket_lengths, length_of_round, round_fields
from tournament.draw.formats import Format, Kind
from tournament.draw.formats.estimate import FormatEstimate, RoundEstimate, estimate_format
from tournament.drawing.order import FEWEST_ENTRIES
from tournament.entries.lists.limits import MOST_ENTRIES
from tournament.entries.reentry import format_to_draw
from tournament.models import Draw, Tournament
from tournament.queries.brackets.round_names import round_codes
from tournament.queries.events.overview import count_entries


@dataclass(frozen=True, slots=True)
class RoundPreview:
    """`name` is a code of `round_names`; `matches` does not count byes."""

    bracket: str
    name: str
    length: int | None
    games: int | None
    minutes: int | None
    matches: int


@dataclass(frozen=True, slots=True)
class DrawPreview:
    """The result of drawing now. `ahead` is None for too few or too many entries."""

    entries: int
    seeded: int
    format: Format
    rounds: tuple[RoundPreview, ...] = ()
    estimate: FormatEstimate | None = None

    @property
    def is_possible(self) -> bool:
        return FEWEST_ENTRIES <= self.entries <= MOST_ENTRIES

    @property
    def byes(self) -> int:
        return self.estimate.byes if self.estimate else 0

    @property
    def in_all(self) -> int:
        """The number of consecutive rounds of play; 0 if unknown."""
        return self.estimate.rounds_of_play if self.estimate else 0

    @property
    def matches(self) -> int:
        return self.estimate.matches if self.estimate else 0

    @property
    def has_open_end(self) -> bool:
        """True if the number of rounds and matches depends on the results."""
        return self.format.kind == Kind.LIVES


def draw_preview(tournament: Tournament) -> DrawPreview:
    """The preview of a draw; without rounds for too few or too many entries."""
    counts, chosen = count_entries(tournament), format_to_draw(tournament)
    if not FEWEST_ENTRIES <= counts.entered <= MOST_ENTRIES:
        return DrawPreview(counts.entered, counts.seeded, chosen)
    estimate = estimate_format(chosen, counts.entered)
    return DrawPreview(counts.entered, counts.seeded, chosen, tuple(_rounds(tournament, estimate)), estimate)


def _rounds(tournament: Tournament, estimate: FormatEstimate) -> Iterator[RoundPreview]:
    """Each round with a match, with its name and length."""
    for bracket, group in groupby(estimate.rounds, key=lambda row: row.bracket):
        rounds: list[RoundEstimate] = list(group)
        lengths, last = bracket_lengths(tournament, bracket), rounds[-1].number
        codes = round_codes(
            [(row.number, row.pairings) for row in rounds],
            is_table=bracket in estimate.record_brackets,
            plays_again=bracket in estimate.brackets_played_again,
            leads_on=bracket in estimate.brackets_leading_on,
        )
        for row, code in zip(rounds, codes, strict=True):
            if row.matches:
                to = round_fields(length_of_round(lengths, last, row.number))
                yield RoundPreview(bracket, code, **to, matches=row.matches)


def list_draws(tournament: Tournament) -> list[Draw]:
    """Every draw, newest first. Draws that were taken back have `replaced_at`."""
    return list(Draw.objects.filter(tournament=tournament).select_related("made_by").order_by("-number"))


def visible_draws(tournament: Tournament, *, includes_hidden: bool) -> QuerySet[Draw]:
    draws = Draw.objects.filter(tournament=tournament)
    return draws if includes_hidden else draws.filter(released_at__isnull=False)
