"""What a draw would come to now, and every draw there was. Reads only."""

from dataclasses import dataclass

from tournament.draw.recipes import RoundName, round_name
from tournament.drawing import FEWEST, MOST
from tournament.lengths import length_of_round
from tournament.models import Draw, Tournament
from tournament.showing.overview import entries_of


@dataclass(frozen=True, slots=True)
class RoundToCome:
    """`matches` leaves out the byes."""

    name: RoundName
    length: int
    matches: int


@dataclass(frozen=True, slots=True)
class DrawPreview:
    """A single elimination of those who are in: the best seeds have the byes, then it is by lot."""

    entries: int
    byes: int
    seeded: int
    rounds: tuple[RoundToCome, ...]

    @property
    def is_possible(self) -> bool:
        return FEWEST <= self.entries <= MOST

    @property
    def matches(self) -> int:
        return sum(one.matches for one in self.rounds)


def draw_preview(tournament: Tournament) -> DrawPreview:
    """How a draw made now would look; without rounds while there are too few or too many entries."""
    counts = entries_of(tournament)
    if not FEWEST <= counts.entered <= MOST:
        return DrawPreview(counts.entered, 0, counts.seeded, ())
    total = (counts.entered - 1).bit_length()
    byes = 2**total - counts.entered
    rounds = tuple(
        RoundToCome(
            name=round_name(total, number),
            length=length_of_round(tournament.lengths, total, number),
            matches=2 ** (total - number) - (byes if number == 1 else 0),
        )
        for number in range(1, total + 1)
    )
    return DrawPreview(counts.entered, byes, counts.seeded, rounds)


def draws_of(tournament: Tournament) -> list[Draw]:
    """Every draw, the newest first; those taken back have `replaced_at`."""
    return list(Draw.objects.filter(tournament=tournament).select_related("made_by").order_by("-number"))
