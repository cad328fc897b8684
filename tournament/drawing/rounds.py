"""Pairs rounds, takes them back, and changes their match length and clock.

Pairing runs outside the lock. Its outcome is stored only if the facts it was computed from are still the same.
"""

import uuid
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, TypeVar

from django.utils import timezone

from matches import scorecard
from matches.locking import lock_matches
from matches.models import Match
from tournament.access.actors import Actor
from tournament.brackets import advancing, clocks, former_draws, storage
from tournament.brackets.advancing import LockedTournament
from tournament.brackets.clocks import RoundClock
from tournament.brackets.lengths import (
    PlayedTo,
    planned_rounds_of_lives,
    played_to,
    round_fields,
    validate_round_length,
)
from tournament.brackets.round_basis import (
    GROUP_PREFIX,
    MAIN,
    Basis,
    last_round,
    lives_rules,
    next_basis,
    pairings_without_result,
)
from tournament.brackets.storage import GraphToStore
from tournament.draw.formats import Format, Kind
from tournament.draw.graph import FromBye, FromEntry, Graph
from tournament.draw.graph import Pairing as DrawnPairing
from tournament.draw.pairing import Cost, FreePairing, PairedRound, Stop, is_over
from tournament.live import journal
from tournament.live.journal import JournalEntry
from tournament.models import (
    Bracket,
    Draw,
    Pairing,
    PairRule,
    Round,
    RoundBasis,
    RoundPreview,
    RoundRelease,
    Tournament,
)
from tournament.occupancy import releasing
from tournament.refusals.rounds import (
    ALL_ROUNDS_PLAYED,
    NO_LIVES,
    NO_ROUND_TO_TAKE_BACK,
    NO_ROUNDS_TO_PAIR,
    NO_SUCH_ROUND,
    NONE_TO_PAIR,
    NOT_RELEASED_FOR_ROUND,
    RESULTS_ARRIVING,
    ROUND_HAS_BEGUN,
    ROUND_IN_PLAY,
    ROUND_IS_NOT_LAST,
    ROUND_IS_OPEN,
    ROUND_IS_PAIRED,
    ROUND_REASON_NEEDED,
    ROUNDS_BELONG_TO_DRAW,
    TOURNAMENT_OVER,
)
from tournament.runtime.errors import Refused

MAX_ATTEMPTS = 3
FEWEST_TO_PAIR = 2
Stored = TypeVar("Stored")
PairedByRecords = PairedRound[uuid.UUID] | FreePairing[uuid.UUID]


def pair_first_round(locked: LockedTournament, draw: Draw) -> None:
    """Pairs round 1 of a new draw from the drawn order."""
    basis = next_basis(locked.tournament, draw)
    store_round(locked, basis, basis.paired())


def pair_next_round(tournament_id: uuid.UUID, actor: Actor) -> Round:
    """Pairs the next round from all posted results.

    Raises Refused while a match has no result, and once the tournament is over.
    """
    return pair_round(tournament_id, next_round_basis, actor)


def pair_free_players(tournament_id: uuid.UUID, actor: Actor) -> Round:
    """Pairs the free players of an event with lives, as a new round, while others play.

    Raises Refused if no pair is possible now, and for other formats.
    """
    return pair_round(tournament_id, free_players_basis, actor)


def take_back_round(tournament_id: uuid.UUID, reason: str, actor: Actor) -> None:
    """Takes the last round back, and the preview of the next one.

    Raises Refused for round 1, without a reason, and once a match of it has begun.
    """
    with advancing.lock_tournament(tournament_id) as locked:
        row = unplayed_last_round(locked.tournament, reason)
        remove_round(locked, row)
        journal_entry = JournalEntry(
            "take round back", "round", row.pk, before={"round": row.number}, reason=reason
        )
        journal.write(locked.tournament, actor, journal_entry)


