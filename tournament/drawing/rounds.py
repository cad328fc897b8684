"""Pairs rounds and takes them back.

A round is paired outside the lock and kept only if nothing that it rests on changed meanwhile. A result that a worker
only moves on changes nothing here.
"""

import uuid
from collections.abc import Callable
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from matches import scorecard
from tournament.access.actors import Actor
from tournament.brackets import advancing, former_draws, storage
from tournament.brackets.advancing import LockedTournament
from tournament.brackets.lengths import rounds_of_lives
from tournament.brackets.round_basis import MAIN, Basis, basis_of, last_round, lives_of
from tournament.brackets.storage import Writing
from tournament.draw.formats import Format, Kind
from tournament.draw.graph import FromBye, FromEntry, Graph
from tournament.draw.graph import Pairing as Drawn
from tournament.draw.pairing import Cost, FreePairing, PairedRound, Stop, is_over
from tournament.live import journal
from tournament.live.journal import Deed
from tournament.models import Bracket, Draw, Pairing, Result, ResultKind, Round, RoundBasis, Tournament
from tournament.occupancy import releasing
from tournament.runtime.errors import Refused

TRIES = 3
FEWEST_TO_PAIR = 2
Paired = PairedRound[uuid.UUID] | FreePairing[uuid.UUID]


def write_first(locked: LockedTournament, draw: Draw) -> None:
    """Pairs round 1 of a draw that is being made, from the order that was drawn."""
    basis = basis_of(locked.tournament, draw)
    _write(locked, basis, basis.paired())


def pair_next(tournament_id: uuid.UUID, actor: Actor) -> Round:
    """Pairs the next round, from all results that are posted.

    Raises Refused while a match is open, when all rounds are played, and when it is over.
    """
    return pair(tournament_id, next_basis, actor)


def pair_whoever_is_free(tournament_id: uuid.UUID, actor: Actor) -> Round:
    """Pairs free players of an event with lives while others play; they make a round of their own.

    Raises Refused where nobody may be paired now, and for other formats.
    """
    return pair(tournament_id, free_basis, actor)


def take_back_round(tournament_id: uuid.UUID, reason: str, actor: Actor) -> None:
    """Takes the last round back while none of its matches has begun; not the first, which is the draw's."""
    with advancing.lock_tournament(tournament_id) as locked:
        if not Format.from_json(locked.tournament.format).is_growing:
            raise Refused(
                "no-rounds", "The rounds of this format were drawn with the draw, and stay with it."
            )
        row = last_round(locked.tournament)
        if row is None or row.number == 1:
            raise Refused(
                "no-round", "There is no round to take back. The first is taken back with the draw."
            )
        if not reason.strip():
            raise Refused("reason-needed", "Give a reason: it is kept in the journal.")
        pairings = Pairing.objects.filter(round=row)
        matches = list(scorecard.lock_all(pairings.values_list("match_id", flat=True)).values())
        if any(match.has_begun for match in matches) or pairings.filter(results__isnull=False).exists():
            raise Refused("round-has-begun", "A match of this round has begun, so it stays as it is paired.")
        deed = Deed("take round back", "round", row.pk, before={"round": row.number}, reason=reason)
        releasing.free({match.pk for match in matches})
        former_draws.keep(locked.tournament, [row.pk])
        row.delete()
        scorecard.discard(matches)
        locked.touch_all()
        journal.write(locked.tournament, actor, deed)


def next_basis(tournament: Tournament) -> Basis:
    """What the next round would be paired from; raises Refused as `pair_next` does."""
    draw, chosen = _released(tournament)
    last = last_round(tournament)
    if last is None or not chosen.is_growing:
        raise Refused("no-rounds", "This format has no rounds to be paired.")
    waiting = _without_result(last.bracket).count()
    if waiting:
        raise Refused(
            "round-is-open",
            "Round {number} has {waiting} matches without a result. Enter them first.",
            number=last.number,
            waiting=waiting,
        )
    basis = basis_of(tournament, draw)
    _refuse_when_over(chosen, basis)
    return basis


def _without_result(bracket: Bracket) -> QuerySet[Pairing]:
    """The pairings of a bracket that nothing is posted for, whether a worker has advanced what is or not."""
    standing = Result.objects.filter(pairing=OuterRef("pk"), superseded_by__isnull=True)
    posted = Exists(standing.exclude(kind=ResultKind.RETRACTED))
    return Pairing.objects.filter(round__bracket=bracket, settled="").exclude(posted)


