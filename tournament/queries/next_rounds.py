"""The next round of tournaments that are paired round by round, for staff. Reads only.

The number of statements does not depend on the number of tournaments. It does not depend on hidden previews either,
because public pages ask whether a tournament is over.
"""

import uuid
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.db.models import Count, Max

from tournament.access.draw_visibility import released_draws
from tournament.brackets.round_basis import (
    MAIN,
    contenders_by_tournament,
    lives_rules,
    pairings_without_result,
)
from tournament.draw.formats import Format, Kind
from tournament.draw.pairing import is_over
from tournament.models import Draw, Entry, Round, RoundPreview, Tournament

FEWEST_TO_PAIR = 2


class NextRoundState(StrEnum):
    """COMPLETE: every match of the last round has a result, and the next round can be paired. PAIRED: the next round
    is paired and not released. NONE: nothing to do, because a round is played or the last round is over.
    """

    NONE = "none"
    COMPLETE = "complete"
    PAIRED = "paired"


@dataclass(frozen=True, slots=True)
class NextRound:
    """`number` is the round to pair or to release, `of` the number of rounds (0 if unknown).

    `since` is the time of the last result, or of the pairing. All are empty in the state NONE.
    """

    state: NextRoundState = NextRoundState.NONE
    number: int = 0
    of: int = 0
    since: datetime | None = None


@dataclass(frozen=True, slots=True)
class _LastRound:
    number: int
    since: datetime | None


def next_rounds(tournaments: Iterable[Tournament]) -> dict[uuid.UUID, NextRound]:
    """The state of each tournament, by id; NONE for knock-outs, round robins and before the release of the draw."""
    states = {tournament.pk: NextRound() for tournament in tournaments}
    formats = {tournament.pk: Format.from_json(tournament.format) for tournament in tournaments}
    growing = [pk for pk, chosen in formats.items() if chosen.is_growing]
    if not growing:
        return states
    complete = _complete_rounds(growing)
    previews = _previews(complete)
    over = _tournaments_over({pk: formats[pk] for pk in complete}, complete)
    for pk, last in complete.items():
        of = 0 if formats[pk].kind == Kind.LIVES else formats[pk].rounds
        if pk in over:
            continue
        if pk in previews:
            states[pk] = NextRound(NextRoundState.PAIRED, last.number + 1, of, previews[pk])
        else:
            states[pk] = NextRound(NextRoundState.COMPLETE, last.number + 1, of, last.since)
    return states


def find_next_round(tournament: Tournament) -> NextRound:
    return next_rounds([tournament])[tournament.pk]


def _complete_rounds(tournaments: Collection[uuid.UUID]) -> dict[uuid.UUID, _LastRound]:
    """The last round of each released tournament without an open pairing. A result counts before it is advanced."""
    released = set(released_draws.filter(tournament__in=tournaments).values_list("tournament_id", flat=True))
    without_result = pairings_without_result(released).values_list("round__bracket__tournament", flat=True)
    in_play = set(without_result.distinct())
    rounds = Round.objects.filter(bracket__tournament__in=released - in_play, bracket__key=MAIN)
    last_rounds = rounds.values_list("bracket__tournament").annotate(
        Max("number"), Max("drawn_at"), Max("pairings__results__posted_at")
    )
    return {pk: _LastRound(number, posted_at or drawn_at) for pk, number, drawn_at, posted_at in last_rounds}


def _previews(tournaments: Collection[uuid.UUID]) -> dict[uuid.UUID, datetime]:
    rows = RoundPreview.objects.filter(tournament__in=tournaments)
    return dict(rows.values_list("tournament_id", "made_at"))


def _tournaments_over(
    formats: Mapping[uuid.UUID, Format], last_rounds: Mapping[uuid.UUID, _LastRound]
) -> set[uuid.UUID]:
    """The tournaments among these without a further round."""
    active = Entry.objects.filter(tournament__in=formats, withdrawn_at__isnull=True)
    active_entries = dict(active.values_list("tournament").annotate(Count("pk")))
    over = {
        pk
        for pk, chosen in formats.items()
        if active_entries.get(pk, 0) < FEWEST_TO_PAIR
        or (chosen.kind != Kind.LIVES and last_rounds[pk].number >= chosen.rounds)
    }
    lives = [pk for pk, chosen in formats.items() if chosen.kind == Kind.LIVES and pk not in over]
    draws = Draw.objects.filter(tournament__in=lives, replaced_at__isnull=True)
    contenders = contenders_by_tournament(draws.select_related("tournament")) if lives else {}
    return over | {
        pk
        for pk, still_in in contenders.items()
        if len(still_in) < FEWEST_TO_PAIR
        or is_over(still_in, lives_rules(formats[pk]), last_rounds[pk].number)
    }
