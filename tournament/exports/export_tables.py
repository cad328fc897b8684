"""Builds the exported tables of standings and results, independent of the file format."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.utils.translation import gettext as _

from tournament.draw.prizes import Share, parse_prizes
from tournament.models import Tournament
from tournament.queries.brackets.bracket import bracket_views, confirmations
from tournament.queries.brackets.bracket_view import PairingView
from tournament.queries.brackets.labels import round_title_in
from tournament.queries.standings.prizes import format_labels
from tournament.queries.standings.standings import list_rankings

Cell = str | int | bool | datetime | Decimal | None


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
    """Places and records by bracket, best first."""
    columns = (
        Column("bracket", _("Bracket")),
        Column("place_from", _("Place from")),
        Column("place_to", _("Place to")),
        Column("still_in", _("Still in")),
        Column("name", _("Name")),
        Column("country", _("Country")),
        Column("club", _("Club")),
        Column("team", _("Team")),
        Column("seed", _("Seed")),
        Column("won", _("Won")),
        Column("lost", _("Lost")),
        Column("byes", _("Byes")),
        Column("points_for", _("Points for")),
        Column("points_against", _("Points against")),
        Column("walkovers", _("Walkovers")),
        Column("withdrawn", _("Withdrawn")),
        Column("prize", _("Prize")),
        Column("prize_currency", _("Currency")),
        Column("prize_besides", _("Other prize")),
    )
    currency = parse_prizes(tournament.prizes).currency
    rows = tuple(
        (ranking.key, line.place_from, line.place_to, line.is_in, line.name, line.country, line.club, line.team,
         line.seed, line.won, line.lost, line.byes, line.points_for, line.points_against, line.walkovers,
         line.is_withdrawn, *_prize_cells(line.prize, currency))
        for ranking in list_rankings(tournament)
        for line in ranking.lines
    )  # fmt: skip
    return Table(_("Standings"), columns, rows)


def _prize_cells(share: Share | None, currency: str) -> Sequence[Cell]:
    """The amount has a cell of its own, so that a spreadsheet can add up the column."""
    if share is None:
        return None, "", ""
    return share.amount, currency if share.amount else "", ", ".join(format_labels(share))


def results_table(tournament: Tournament) -> Table:
    """Every decided match by number. Matches decided by a withdrawal have no time and no confirmation."""
    columns = (
        Column("bracket", _("Bracket")),
        Column("number", _("Match in bracket")),
        Column("called", _("Match")),
        Column("round", _("Round")),
        Column("line", _("Position in round")),
        Column("length", _("Match to")),
        Column("left", _("Left")),
        Column("right", _("Right")),
        Column("left_points", _("Points left")),
        Column("right_points", _("Points right")),
        Column("winner", _("Winner")),
        Column("kind", _("Kind")),
        Column("confirmed_by", _("Confirmed by")),
        Column("posted_at", _("Posted at")),
        Column("games", _("Games")),
        Column("minutes", _("Minutes")),
        Column("round_name", _("Round name")),
    )
    return Table(_("Results"), columns, tuple(_result_rows(tournament)))


def _result_rows(tournament: Tournament) -> Iterator[Sequence[Cell]]:
    confirmed = confirmations(tournament)
    for bracket in bracket_views(tournament):
        for round_view in bracket.rounds:
            for pairing in round_view.pairings:
                if pairing.state == "decided":
                    confirmation = confirmed.get(pairing.id, ("", None))
                    yield (
                        bracket.key,
                        *_result_cells(pairing),
                        *confirmation,
                        pairing.games,
                        pairing.minutes,
                        round_title_in(round_view.name, bracket.key),
                    )


def _result_cells(pairing: PairingView) -> Sequence[Cell]:
    left, right = pairing.left, pairing.right
    winner = next((seat.name for seat in (left, right) if seat.is_winner), "")
    return (
        pairing.number, pairing.called, pairing.round, pairing.line, pairing.length, left.name, right.name, left.points,
        right.points, winner, pairing.how or "played",
    )  # fmt: skip
