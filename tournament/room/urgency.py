"""What holds the event up most: planned minutes behind each match that waits, over all its tournaments. Reads only.

Rounds that are still to be paired count with their lengths, where the format says how many there will be.
"""

import uuid
from collections.abc import Collection, Iterable

from tournament.brackets import storage
from tournament.brackets.lengths import planned_length, played_to
from tournament.brackets.storage import Sheet
from tournament.draw.formats import Format
from tournament.draw.formats.layouts import MAIN
from tournament.forecast.open_matches import MatchStatus, open_matches
from tournament.forecast.pauses import DEFAULT_PAUSE
from tournament.forecast.urgency import planned_minutes, urgency
from tournament.models import Pairing, Tournament


def urgency_of(waiting: Iterable[Pairing]) -> dict[int, float]:
    """Minutes from the start of each of these matches to the end of what waits for it, by pairing.

    As many statements as for one tournament, in however many matches wait.
    """
    tournaments: dict[uuid.UUID, Tournament] = {}
    for row in waiting:
        tournament = row.round.bracket.tournament
        tournaments[tournament.pk] = tournament
    begun = _begun(tournaments)
    found: dict[int, float] = {}
    for pk, sheet in storage.read_all(tournaments.values()).items():
        found |= _urgency(tournaments[pk], sheet, begun)
    return found


def _urgency(tournament: Tournament, sheet: Sheet, begun: Collection[int]) -> dict[int, float]:
    known = {
        pk: MatchStatus(
            planned_length(played_to(row)), 0.0 if row.match_id else None, 0.0 if pk in begun else None
        )
        for pk, row in sheet.rows.items()
    }
    gone = set(sheet.facts.withdrawn)
    minutes = urgency(open_matches(tournament.slug, sheet.graph, sheet.seated(), known, gone))
    later = _rounds_to_come(tournament, sheet)
    return {pk: own + later for pk, own in minutes.items()} if later else minutes


def _begun(tournaments: Collection[uuid.UUID]) -> set[int]:
    """The pairings in which somebody plays."""
    begun = Pairing.objects.filter(
        round__bracket__tournament__in=tournaments, settled="", match__began_at__isnull=False
    )
    return set(begun.values_list("pk", flat=True))


def _rounds_to_come(tournament: Tournament, sheet: Sheet) -> float:
    """Minutes of the rounds that a format paired by records has still before it; 0 where nobody knows."""
    chosen = Format.from_json(tournament.format)
    drawn = [row for row in sheet.rows.values() if row.bracket == MAIN]
    if not chosen.is_growing or not chosen.rounds or not drawn:
        return 0.0
    last = max(drawn, key=lambda row: row.round)
    return max(0, chosen.rounds - last.round) * (
        planned_minutes(planned_length(played_to(last))) + DEFAULT_PAUSE
    )
