"""What stands in an exported table: headings and rows, the same for every kind of file."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from tournament.models import Result, ResultKind, Tournament
from tournament.showing.standings import standings_shown

Cell = str | int | datetime | None


@dataclass(frozen=True, slots=True)
class Column:
    """`key` names the value for programs, `heading` for people."""

    key: str
    heading: str


@dataclass(frozen=True, slots=True)
class Table:
    title: str
    columns: tuple[Column, ...]
    rows: tuple[Sequence[Cell], ...]


def standings_table(tournament: Tournament) -> Table:
    """Everybody's place and record, best first."""
    columns = (
        Column("place_from", _("Place from")),
        Column("place_to", _("Place to")),
        Column("still_in", _("Still in")),
        Column("name", _("Name")),
        Column("country", _("Country")),
        Column("club", _("Club")),
        Column("seed", _("Seed")),
        Column("won", _("Won")),
        Column("lost", _("Lost")),
        Column("points_for", _("Points for")),
        Column("points_against", _("Points against")),
    )
    rows = tuple(
        (line.place_from, line.place_to, _("yes") if line.is_in else _("no"), line.name, line.country, line.club,
         line.seed, line.won, line.lost, line.points_for, line.points_against)
        for line in standings_shown(tournament)
    )  # fmt: skip
    return Table(_("Standings"), columns, rows)


def results_table(tournament: Tournament) -> Table:
    """Every posted result that counts, by round and line."""
    columns = (
        Column("bracket", _("Bracket")),
        Column("round", _("Round")),
        Column("line", _("Line")),
        Column("left", _("Left")),
        Column("right", _("Right")),
        Column("left_points", _("Points left")),
        Column("right_points", _("Points right")),
        Column("winner", _("Winner")),
        Column("kind", _("Kind")),
        Column("confirmed_by", _("Confirmed by")),
        Column("posted_at", _("Posted at")),
    )
    return Table(_("Results"), columns, tuple(_result_row(result) for result in _counting(tournament)))


def _counting(tournament: Tournament) -> list[Result]:
    inside = Result.objects.filter(pairing__round__bracket__tournament=tournament, superseded_by__isnull=True)
    counting = inside.exclude(kind=ResultKind.RETRACTED).select_related(
        "pairing__round__bracket", "left__player", "right__player", "winner__player"
    )
    return list(
        counting.order_by("pairing__round__bracket__position", "pairing__round__number", "pairing__line")
    )


def _result_row(result: Result) -> Sequence[Cell]:
    place = result.pairing.round
    return (
        place.bracket.key,
        place.number,
        result.pairing.line,
        result.left.player.name,
        result.right.player.name,
        result.left_points,
        result.right_points,
        result.winner.player.name if result.winner else "",
        result.kind,
        result.confirmed_by,
        result.posted_at.replace(microsecond=0),
    )
