"""Previews a change of a posted result, with a digest of everything that it depends on. Writes nothing."""

import json
import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from matches import desk_card
from matches.locking import lock_matches
from matches.models import Match
from matches.rows import FinalScore
from tournament.brackets import double_entries, storage
from tournament.brackets.states import current_results
from tournament.brackets.storage import Sheet
from tournament.draw.seating import Decision
from tournament.draw.seating.corrections import Affected, CannotKeep, Consequences, consequences
from tournament.draw.seating.corrections import Correction as Corrected
from tournament.models import Entry, Pairing, Result, ResultKind, Tournament
from tournament.refusals.corrections import (
    CANNOT_KEEP,
    NOTHING_DECIDED,
    PREVIEW_CHANGED,
    SCORE_OF_OTHER_WINNER,
)
from tournament.refusals.results import MATCH_NEVER_OPENED, PLAYERS_UNKNOWN, SCORE_NEEDED, WINNER_UNKNOWN
from tournament.results import awards, posting
from tournament.results.awards import Award
from tournament.runtime.errors import Refused
from tournament.runtime.snapshot import consistent_read


@dataclass(frozen=True, slots=True)
class Change:
    """The intended result. `winner` is None if both lost.

    RETRACTED reopens the match and releases its kept seats.
    """

    kind: ResultKind
    winner: uuid.UUID | None
    left_points: int | None = None
    right_points: int | None = None

    @property
    def takes_back(self) -> bool:
        return self.kind == ResultKind.RETRACTED

    @property
    def points(self) -> tuple[int, int] | None:
        """Both points, or None if one is missing."""
        if self.left_points is None or self.right_points is None:
            return None
        return self.left_points, self.right_points


@dataclass(frozen=True, slots=True)
class Preview:
    """The consequences of a change. The correction must send `digest` back."""

    pairing: Pairing
    change: Change
    keep: frozenset[int]
    consequences: Consequences[int, uuid.UUID]
    sheet: Sheet
    digest: str
    double_entries: tuple[Entry, ...]
    """Second entries of players who would be in play twice; the change is refused while there are any."""

    @property
    def affected(self) -> tuple[Affected[int, uuid.UUID], ...]:
        return self.consequences.affected


class PreviewChanged(Refused):
    """The consequences changed since the preview; `preview` is the new one."""

    def __init__(self, new_preview: Preview) -> None:
        super().__init__(PREVIEW_CHANGED)
        self.preview = new_preview


@consistent_read()
def preview(pairing_id: int, change: Change, keep: Collection[int] = ()) -> Preview:
    """Previews a change from one consistent read.

    Raises Refused if the change is impossible, RuleBroken for an impossible score.
    """
    pairing = posting.load_pairing(pairing_id)
    return preview_under_lock(pairing.round.bracket.tournament, pairing, change, frozenset(keep))


def preview_under_lock(
    tournament: Tournament, pairing: Pairing, change: Change, keep: frozenset[int]
) -> Preview:
    current = result_to_change(pairing, change)
    sheet = storage.read(tournament)
    change_of_graph = Corrected(
        pairing.pk, _decision(pairing, change), storage.pairings_under_way(tournament), keep
    )
    try:
        outcome = consequences(sheet.graph, sheet.facts, change_of_graph)
    except CannotKeep as error:
        raise Refused(CANNOT_KEEP) from error
    digest = _digest(current, change, outcome, _match_stamps(outcome))
    return Preview(pairing, change, keep, outcome, sheet, digest, _in_twice(tournament, sheet, outcome))


def _in_twice(
    tournament: Tournament, sheet: Sheet, outcome: Consequences[int, uuid.UUID]
) -> tuple[Entry, ...]:
    now = double_entries.double_entries_in(tournament, sheet, sheet.seated())
    then = double_entries.double_entries_in(tournament, sheet, outcome.after.states)
    return tuple(entry for entry in then if entry not in now)


def result_to_change(pairing: Pairing, change: Change) -> Result | None:
    """The posted result that would change. Raises Refused if there is none, unless only kept seats are released."""
    if change.takes_back and is_kept(pairing):
        result = current_results([pairing.pk]).get(pairing.pk)
        return None if result is None or result.kind == ResultKind.RETRACTED else result
    return posting.require_current_result(pairing.pk)


