"""Complete rounds of tournaments that are paired round by round, and when the next round is paired automatically.

Reads only. The number of statements does not depend on the number of tournaments.
"""

import uuid
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Max, Q

from tournament.access.draw_visibility import released_draws
from tournament.brackets.round_basis import MAIN, pairings_without_result
from tournament.models import Question, Round, RoundPreview, RoundRelease, Tournament


@dataclass(frozen=True, slots=True)
class CompleteRound:
    """The last round of a tournament. `since` is the time of the last result, or of the pairing if all had byes."""

    number: int
    since: datetime | None


def complete_rounds(tournaments: Collection[uuid.UUID]) -> dict[uuid.UUID, CompleteRound]:
    """The last round of each released tournament without an open pairing. A result counts before it is advanced."""
    released = set(released_draws.filter(tournament__in=tournaments).values_list("tournament_id", flat=True))
    without_result = pairings_without_result(released).values_list("round__bracket__tournament", flat=True)
    in_play = set(without_result.distinct())
    rounds = Round.objects.filter(bracket__tournament__in=released - in_play, bracket__key=MAIN)
    last_rounds = rounds.values_list("bracket__tournament").annotate(
        Max("number"), Max("drawn_at"), Max("pairings__results__posted_at")
    )
    return {
        pk: CompleteRound(number, posted_at or drawn_at) for pk, number, drawn_at, posted_at in last_rounds
    }


def automatic_pairing_times(
    tournaments: Iterable[Tournament], complete: Mapping[uuid.UUID, CompleteRound]
) -> dict[uuid.UUID, datetime]:
    """When the next round of each tournament is paired automatically.

    Omits tournaments whose next round is stopped or paired as a preview, or whose matches have open questions. After
    the last answer the time starts again.
    """
    automatic = {
        tournament.pk: tournament
        for tournament in tournaments
        if tournament.round_release == RoundRelease.AUTOMATIC
        and tournament.pk in complete
        and tournament.held_round != complete[tournament.pk].number + 1
    }
    if not automatic:
        return {}
    answered_at = _last_answers(automatic)
    previews = RoundPreview.objects.filter(tournament__in=automatic)
    held = set(previews.values_list("tournament_id", flat=True)) | {
        pk for pk, (open_questions, _) in answered_at.items() if open_questions
    }
    times = {}
    for pk in automatic.keys() - held:
        _, answered = answered_at.get(pk, (0, None))
        since = max(filter(None, (complete[pk].since, answered)), default=None)
        if since is not None:
            times[pk] = since + timedelta(minutes=automatic[pk].release_grace)
    return times


def _last_answers(tournaments: Iterable[uuid.UUID]) -> dict[uuid.UUID, tuple[int, datetime | None]]:
    """The number of open questions about matches of each tournament, and when the last one was answered."""
    questions = Question.objects.filter(
        tournament__in=tournaments, match__pairing__round__bracket__key=MAIN
    ).order_by()
    rows = questions.values_list("tournament").annotate(
        open=Count("pk", filter=Q(closed_at__isnull=True)), answered=Max("closed_at")
    )
    return {pk: (open_questions, answered) for pk, open_questions, answered in rows}