def free_basis(tournament: Tournament) -> Basis:
    """What the free players would be paired from; raises Refused as `pair_whoever_is_free` does."""
    draw, chosen = _released(tournament)
    if chosen.kind != Kind.LIVES:
        raise Refused("no-lives", "Only in an event with lives are players paired while others play.")
    basis = basis_of(tournament, draw, only_free=True)
    _refuse_when_over(chosen, basis)
    return basis


def _released(tournament: Tournament) -> tuple[Draw, Format]:
    draw = advancing.current_draw(tournament)
    if draw is None or not draw.is_released:
        raise Refused("not-released", "Release the draw first: its first round is played before the next.")
    return draw, Format.from_json(tournament.format)


def _refuse_when_over(chosen: Format, basis: Basis) -> None:
    played = basis.number - 1
    if chosen.kind != Kind.LIVES and played >= chosen.rounds:
        raise Refused("all-rounds-played", "All {rounds} rounds are played.", rounds=chosen.rounds)
    is_decided = chosen.kind == Kind.LIVES and is_over(basis.contenders, lives_of(chosen), played)
    if is_decided or len(basis.contenders) < FEWEST_TO_PAIR:
        raise Refused("event-over", "The tournament is over. See the standings.")


def pair(tournament_id: uuid.UUID, from_what: Callable[[Tournament], Basis], actor: Actor) -> Round:
    """Pairs a round from what `from_what` tells. Raises Refused where that does, or where it tells something else
    each time."""
    for _ in range(TRIES):
        tournament = Tournament.objects.get(pk=tournament_id)
        seen = _version(tournament)
        basis = from_what(tournament)
        paired = basis.paired()
        if not paired.pairs:
            raise Refused("nobody-to-pair", "Nobody can be paired right now. Wait for the next result.")
        with advancing.lock_tournament(tournament_id) as locked:
            if _version(locked.tournament) != seen and from_what(locked.tournament) != basis:
                continue
            row = _write(locked, basis, paired)
            advancing.open_ready_matches(locked)
            deed = Deed("pair round", "round", row.pk, after={"round": basis.number, "seed": basis.seed_text})
            journal.write(locked.tournament, actor, deed)
            return row
    raise Refused("changed-meanwhile", "Results are coming in just now. Pair the round again.")


def _version(tournament: Tournament) -> int:
    bracket = Bracket.objects.filter(tournament=tournament, key=MAIN).first()
    return bracket.version if bracket else -1


def _write(locked: LockedTournament, basis: Basis, paired: Paired) -> Round:
    """Keeps a round: its pairings with their costs, the bye last, and what it was paired from."""
    drawn, costs = _drawn(basis.number, paired)
    chosen = Format.from_json(locked.tournament.format)
    rounds = chosen.rounds
    if chosen.kind == Kind.LIVES:
        rounds = rounds_of_lives(
            basis.number, len(basis.contenders), rounds if chosen.stop == Stop.ROUNDS else 0
        )
    told = {key: cost.as_json() for key, cost in costs.items()}
    storage.write(locked, Writing(Graph(drawn), {MAIN}, {MAIN: rounds}, costs=told))
    row = Round.objects.get(bracket__tournament=locked.tournament, bracket__key=MAIN, number=basis.number)
    row.seed_text, row.drawn_at = basis.seed_text, timezone.now()
    row.save(update_fields=["seed_text", "drawn_at"])
    RoundBasis(round=row, document=basis.as_json()).save()
    return row


def _drawn(number: int, paired: Paired) -> tuple[list[Drawn[Any, uuid.UUID]], dict[Any, Cost]]:
    drawn: list[Drawn[Any, uuid.UUID]] = []
    costs: dict[Any, Cost] = {}
    for line, pair in enumerate(paired.pairs, start=1):
        key = (MAIN, number, line)
        drawn.append(Drawn(key, *key, FromEntry(pair.left), FromEntry(pair.right)))
        costs[key] = pair.cost
    if isinstance(paired, PairedRound) and paired.bye is not None:
        key = (MAIN, number, len(drawn) + 1)
        drawn.append(Drawn(key, *key, FromEntry(paired.bye.entry), FromBye()))
        costs[key] = paired.bye.cost
    return drawn, costs
