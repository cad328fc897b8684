"""The next step of tournaments, from the first entry to the results, for staff. Reads only.

The number of statements does not depend on the number of tournaments.
"""

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from tournament.draw.formats import Format
from tournament.models import Commitment, Draw, Jackpot, PersonalLink, Tournament
from tournament.queries.events.overview import EntryCounts, Progress, entry_counts, match_progress
from tournament.queries.next_rounds import NextRound, NextRoundState, next_rounds

FEWEST_ENTRIES = 2


class StepCode(StrEnum):
    """PHONES: print the slips with which players use their phones. RELEASE: the draw. DICE: entries are closed for a
    public draw.
    """

    ENTER = "enter"
    DRAW = "draw"
    DICE = "dice"
    RELEASE = "release"
    PHONES = "phones"
    PLAY = "play"
    PAIR = "pair"
    RELEASE_ROUND = "release_round"
    RESULTS = "results"


@dataclass(frozen=True, slots=True)
class NextStep:
    """`following` is the next round of a tournament that is paired round by round (`is_growing`).

    `open_jackpots`: the numbers of drawn jackpots with a match to be decided, if all other matches are.
    """

    code: StepCode
    entries: EntryCounts
    progress: Progress
    following: NextRound
    is_growing: bool
    open_jackpots: tuple[int, ...] = ()

    @property
    def last_round(self) -> int:
        return self.following.number - 1

    @property
    def is_on_desk(self) -> bool:
        """True if the desk's page shows this step among what needs somebody now."""
        return self.code in (StepCode.RELEASE, StepCode.PAIR, StepCode.RELEASE_ROUND)

    @property
    def is_for_directors(self) -> bool:
        """True if the desk cannot take this step."""
        return self.code in (
            StepCode.DRAW,
            StepCode.DICE,
            StepCode.RELEASE,
            StepCode.PAIR,
            StepCode.RELEASE_ROUND,
        )


def next_steps(tournaments: Iterable[Tournament]) -> dict[uuid.UUID, NextStep]:
    """The next step of each tournament, by id."""
    all_tournaments = list(tournaments)
    entries, progress = entry_counts(all_tournaments), match_progress(all_tournaments)
    draws = Draw.objects.filter(tournament__in=all_tournaments, replaced_at__isnull=True)
    released_at = dict(draws.values_list("tournament_id", "released_at"))
    links = PersonalLink.objects.filter(entry__tournament__in=all_tournaments)
    with_phones = set(links.values_list("entry__tournament_id", flat=True).distinct())
    following = next_rounds(all_tournaments)
    closed = _closed_for_a_draw([row for row in all_tournaments if row.pk not in released_at])

    def step(tournament: Tournament) -> NextStep:
        pk = tournament.pk
        counts, matches = entries.get(pk, EntryCounts()), progress.get(pk, Progress())
        if pk in closed:
            code = StepCode.DICE
        elif pk not in released_at:
            code = StepCode.DRAW if counts.entered >= FEWEST_ENTRIES else StepCode.ENTER
        elif released_at[pk] is None:
            code = StepCode.RELEASE
        else:
            code = _step_in_play(matches, following[pk], has_phones=pk in with_phones)
        is_growing = Format.from_json(tournament.format).is_growing
        return NextStep(code, counts, matches, following[pk], is_growing)

    steps = {tournament.pk: step(tournament) for tournament in all_tournaments}
    over = [pk for pk, row in steps.items() if row.code is StepCode.RESULTS]
    for pk, numbers in _open_jackpots(over).items():
        steps[pk] = replace(steps[pk], open_jackpots=tuple(numbers))
    return steps


def _open_jackpots(tournaments: Sequence[uuid.UUID]) -> dict[uuid.UUID, list[int]]:
    if not tournaments:
        return {}
    rows = Jackpot.objects.filter(tournament__in=tournaments, bracket__rounds__pairings__settled="")
    numbers: dict[uuid.UUID, list[int]] = {}
    for tournament, number in rows.order_by("number").values_list("tournament", "number").distinct():
        numbers.setdefault(tournament, []).append(number)
    return numbers


def _closed_for_a_draw(tournaments: Sequence[Tournament]) -> set[uuid.UUID]:
    """The tournaments whose entries are closed for a public draw that is not made yet."""
    if not tournaments:
        return set()
    waiting = Commitment.objects.filter(draw__isnull=True, given_up_at__isnull=True, closed_at__isnull=False)
    return set(waiting.filter(tournament__in=tournaments).values_list("tournament_id", flat=True))


def find_next_step(tournament: Tournament) -> NextStep:
    return next_steps([tournament])[tournament.pk]


def _step_in_play(progress: Progress, following: NextRound, *, has_phones: bool) -> StepCode:
    if following.state == NextRoundState.COMPLETE:
        return StepCode.PAIR
    if following.state == NextRoundState.PAIRED:
        return StepCode.RELEASE_ROUND
    if progress.decided == progress.matches:
        return StepCode.RESULTS
    has_begun = progress.decided or progress.playing or progress.being_confirmed
    return StepCode.PLAY if has_begun or has_phones else StepCode.PHONES
