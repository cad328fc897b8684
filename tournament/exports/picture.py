"""A bracket as a stand-alone SVG file: to print, to put on a wall or into a report. No scripts, no fonts of its own."""

from collections.abc import Iterator
from xml.sax.saxutils import escape

from django.utils.translation import gettext as _

from tournament.draw.graph import Seat
from tournament.draw.picture import Box, Connector, Picture, Scale, bracket_picture
from tournament.models import Tournament
from tournament.showing.bracket import BracketShown, PairingShown, RoundShown, SeatShown, bracket_shown
from tournament.showing.round_words import ROUNDS
from tournament.showing.stored import graph_of, stored_pairings

SCALE = Scale(box_width=230)
TITLE_HEIGHT = 44
LONGEST_NAME = 26
STYLE = """
text{font-family:system-ui,-apple-system,'Segoe UI','Noto Sans',sans-serif;font-size:14px;fill:#1c2622}
.title{font-size:22px;font-weight:700}.heading{font-weight:700}.length{fill:#5b655f;font-size:12px}
.box{fill:#fffefa;stroke:#9a9482}.half{stroke:#ded8c8}.line{fill:none;stroke:#7d7868}
.won{font-weight:700}.open{fill:#6c6a60;font-style:italic}.points{text-anchor:end;font-variant-numeric:tabular-nums}
"""


def bracket_svg(tournament: Tournament, key: str = "main") -> bytes:
    """The drawing as UTF-8; every text in it is escaped. Raises NotFound before the first draw."""
    shown = bracket_shown(tournament, key)
    picture = bracket_picture(graph_of(stored_pairings(tournament)), key, scale=SCALE)
    title = f"{tournament.event.name} – {tournament.name}"
    return "".join(_document(title, shown, picture)).encode()


def _document(title: str, shown: BracketShown, picture: Picture[int]) -> Iterator[str]:
    width, height = round(picture.width), round(picture.height) + TITLE_HEIGHT
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        f' role="img" aria-labelledby="title description"><title id="title">{escape(title)}</title>'
        f'<desc id="description">{escape(_description(shown))}</desc><style>{STYLE}</style>'
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>'
        f'<text class="title" x="{SCALE.margin}" y="30">{escape(title)}</text>'
        f'<g transform="translate(0 {TITLE_HEIGHT})">'
    )
    rounds = {one.number: one for one in shown.rounds}
    pairings = {pairing.id: pairing for one in shown.rounds for pairing in one.pairings}
    for column in picture.columns:
        yield _heading(rounds[column.round], column.x)
    for connector in picture.connectors:
        yield _connector(connector)
    for box in picture.boxes:
        yield from _box(box, pairings[box.key])
    yield "</g></svg>"


def _description(shown: BracketShown) -> str:
    if shown.champion is not None:
        return _("The winner is {name}.").format(name=shown.champion.name)
    return _("The bracket as it stands now.")


def _heading(shown: RoundShown, x: float) -> str:
    length = _("to {length}").format(length=shown.length)
    return (
        f'<text class="heading" x="{x:g}" y="24">{escape(str(ROUNDS[shown.name]))}'
        f' <tspan class="length">{escape(length)}</tspan></text>'
    )


def _connector(connector: Connector[int]) -> str:
    points = " ".join(f"{x:g},{y:g}" for x, y in connector.points)
    return f'<polyline class="line" points="{points}"/>'


def _box(box: Box[int], pairing: PairingShown) -> Iterator[str]:
    middle = box.y + box.height / 2
    yield f'<rect class="box" x="{box.x:g}" y="{box.y:g}" width="{box.width:g}" height="{box.height:g}" rx="4"/>'
    yield f'<path class="half" d="M{box.x:g} {middle:g}h{box.width:g}"/>'
    for seat, shown in ((Seat.LEFT, pairing.left), (Seat.RIGHT, pairing.right)):
        y = box.inlet(seat)[1] + 5
        style = "won" if shown.is_winner else "" if shown.entry_id else "open"
        yield f'<text class="{style}" x="{box.x + 8:g}" y="{y:g}">{escape(_name(shown))}</text>'
        if shown.points is not None:
            yield f'<text class="points {style}" x="{box.x + box.width - 8:g}" y="{y:g}">{shown.points}</text>'


def _name(seat: SeatShown) -> str:
    if seat.is_bye:
        return _("bye")
    if seat.entry_id is None:
        return _("winner of {number}").format(number=seat.coming.number) if seat.coming else ""
    name = seat.name if len(seat.name) <= LONGEST_NAME else f"{seat.name[: LONGEST_NAME - 1]}…"
    return f"{name} ({seat.country})" if seat.country else name