def unplayed_last_round(tournament: Tournament, reason: str, expected: int | None = None) -> Round:
    """Returns the last round and locks its matches.

    Raises Refused as `take_back_round` does, and if the last round does not have the id `expected`.
    """
    if not Format.from_json(tournament.format).is_growing:
        raise Refused(ROUNDS_BELONG_TO_DRAW)
    row = last_round(tournament)
    if row is None or row.number == 1:
        raise Refused(NO_ROUND_TO_TAKE_BACK)
    if expected not in (None, row.pk):
        raise Refused(ROUND_IS_NOT_LAST, number=row.number)
    if not reason.strip():
        raise Refused(ROUND_REASON_NEEDED)
    pairings = Pairing.objects.filter(round=row)
    matches = lock_matches(pairings.values_list("match_id", flat=True)).values()
    if (
        any(locked_match.match.has_begun for locked_match in matches)
        or pairings.filter(results__isnull=False).exists()
    ):
        raise Refused(ROUND_IN_PLAY)
    return row


def remove_round(locked: LockedTournament, row: Round) -> None:
    """Deletes an unplayed round with its matches, and the preview of the next one; the history keeps its pairings."""
    matches = list(Match.objects.filter(pairing__round=row))
    releasing.release_tables({match.pk for match in matches})
    former_draws.store_former_sheet(locked.tournament, [row.pk])
    RoundPreview.objects.filter(tournament=locked.tournament).delete()
    Round.objects.filter(pk=row.pk).delete()
    scorecard.discard(matches)
    hold_automatic_pairing(locked, row.number)
    locked.touch_all()


def hold_automatic_pairing(locked: LockedTournament, number: int) -> None:
    """The worker does not pair round `number` of a tournament that pairs its rounds automatically."""
    if locked.tournament.round_release == RoundRelease.AUTOMATIC:
        locked.tournament.held_round = number
        locked.tournament.save(update_fields=["held_round"])


def change_round_length(
    round_id: int, tournament_id: uuid.UUID, to: PlayedTo, actor: Actor, *, in_all_groups: bool = False
) -> None:
    """Sets the match length or the sessions of a round; with `in_all_groups` in every group that plays this round.

    Raises Refused once a match of one of these rounds has begun.
    """
    with advancing.lock_tournament(tournament_id) as locked:
        after = round_fields(validate_round_length(to))
        for pk in _same_round_of_groups(locked.tournament, round_id) if in_all_groups else [round_id]:
            row, matches = _load_unplayed_round(locked.tournament, pk)
            before = round_fields(played_to(row))
            journal_entry = JournalEntry(
                "change length", "round", row.pk, _without_empty(before), _without_empty(after)
            )
            row.length, row.games, row.minutes = after["length"], after["games"], after["minutes"]
            row.save(update_fields=["length", "games", "minutes"])
            scorecard.change_length(matches, row.length, row.games)
            locked.touch(row.bracket_id)
            journal.write(locked.tournament, actor, journal_entry)


def change_round_clock(
    round_id: int, tournament_id: uuid.UUID, clock: RoundClock | None, actor: Actor
) -> None:
    """Sets the clock of a round; None restores the clock of the ruleset.

    Raises Refused once a match of the round has begun.
    """
    with advancing.lock_tournament(tournament_id) as locked:
        row, matches = _load_unplayed_round(locked.tournament, round_id)
        after = clocks.validate_clock(clock)
        before = clocks.round_clock(row)
        row.point_seconds = after.point_seconds if after else None
        row.move_seconds = after.move_seconds if after else None
        row.save(update_fields=["point_seconds", "move_seconds"])
        usual = clocks.tournament_ruleset(locked.tournament)
        scorecard.change_rules(matches, clocks.round_ruleset(row, usual))
        locked.touch(row.bracket_id)
        journal_entry = JournalEntry("change clock", "round", row.pk, _clock_json(before), _clock_json(after))
        journal.write(locked.tournament, actor, journal_entry)


