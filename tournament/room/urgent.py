"""What holds the event up most: planned minutes behind each match that waits, over all its tournaments. Reads only.

Rounds that are still to be paired count with their lengths, where the format says how many there will be.
"""

import uuid
from collections.abc import Iterable

from tournament import drawsheet
from tournament.draw.formats import Format
from tournament.draw.layouts import MAIN
from tournament.drawsheet import Sheet
from tournament.flow.open_matches import Known, open_matches
from tournament.flow.urgency import PAUSE, planned, urgency
from tournament.models import Pairing, Tournament


def urgency_of(waiting: Iterable[Pairing]) -> dict[int, float]:
    """Minutes from the start of each of these matches to the end of what waits for it, by pairing.

    A few statements for each tournament in which a match waits.
    """
    tournaments: dict[uuid.UUID, Tournament] = {}
    for row in waiting:
        tournament = row.round.bracket.tournament
        tournaments[tournament.pk] = tournament
    found: dict[int, float] = {}
    for tournament in tournaments.values():
        found |= _urgency(tournament)
    return found


def _urgency(tournament: Tournament) -> dict[int, float]:
    sheet = drawsheet.read(tournament)
    known = {pk: Known(row.length, ready=0.0 if row.match_id else None) for pk, row in sheet.rows.items()}
    for pk in _begun(tournament):
        known[pk] = known[pk]._replace(began=0.0)
    gone = set(sheet.facts.withdrawn)
    minutes = urgency(open_matches(tournament.slug, sheet.graph, sheet.seated(), known, gone))
    later = _rounds_to_come(tournament, sheet)
    return {pk: own + later for pk, own in minutes.items()} if later else minutes


def _begun(tournament: Tournament) -> Iterable[int]:
    begun = Pairing.objects.filter(
        round__bracket__tournament=tournament, settled="", match__began_at__isnull=False
    )
    return begun.values_list("pk", flat=True)


def _rounds_to_come(tournament: Tournament, sheet: Sheet) -> float:
    """Minutes of the rounds that a format paired by records has still before it; 0 where nobody knows."""
    chosen = Format.from_json(tournament.format)
    drawn = [row for row in sheet.rows.values() if row.bracket == MAIN]
    if not chosen.is_growing or not chosen.rounds or not drawn:
        return 0.0
    last = max(drawn, key=lambda row: row.round)
    return max(0, chosen.rounds - last.round) * (planned(last.length) + PAUSE)
