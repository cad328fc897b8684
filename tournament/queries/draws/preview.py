"""What a draw would come to now, and every draw there was. Reads only."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from tournament.brackets.lengths import bracket_lengths, length_of_round, round_fields
from tournament.draw.formats import Format, Kind
from tournament.draw.formats.estimate import FormatEstimate, RoundEstimate, estimate_format
from tournament.drawing.order import FEWEST_ENTRIES
from tournament.entries.lists.limits import MOST_ENTRIES
from tournament.models import Draw, Tournament
from tournament.queries.brackets.round_names import round_codes
from tournament.queries.events.overview import count_entries


@dataclass(frozen=True, slots=True)
class RoundPreview:
    """`name` is the code of its name; `matches` leaves out the byes."""

    bracket: str
    name: str
    length: int | None
    games: int | None
    minutes: int | None
    matches: int


@dataclass(frozen=True, slots=True)
class DrawPreview:
    """What a draw made now would be. `ahead` is None while there are too few or too many entries."""

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
        """Rounds played one after the other; 0 for who knows."""
        return self.estimate.rounds_of_play if self.estimate else 0

    @property
    def matches(self) -> int:
        return self.estimate.matches if self.estimate else 0

    @property
    def has_open_end(self) -> bool:
        """How many rounds and matches there will be shows only as they are played."""
        return self.format.kind == Kind.LIVES


def draw_preview(tournament: Tournament) -> DrawPreview:
    """How a draw made now would look; without rounds while there are too few or too many entries."""
    counts, chosen = count_entries(tournament), Format.from_json(tournament.format)
    if not FEWEST_ENTRIES <= counts.entered <= MOST_ENTRIES:
        return DrawPreview(counts.entered, counts.seeded, chosen)
    ahead = estimate_format(chosen, counts.entered)
    return DrawPreview(counts.entered, counts.seeded, chosen, tuple(_rounds(tournament, ahead)), ahead)


def _rounds(tournament: Tournament, ahead: FormatEstimate) -> Iterator[RoundPreview]:
    """Each round in which a match is played, with its name and its match length."""
    for bracket, found in groupby(ahead.rounds, key=lambda one: one.bracket):
        rounds: list[RoundEstimate] = list(found)
        lengths, last = bracket_lengths(tournament, bracket), rounds[-1].number
        codes = round_codes(
            [(one.number, one.pairings) for one in rounds],
            is_table=bracket in ahead.record_brackets,
            plays_again=bracket in ahead.brackets_played_again,
            leads_on=bracket in ahead.brackets_leading_on,
        )
        for one, code in zip(rounds, codes, strict=True):
            if one.matches:
                to = round_fields(length_of_round(lengths, last, one.number))
                yield RoundPreview(bracket, code, **to, matches=one.matches)


def list_draws(tournament: Tournament) -> list[Draw]:
    """Every draw, the newest first; those taken back have `replaced_at`."""
    return list(Draw.objects.filter(tournament=tournament).select_related("made_by").order_by("-number"))