def change_rounds(
    tournament_id: uuid.UUID,
    lengths: Mapping[int, PlayedTo],
    round_clocks: Mapping[int, RoundClock | None],
    actor: Actor,
    *,
    in_all_groups: bool = False,
) -> None:
    """Sets lengths and clocks of several rounds, all or none. Raises Refused once a match of one of them has begun.

    `in_all_groups`: a length is that of this round in every group.
    """
    with advancing.lock_tournament(tournament_id):
        for round_id, to in lengths.items():
            change_round_length(round_id, tournament_id, to, actor, in_all_groups=in_all_groups)
        for round_id, clock in round_clocks.items():
            change_round_clock(round_id, tournament_id, clock, actor)


def _same_round_of_groups(tournament: Tournament, round_id: int) -> list[int]:
    """The ids of the rounds of this number in every group; this round alone if it belongs to no group."""
    rounds = Round.objects.filter(bracket__tournament=tournament, bracket__key__startswith=GROUP_PREFIX)
    number = rounds.filter(pk=round_id).values("number")
    same = rounds.filter(number__in=number).order_by("bracket__position").values_list("pk", flat=True)
    return list(same) or [round_id]


def _load_unplayed_round(tournament: Tournament, round_id: int) -> tuple[Round, list[Match]]:
    row = Round.objects.filter(pk=round_id, bracket__tournament=tournament).first()
    if row is None:
        raise Refused(NO_SUCH_ROUND)
    matches = list(Match.objects.filter(pairing__round=row))
    if any(match.has_begun for match in matches):
        raise Refused(ROUND_HAS_BEGUN)
    return row, matches


def _without_empty(fields: Mapping[str, int | None]) -> dict[str, object]:
    return {name: value for name, value in fields.items() if value is not None}


def _clock_json(clock: RoundClock | None) -> dict[str, object]:
    return asdict(clock) if clock else {}


def next_round_basis(tournament: Tournament) -> Basis:
    """The facts that the next round is paired from. Raises Refused as `pair_next_round` does."""
    draw, chosen = _released_draw(tournament)
    last = last_round(tournament)
    if last is None or not chosen.is_growing:
        raise Refused(NO_ROUNDS_TO_PAIR)
    waiting = pairings_without_result([tournament.pk]).count()
    if waiting:
        raise Refused(ROUND_IS_OPEN, number=last.number, waiting=waiting)
    basis = next_basis(tournament, draw)
    _refuse_if_over(chosen, basis)
    return basis


def free_players_basis(tournament: Tournament) -> Basis:
    """The facts that free players are paired from. Raises Refused as `pair_free_players` does."""
    draw, chosen = _released_draw(tournament)
    if chosen.kind != Kind.LIVES:
        raise Refused(NO_LIVES)
    basis = next_basis(tournament, draw, only_free=True)
    _refuse_if_over(chosen, basis)
    return basis


def _released_draw(tournament: Tournament) -> tuple[Draw, Format]:
    draw = advancing.current_draw(tournament)
    if draw is None or not draw.is_released:
        raise Refused(NOT_RELEASED_FOR_ROUND)
    return draw, Format.from_json(tournament.format)


def _refuse_if_over(chosen: Format, basis: Basis) -> None:
    played = basis.number - 1
    if chosen.kind != Kind.LIVES and played >= chosen.rounds:
        raise Refused(ALL_ROUNDS_PLAYED, rounds=chosen.rounds)
    is_decided = chosen.kind == Kind.LIVES and is_over(basis.contenders, lives_rules(chosen), played)
    if is_decided or len(basis.contenders) < FEWEST_TO_PAIR:
        raise Refused(TOURNAMENT_OVER)


def pair_round(tournament_id: uuid.UUID, make_basis: Callable[[Tournament], Basis], actor: Actor) -> Round:
    """Pairs and releases a round from `make_basis`.

    Raises Refused as `pair` does, and while the next round is paired and not released.
    """

    def store(locked: LockedTournament, basis: Basis, paired: PairedByRecords) -> Round:
        return store_released_round(locked, basis, paired, actor)

    return pair(tournament_id, make_basis, store)


