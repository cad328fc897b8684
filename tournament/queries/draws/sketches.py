"""Builds the drawing of a layout before the draw: boxes with the labels of their seats, and connecting lines.

Contains texts and geometry; the page's style sheet sets the colours.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournament.draw.diagram.bracket_diagram import Box
from tournament.draw.diagram.layout_preview import (
    BracketPreview,
    PairingPreview,
    RoundPreview,
    SeatOrigin,
    SeatPreview,
)
from tournament.draw.recipes import Spot
from tournament.queries.brackets.labels import MAIN, bracket_title

Preview = BracketPreview[Spot, int]


@dataclass(frozen=True, slots=True)
class BoxSketch:
    """A drawn pairing: the position of its frame, its label, the labels of its two seats and their positions."""

    x: float
    y: float
    width: float
    height: float
    label: str
    upper: str
    lower: str
    is_bye: bool

    @property
    def middle(self) -> float:
        return self.y + self.height / 2

    @property
    def words_x(self) -> float:
        return self.x + 34

    @property
    def label_x(self) -> float:
        return self.x + 6

    @property
    def upper_y(self) -> float:
        return self.y + self.height / 2 - 5

    @property
    def lower_y(self) -> float:
        return self.y + self.height - 6


@dataclass(frozen=True, slots=True)
class HeadingSketch:
    """The letter of a round, and the rounds of play in which it can be played, such as "3" or "2–3"."""

    x: float
    letter: str
    slots: str


@dataclass(frozen=True, slots=True)
class BracketSketch:
    title: str
    width: float
    height: float
    headings: tuple[HeadingSketch, ...]
    boxes: tuple[BoxSketch, ...]
    lines: tuple[str, ...]


def bracket_sketches(outlines: Sequence[Preview]) -> list[BracketSketch]:
    return [_sketch(outline) for outline in outlines]


def _sketch(preview: Preview) -> BracketSketch:
    pairings = {
        pairing.key: pairing for round_preview in preview.rounds for pairing in round_preview.pairings
    }
    rounds = {round_preview.number: round_preview for round_preview in preview.rounds}
    picture = preview.diagram
    return BracketSketch(
        bracket_title(preview.bracket),
        picture.width,
        picture.height,
        tuple(
            HeadingSketch(
                column.x, _letter(rounds[column.round].pairings[0]), _slots_of_play(rounds[column.round])
            )
            for column in picture.columns
        ),
        tuple(_box(box, pairings, preview.bracket) for box in picture.boxes),
        tuple(" ".join(f"{x:g},{y:g}" for x, y in line.points) for line in picture.connectors),
    )


def _slots_of_play(round_preview: RoundPreview[Spot, int]) -> str:
    first, last = round_preview.first_slot, round_preview.slot
    return str(last) if first == last else f"{first}–{last}"


def _letter(pairing: PairingPreview[Spot, int]) -> str:
    return pairing.label.rstrip("0123456789")


def _box(box: Box[Spot], pairings: Mapping[Spot, PairingPreview[Spot, int]], bracket: str) -> BoxSketch:
    pairing = pairings[box.key]
    upper, lower = (seat_label(seat, bracket) for seat in (pairing.left, pairing.right))
    is_bye = SeatOrigin.BYE in (pairing.left.origin, pairing.right.origin)
    return BoxSketch(box.x, box.y, box.width, box.height, pairing.label, upper, lower, is_bye)


def seat_label(seat: SeatPreview[int], bracket: str) -> str:
    """Returns the label of the expected player, short enough for a box. Winners of the same bracket need a line
    only.
    """
    match seat.origin:
        case SeatOrigin.ENTRY:
            return str(seat.entry)
        case SeatOrigin.BYE:
            return _("bye")
        case SeatOrigin.PLACE:
            return _("{place}. of {bracket}").format(place=seat.place, bracket=bracket_title(seat.bracket))
        case SeatOrigin.WINNER if seat.bracket == bracket:
            return ""
        case SeatOrigin.WINNER:
            return _("winner of {bracket}").format(bracket=bracket_title(seat.bracket))
        case SeatOrigin.LOSER | SeatOrigin.FIRST_LOSS if seat.bracket not in (MAIN, bracket):
            return _("loser {match}, {bracket}").format(match=seat.label, bracket=bracket_title(seat.bracket))
        case SeatOrigin.LOSER | SeatOrigin.FIRST_LOSS:
            return _("loser {match}").format(match=seat.label)
    return ""
