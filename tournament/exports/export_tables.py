"""Builds the exported tables of entries, standings and results, independent of the file format."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from tournament.draw.prizes import Share
from tournament.models import Entry, Tournament
from tournament.queries.brackets.bracket import bracket_views, confirmations
from tournament.queries.brackets.bracket_view import PairingView
from tournament.queries.brackets.labels import RESULT_LABELS, bracket_title, round_title, round_title_in
from tournament.queries.entries.entry_list import entry_list
from tournament.queries.standings.prizes import format_labels
from tournament.queries.standings.standings import list_rankings
from tournament.runtime.text import plain_number

Cell = str | int | bool | datetime | Decimal | None


@dataclass(frozen=True, slots=True)
class Column:
    """`key` names the value in files for programs, `heading` in files for people. A file leaves out "" columns."""

    key: str = ""
    heading: str = ""


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
    rows = tuple(
        (ranking.key, line.place_from, line.place_to, line.is_in, line.name, line.country, line.club, line.team,
         line.seed, line.won, line.lost, line.byes, line.points_for, line.points_against, line.walkovers,
         line.is_withdrawn, *_prize_cells(line.prize))
        for ranking in list_rankings(tournament)
        for line in ranking.lines
    )  # fmt: skip
    return Table(_("Standings"), columns, rows)


def _prize_cells(share: Share | None) -> Sequence[Cell]:
    """The amount has a cell of its own, so that a spreadsheet can add up the column."""
    if share is None:
        return None, "", ""
    return share.amount, share.currency if share.amount else "", ", ".join(format_labels(share))


def entries_table(tournament: Tournament) -> Table:
    """All entries by name, with data that only the desk may see. The list can be imported again."""
    columns = (
        Column("name", _("Name")),
        Column("country", _("Country")),
        Column("club", _("Club")),
        Column("team", _("Team")),
        Column("federation_id", _("Federation number")),
        Column("rating", _("Rating")),
        Column("seed", _("Seed")),
        Column("paid", _("Paid")),
        Column("arrived", _("Arrived")),
        Column("withdrawn", _("Withdrawn")),
    )
    entries = (line.entry for line in entry_list(tournament))
    return Table(_("Entries"), columns, tuple(_entry_cells(entry) for entry in entries))


def _entry_cells(entry: Entry) -> Sequence[Cell]:
    player = entry.player
    rating = None if player.rating is None else plain_number(player.rating)
    return (
        entry.registered_name, player.country, player.club, player.team, player.federation_id, rating, entry.seed,
        entry.is_paid, entry.checked_in_at is not None, entry.is_withdrawn,
    )  # fmt: skip


def results_table(tournament: Tournament) -> Table:
    """Every decided match by number. Matches decided by a withdrawal have no time and no confirmation.

    People read the names of brackets and rounds and the time of the event; programs read codes and UTC.
    """
    zone = ZoneInfo(tournament.event.time_zone)
    columns = (
        Column("bracket"),
        Column("number"),
        Column("called", _("Match")),
        Column(heading=_("Bracket")),
        Column(heading=_("Round")),
        Column("round"),
        Column("line"),
        Column("length", _("Match to")),
        Column("left", _("Player 1")),
        Column("right", _("Player 2")),
        Column("left_points", _("Points 1")),
        Column("right_points", _("Points 2")),
        Column("winner", _("Winner")),
        Column(heading=_("Result")),
        Column("kind"),
        Column("confirmed_by"),
        Column(heading=_("Confirmed by")),
        Column("posted_at"),
        Column(heading=_("Time ({zone})").format(zone=zone.key)),
        Column("games", _("Games")),
        Column("minutes", _("Minutes")),
        Column("round_name"),
    )
    return Table(_("Results"), columns, tuple(_result_rows(tournament, zone)))


def _result_rows(tournament: Tournament, zone: ZoneInfo) -> Iterator[Sequence[Cell]]:
    confirmed = confirmations(tournament)
    for bracket in bracket_views(tournament):
        for round_view in bracket.rounds:
            for pairing in round_view.pairings:
                if pairing.state == "decided":
                    confirmer, posted_at = confirmed.get(pairing.id, ("", None))
                    local_time = posted_at and posted_at.astimezone(zone).replace(tzinfo=None)
                    yield (
                        bracket.key, pairing.number, pairing.called, bracket_title(bracket.key),
                        round_title(round_view.name), pairing.round, pairing.line, pairing.length,
                        *_result_cells(pairing), confirmer, _confirmer_name(pairing, confirmer), posted_at, local_time,
                        pairing.games, pairing.minutes, round_title_in(round_view.name, bracket.key),
                    )  # fmt: skip


def _result_cells(pairing: PairingView) -> Sequence[Cell]:
    left, right = pairing.left, pairing.right
    winner = next((seat.name for seat in (left, right) if seat.is_winner), "")
    label = str(RESULT_LABELS[pairing.how]) if pairing.how in RESULT_LABELS else _("played")
    return (left.name, right.name, left.points, right.points, winner, label, pairing.how or "played")


def _confirmer_name(pairing: PairingView, confirmer: str) -> str:
    names = {
        "left": pairing.left.name,
        "right": pairing.right.name,
        "desk": _("desk"),
        "timeout": _("automatic"),
    }
    return names.get(confirmer, confirmer)