def store_released_round(
    locked: LockedTournament, basis: Basis, paired: PairedByRecords, actor: Actor
) -> Round:
    """Stores a round and opens its matches. Raises Refused while the next round is paired and not released."""
    if RoundPreview.objects.filter(tournament=locked.tournament).exists():
        raise Refused(ROUND_IS_PAIRED, number=basis.number)
    row = store_round(locked, basis, paired)
    advancing.open_ready_matches(locked)
    journal_entry = JournalEntry(
        "pair round", "round", row.pk, after={"round": basis.number, "seed": basis.seed_text}
    )
    journal.write(locked.tournament, actor, journal_entry)
    return row


def pair(
    tournament_id: uuid.UUID,
    make_basis: Callable[[Tournament], Basis],
    store: Callable[[LockedTournament, Basis, PairedByRecords], Stored],
) -> Stored:
    """Pairs a round outside the lock, and stores it under the lock if its basis is still the same.

    Raises Refused if `make_basis` or `store` does, and if the basis changes at every attempt.
    """
    for _ in range(MAX_ATTEMPTS):
        tournament = Tournament.objects.get(pk=tournament_id)
        facts = _facts_version(tournament)
        basis = make_basis(tournament)
        paired = basis.paired()
        if not paired.pairs:
            raise Refused(NONE_TO_PAIR)
        with advancing.lock_tournament(tournament_id) as locked:
            if _facts_version(locked.tournament) == facts or make_basis(locked.tournament) == basis:
                return store(locked, basis, paired)
    raise Refused(RESULTS_ARRIVING)


def _facts_version(tournament: Tournament) -> tuple[int, set[int]]:
    """Changes with the facts of a basis. Rules of pairs raise no version, because only staff may notice them."""
    bracket = Bracket.objects.filter(tournament=tournament, key=MAIN).first()
    rules = PairRule.objects.filter(tournament=tournament).values_list("pk", flat=True)
    return (bracket.version if bracket else -1), set(rules)


def store_round(locked: LockedTournament, basis: Basis, paired: PairedByRecords) -> Round:
    """Stores a round: its pairings with their costs, the bye last, and its basis."""
    pairings, costs = _graph_pairings(basis.number, paired)
    chosen = Format.from_json(locked.tournament.format)
    rounds = chosen.rounds
    if chosen.kind == Kind.LIVES:
        rounds = planned_rounds_of_lives(
            basis.number, len(basis.contenders), rounds if chosen.stop == Stop.ROUNDS else 0
        )
    stored_costs = {key: cost.as_json() for key, cost in costs.items()}
    storage.write(locked, GraphToStore(Graph(pairings), {MAIN}, {MAIN: rounds}, costs=stored_costs))
    row = Round.objects.get(bracket__tournament=locked.tournament, bracket__key=MAIN, number=basis.number)
    row.seed_text, row.drawn_at = basis.seed_text, timezone.now()
    row.save(update_fields=["seed_text", "drawn_at"])
    RoundBasis(round=row, document=basis.as_json()).save()
    return row


def _graph_pairings(
    number: int, paired: PairedByRecords
) -> tuple[list[DrawnPairing[Any, uuid.UUID]], dict[Any, Cost]]:
    pairings: list[DrawnPairing[Any, uuid.UUID]] = []
    costs: dict[Any, Cost] = {}
    for line, pair in enumerate(paired.pairs, start=1):
        key = (MAIN, number, line)
        pairings.append(DrawnPairing(key, *key, FromEntry(pair.left), FromEntry(pair.right)))
        costs[key] = pair.cost
    if isinstance(paired, PairedRound) and paired.bye is not None:
        key = (MAIN, number, len(pairings) + 1)
        pairings.append(DrawnPairing(key, *key, FromEntry(paired.bye.entry), FromBye()))
        costs[key] = paired.bye.cost
    return pairings, costs
