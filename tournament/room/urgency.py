"""The urgency of waiting matches: planned minutes from the start of each to the end of its tournament. Reads only.

Unpaired rounds count if the format fixes their number.
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


def urgency_by_pairing(waiting: Iterable[Pairing]) -> dict[int, float]:
    """Returns the urgency in minutes by pairing. The number of statements does not depend on the number of matches."""
    tournaments: dict[uuid.UUID, Tournament] = {}
    for row in waiting:
        tournament = row.round.bracket.tournament
        tournaments[tournament.pk] = tournament
    begun = _begun_pairings(tournaments)
    urgencies: dict[int, float] = {}
    for pk, sheet in storage.read_all(tournaments.values()).items():
        urgencies |= _urgency_in_tournament(tournaments[pk], sheet, begun)
    return urgencies


def _urgency_in_tournament(tournament: Tournament, sheet: Sheet, begun: Collection[int]) -> dict[int, float]:
    statuses = {
        pk: MatchStatus(
            planned_length(played_to(row)), 0.0 if row.match_id else None, 0.0 if pk in begun else None
        )
        for pk, row in sheet.rows.items()
    }
    withdrawn = set(sheet.facts.withdrawn)
    minutes = urgency(open_matches(tournament.slug, sheet.graph, sheet.seated(), statuses, withdrawn))
    future = _minutes_of_future_rounds(tournament, sheet)
    return {pk: own + future for pk, own in minutes.items()} if future else minutes


def _begun_pairings(tournaments: Collection[uuid.UUID]) -> set[int]:
    begun = Pairing.objects.filter(
        round__bracket__tournament__in=tournaments, settled="", match__began_at__isnull=False
    )
    return set(begun.values_list("pk", flat=True))


def _minutes_of_future_rounds(tournament: Tournament, sheet: Sheet) -> float:
    """Planned minutes of the unpaired rounds of a growing format; 0 if their number is not fixed."""
    chosen = Format.from_json(tournament.format)
    drawn = [row for row in sheet.rows.values() if row.bracket == MAIN]
    if not chosen.is_growing or not chosen.rounds or not drawn:
        return 0.0
    last = max(drawn, key=lambda row: row.round)
    return max(0, chosen.rounds - last.round) * (
        planned_minutes(planned_length(played_to(last))) + DEFAULT_PAUSE
    )
