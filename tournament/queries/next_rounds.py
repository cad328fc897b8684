"""The next round of tournaments that are paired round by round, for staff. Reads only.

The number of statements does not depend on the number of tournaments. It does not depend on hidden previews either,
because public pages ask whether a tournament is over.
"""

import uuid
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.db.models import Count

from tournament.brackets.complete_rounds import CompleteRound, automatic_pairing_times, complete_rounds
from tournament.brackets.round_basis import contenders_by_tournament, lives_rules
from tournament.draw.formats import Format, Kind
from tournament.draw.pairing import is_over
from tournament.models import Draw, Entry, RoundPreview, RoundRelease, Tournament

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

    `since` is the time of the last result, or of the pairing. `automatic_at` is the time when a worker pairs the round;
    `is_stopped` means that a director does not let it. All are empty in the state NONE.
    """

    state: NextRoundState = NextRoundState.NONE
    number: int = 0
    of: int = 0
    since: datetime | None = None
    automatic_at: datetime | None = None
    is_stopped: bool = False
    has_preview_first: bool = False


def next_rounds(tournaments: Iterable[Tournament]) -> dict[uuid.UUID, NextRound]:
    """The state of each tournament, by id; NONE for knock-outs, round robins and before the release of the draw."""
    rows = {tournament.pk: tournament for tournament in tournaments}
    states = {pk: NextRound() for pk in rows}
    formats = {pk: Format.from_json(tournament.format) for pk, tournament in rows.items()}
    growing = [pk for pk, chosen in formats.items() if chosen.is_growing]
    if not growing:
        return states
    complete = complete_rounds(growing)
    previews = _previews(complete)
    over = _tournaments_over({pk: formats[pk] for pk in complete}, complete)
    times = automatic_pairing_times(rows.values(), complete)
    for pk, last in complete.items():
        of = 0 if formats[pk].kind == Kind.LIVES else formats[pk].rounds
        if pk in over:
            continue
        if pk in previews:
            states[pk] = NextRound(NextRoundState.PAIRED, last.number + 1, of, previews[pk])
        else:
            is_automatic = rows[pk].round_release == RoundRelease.AUTOMATIC
            is_stopped = is_automatic and rows[pk].held_round == last.number + 1
            states[pk] = NextRound(
                NextRoundState.COMPLETE,
                last.number + 1,
                of,
                last.since,
                times.get(pk),
                is_stopped,
                has_preview_first=rows[pk].round_release == RoundRelease.AFTER_PREVIEW,
            )
    return states


def find_next_round(tournament: Tournament) -> NextRound:
    return next_rounds([tournament])[tournament.pk]


def _previews(tournaments: Collection[uuid.UUID]) -> dict[uuid.UUID, datetime]:
    rows = RoundPreview.objects.filter(tournament__in=tournaments)
    return dict(rows.values_list("tournament_id", "made_at"))


def _tournaments_over(
    formats: Mapping[uuid.UUID, Format], last_rounds: Mapping[uuid.UUID, CompleteRound]
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
