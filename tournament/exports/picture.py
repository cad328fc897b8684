"""Draws a bracket as a stand-alone SVG file without scripts and fonts, for printing and reports.

It has a light background on every screen. Names that are too long end in an ellipsis.
"""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from tournament.brackets import storage
from tournament.draw.diagram.bracket_diagram import Box, BracketDiagram, Connector, Scale, draw_bracket
from tournament.draw.graph import Seat
from tournament.exports.text_width import text_width, truncate
from tournament.exports.xml_text import escape_text
from tournament.models import Tournament
from tournament.queries.brackets.bracket import bracket_view
from tournament.queries.brackets.bracket_view import BracketView, Coming, PairingView, RoundView, SeatView
from tournament.queries.brackets.labels import (
    MAIN,
    RESULT_LABELS,
    bracket_title,
    coming_label,
    round_title,
    short_length,
)
from tournament.runtime.errors import NotFound

SCALE = Scale(box_width=280)
TITLE_HEIGHT = 44
NAME_X, POINTS_X = 32, 272
COUNTRY_X = POINTS_X - 28
NAME_WIDTH, COUNTRY_WIDTH = COUNTRY_X - NAME_X, 36
SMALL_LETTER, TITLE_LETTER = 7.5, 13
STYLE = """
text{font-family:system-ui,-apple-system,'Segoe UI','Noto Sans',sans-serif;font-size:14px;fill:#1c2622}
.title{font-size:22px;font-weight:700}.heading{font-weight:700}
.box{fill:#fffefa;stroke:#9a9482}.half{stroke:#ded8c8}.line{fill:none;stroke:#7d7868}
.won{font-weight:700}.open{fill:#6c6a60;font-style:italic}
.small{fill:#5b655f;font-size:11px;font-weight:400}.middle{text-anchor:middle}
.end{text-anchor:end;font-variant-numeric:tabular-nums}
"""


def bracket_svg(tournament: Tournament, key: str = "main") -> bytes:
    """Returns UTF-8 with escaped texts. Raises NotFound without a draw."""
    bracket = bracket_view(tournament, key)
    if not bracket.rounds:
        raise NotFound
    picture = draw_bracket(storage.read(tournament).graph, key, scale=SCALE)
    title = f"{tournament.event.name} – {tournament.name}"
    if key != MAIN:
        title = f"{title} – {bracket_title(key)}"
    return "".join(_document(title, bracket, picture)).encode()


def _document(title: str, bracket: BracketView, picture: BracketDiagram[int]) -> Iterator[str]:
    yield from _opening(title, bracket, picture)
    rounds = {round_view.number: round_view for round_view in bracket.rounds}
    pairings = {pairing.id: pairing for round_view in bracket.rounds for pairing in round_view.pairings}
    for column in picture.columns:
        yield _heading(rounds[column.round], column.x)
    for connector in picture.connectors:
        yield _connector(connector)
    for box in picture.boxes:
        yield from _box(box, pairings[box.key])
    yield "</g></svg>"


def _opening(title: str, bracket: BracketView, picture: BracketDiagram[int]) -> Iterator[str]:
    width = round(max(picture.width, text_width(title) * TITLE_LETTER))
    height = round(picture.height) + TITLE_HEIGHT
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        f' role="img" aria-labelledby="title description"><title id="title">{escape_text(title)}</title>'
        f'<desc id="description">{escape_text(_description(bracket))}</desc><style>{STYLE}</style>'
        f'<clipPath id="room"><rect x="{NAME_X}" width="{NAME_WIDTH}" height="{SCALE.box_height:g}"/></clipPath>'
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>'
        f'<text class="title" x="{SCALE.margin:g}" y="30">{escape_text(title)}</text>'
        f'<g transform="translate(0 {TITLE_HEIGHT})">'
    )


def _description(bracket: BracketView) -> str:
    if bracket.champion is not None:
        return _("{name} is the winner.").format(name=bracket.champion.name)
    played = [
        pairing for round_view in bracket.rounds for pairing in round_view.pairings if pairing.state != "bye"
    ]
    decided = sum(pairing.state == "decided" for pairing in played)
    return _("{decided} of {matches} matches are decided.").format(decided=decided, matches=len(played))


def _heading(round_view: RoundView, x: float) -> str:
    return (
        f'<text class="heading" x="{x:g}" y="24">{escape_text(round_title(round_view.name))}'
        f' <tspan class="small">{escape_text(short_length(round_view))}</tspan></text>'
    )


def _connector(connector: Connector[int]) -> str:
    points = " ".join(f"{x:g},{y:g}" for x, y in connector.points)
    return f'<polyline class="line" points="{points}"/>'


def _box(box: Box[int], pairing: PairingView) -> Iterator[str]:
    """Yields a group whose origin is the upper left corner of the box."""
    middle = box.height / 2
    yield f'<g transform="translate({box.x:g} {box.y:g})">'
    yield f'<rect class="box" width="{box.width:g}" height="{box.height:g}" rx="4"/>'
    yield f'<path class="half" d="M{NAME_X - 6} {middle:g}H{box.width:g}"/>'
    yield _text("small middle", (NAME_X - 6) / 2, middle + 4, pairing.called)
    for seat, seat_view in ((Seat.LEFT, pairing.left), (Seat.RIGHT, pairing.right)):
        yield from _seat(seat_view, box.inlet(seat)[1] - box.y + 5)
    if pairing.how:
        yield _text(
            "small end",
            POINTS_X,
            middle + 4,
            str(RESULT_LABELS[pairing.how]),
            ' stroke="#fffefa" paint-order="stroke" stroke-width="6"',
        )
    yield "</g>"


def _seat(seat: SeatView, y: float) -> Iterator[str]:
    style = "won" if seat.is_winner else "" if seat.entry_id else "open"
    width = NAME_WIDTH - (COUNTRY_WIDTH if seat.country else 0)
    name = truncate(_name(seat), width / SMALL_LETTER)
    yield _text(style, NAME_X, y, name, ' clip-path="url(#room)"')
    if seat.country:
        yield _text("small end", COUNTRY_X, y, seat.country)
    if seat.points is not None:
        yield _text(f"end {style}".strip(), POINTS_X, y, str(seat.points))


def _text(style: str, x: float, y: float, text: str, attributes: str = "") -> str:
    return f'<text class="{style}" x="{x:g}" y="{y:g}"{attributes}>{escape_text(text)}</text>' if text else ""


def _name(seat: SeatView) -> str:
    if seat.is_bye:
        return _("bye")
    if seat.entry_id is None:
        return _coming(seat.coming) if seat.coming else ""
    return f"{seat.seed}. {seat.name}" if seat.seed else seat.name


def _coming(coming: Coming) -> str:
    return coming_label(coming.outcome, coming.number, coming.bracket, coming.called)