def is_kept(pairing: Pairing) -> bool:
    """True if a correction keeps a player in this match."""
    return pairing.kept_seats.filter(lifted_at__isnull=True).exists()


def is_unchanged(preview_seen: Preview) -> bool:
    """Locks the affected matches and checks that their state still has this digest."""
    rows = Pairing.objects.filter(pk__in=[affected.key for affected in preview_seen.affected])
    lock_matches(rows.values_list("match_id", flat=True))
    current = result_to_change(preview_seen.pairing, preview_seen.change)
    return preview_seen.digest == _digest(
        current, preview_seen.change, preview_seen.consequences, _match_stamps(preview_seen.consequences)
    )


def _decision(pairing: Pairing, change: Change) -> Decision[uuid.UUID] | None:
    if change.takes_back:
        if (change.winner, change.left_points, change.right_points) != (None, None, None):
            raise Refused(NOTHING_DECIDED)
        return None
    _refuse_invalid_change(pairing, change)
    left, right, points = pairing.left_id, pairing.right_id, change.points
    if left is None or right is None:
        raise Refused(PLAYERS_UNKNOWN)
    if change.kind == ResultKind.DOUBLE_NO_SHOW:
        return Decision.both_lost(left, right)
    if change.winner not in (left, right):
        raise Refused(WINNER_UNKNOWN)
    if change.winner == left:
        return Decision(left, right, points=points)
    return Decision(right, left, points=points and points[::-1])


def _refuse_invalid_change(pairing: Pairing, change: Change) -> None:
    """A played result needs a score and a match; `awards` validates every other kind."""
    is_half_given = (change.left_points is None) != (change.right_points is None)
    if is_half_given or (change.kind == ResultKind.PLAYED and change.points is None):
        raise Refused(SCORE_NEEDED)
    if change.kind != ResultKind.PLAYED:
        awards.refuse_invalid(pairing, Award(change.kind, change.winner, change.points))
    elif pairing.match is None:
        raise Refused(MATCH_NEVER_OPENED)
    elif change.points is not None:
        score = posting.points_by_side(pairing.match, pairing.left_id, change.points)
        _refuse_score(pairing.match, score, change.winner)


def _refuse_score(match: Match, points: tuple[int, int], winner: uuid.UUID | None) -> None:
    """Raises RuleBroken for a score that cannot end the match, Refused for one that the other player would win."""
    side = desk_card.winner_by_final_score(match, FinalScore(*points))
    if winner in (match.left, match.right) and match.side_of(winner) is not side:
        raise Refused(SCORE_OF_OTHER_WINNER)


def _match_stamps(outcome: Consequences[int, uuid.UUID]) -> dict[int, list[str]]:
    """For each affected pairing its result, its match, and the match's version once it has begun."""
    keys = [affected.key for affected in outcome.affected]
    matches = Pairing.objects.filter(pk__in=keys).values_list(
        "pk", "match_id", "match__version", "match__began_at"
    )
    stamps = {pk: [str(match), str(version) if began else ""] for pk, match, version, began in matches}
    results = Result.objects.filter(pairing__in=keys, superseded_by__isnull=True)
    for pk, result in results.values_list("pairing_id", "pk"):
        stamps[pk].append(str(result))
    return stamps


def _digest(
    current: Result | None,
    change: Change,
    outcome: Consequences[int, uuid.UUID],
    stamps: Mapping[int, list[str]],
) -> str:
    content = {
        "standing": str(current.pk) if current else None,
        "change": [str(change.kind), str(change.winner), change.left_points, change.right_points],
        "affected": [
            [
                affected.key,
                affected.stage,
                affected.treatment,
                _seats(affected.before),
                _seats(affected.after),
                stamps[affected.key],
            ]
            for affected in outcome.affected
        ],
        "pairings": len(outcome.after.states),
        "kept": sorted(
            [str(key), seat.value, str(entry)] for (key, seat), entry in outcome.facts.kept_seats.items()
        ),
    }
    return sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _seats(state: Any) -> list[str]:
    return [str(state.left), str(state.right)]
