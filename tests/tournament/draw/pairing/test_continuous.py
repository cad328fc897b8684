"""Free players are paired while others play: early, never into a dead end, and until the event ends."""

from itertools import product
from random import Random

import pytest

from tests.tournament.draw.pairing.oracle import every_pairing, played
from tournament.draw.pairing import (
    Aims,
    Alike,
    Contender,
    LivesMoment,
    LivesRules,
    PairingError,
    Proof,
    is_over,
    may_pair_now,
    pair_free,
    prove_completable,
)

AIMS = Aims(alike=Alike.LOSSES)


def some_moment(number, lives, seed):
    """A moment of an event in which some have met and some play. Nobody has lost the last life."""
    chance = Random(seed)
    players = [Contender(entry, losses=chance.randrange(lives), strength=entry) for entry in range(number)]
    players = [
        contender._replace(
            opponents=tuple(chance.sample(range(number), chance.randrange(max(number // 2, 1))))
        )
        for contender in players
    ]
    seated = chance.sample(range(number), 2 * chance.randrange(number // 2 + 1))
    return LivesMoment(tuple(players), LivesRules(lives), tuple(zip(seated[::2], seated[1::2], strict=True)))


def can_pair_after_every_result(moment):
    """The definition: for all results, all remaining players can meet somebody they have not met."""
    met = {
        frozenset((contender.entry, opponent))
        for contender in moment.contenders
        for opponent in contender.opponents
    }
    met |= {frozenset(pair) for pair in moment.open_matches}
    lives_left = {contender.entry: moment.rules.lives - contender.losses for contender in moment.contenders}
    for losers in product(*moment.open_matches):
        left = [
            contender
            for contender in moment.contenders
            if lives_left[contender.entry] - losers.count(contender.entry) > 0
        ]
        waits = len(left) % 2
        if len(left) > 1 and not any(
            sum(opponent is None for _, opponent in pairing) == waits
            and all(
                opponent is None or frozenset((contender.entry, opponent.entry)) not in met
                for contender, opponent in pairing
            )
            for pairing in every_pairing(left)
        ):
            return False
    return True


@pytest.mark.parametrize("number", [2, 3, 4, 5, 6, 7, 8])
def test_a_proof_for_few_players_holds_for_all_results(number):
    for seed in range(25):
        moment = some_moment(number, lives=1 + seed % 3, seed=100 * number + seed)
        assert prove_completable(moment) == (
            Proof.PROVEN if can_pair_after_every_result(moment) else Proof.REFUTED
        )


def test_a_large_field_is_proven_without_trying_results():
    players = tuple(Contender(entry, losses=2, opponents=((entry + 1) % 60,)) for entry in range(60))
    pairs = tuple((entry, entry + 2) for entry in range(40) if entry % 4 < 2)
    assert prove_completable(LivesMoment(players, LivesRules(3), pairs)) == Proof.PROVEN


def test_too_many_open_results_prove_nothing():
    players = tuple(Contender(entry, losses=2, opponents=tuple(range(10))) for entry in range(20))
    pairs = tuple((entry, entry + 10) for entry in range(10))
    assert prove_completable(LivesMoment(players, LivesRules(3), pairs)) == Proof.OPEN


def test_two_players_wait_if_their_match_would_leave_unpairable_players():
    """Six who can go on only as 1-2, 3-5, 4-6: seating 1 and 2 now would leave them without opponents after it."""
    unmet = {frozenset(pair) for pair in ((1, 2), (3, 5), (4, 6))}
    players = tuple(
        Contender(
            contender,
            opponents=tuple(
                opponent for opponent in range(1, 7) if frozenset((contender, opponent)) not in unmet
            ),
        )
        for contender in range(1, 7)
    )
    moment = LivesMoment(players, LivesRules(3), ((5, 6),))
    assert prove_completable(moment) == Proof.PROVEN
    assert not may_pair_now(moment, ((1, 2),))
    assert pair_free(moment, AIMS, "dice").waiting == (1, 2, 3, 4)


def test_players_do_not_wait_if_waiting_does_not_help():
    """Four who all met 3 and 4 cannot all go on without a rematch, whether 1 and 2 wait or not."""
    players = (Contender(1, opponents=(3, 4)), Contender(2, opponents=(3, 4)), Contender(3), Contender(4))
    moment = LivesMoment(players, LivesRules(3), ((3, 4),))
    assert prove_completable(moment) == Proof.REFUTED
    assert may_pair_now(moment, ((1, 2),))


def test_two_who_have_met_are_not_seated_again_while_others_play():
    players = (Contender(1, opponents=(2,)), Contender(2), Contender(3), Contender(4))
    moment = LivesMoment(players, LivesRules(3), ((3, 4),))
    assert not may_pair_now(moment, ((1, 2),))
    assert pair_free(moment, AIMS, "dice").waiting == (1, 2)


def test_two_who_have_met_meet_again_when_nobody_else_is_left():
    moment = LivesMoment((Contender(1, opponents=(2,)), Contender(2), Contender(3, losses=3)), LivesRules(3))
    paired = pair_free(moment, AIMS, "dice")
    assert [(pair.left, pair.right) for pair in paired.pairs] == [(1, 2)]
    assert paired.waiting == ()


def test_nobody_is_seated_twice_or_after_the_last_life():
    players = (Contender(1), Contender(2), Contender(3, losses=3))
    with pytest.raises(PairingError, match="no longer in the event"):
        LivesMoment(players, LivesRules(3), ((1, 3),))
    with pytest.raises(PairingError, match="not free"):
        may_pair_now(LivesMoment(players, LivesRules(3), ((1, 2),)), ((1, 2),))


def test_players_with_two_open_matches_wait_and_the_others_are_paired():
    """A result of round 1 was taken back after round 2 was paired."""
    players = tuple(Contender(entry, strength=entry) for entry in range(1, 7))
    moment = LivesMoment(players, LivesRules(3), ((1, 2), (1, 3), (2, 4)))
    paired = pair_free(moment, AIMS, "dice")
    assert [(pair.left, pair.right) for pair in paired.pairs] == [(5, 6)]


def test_two_open_matches_may_cost_two_lives():
    players = (*(Contender(entry, losses=1, opponents=(4,)) for entry in (1, 2, 3)), Contender(4))
    moment = LivesMoment(players, LivesRules(3), ((1, 2), (1, 3)))
    assert (prove_completable(moment) == Proof.PROVEN) == can_pair_after_every_result(moment)


def test_nobody_is_paired_once_the_event_is_over():
    moment = LivesMoment((Contender(1), Contender(2, losses=3)), LivesRules(3))
    assert pair_free(moment, AIMS, "dice").pairs == ()
    assert pair_free(moment, AIMS, "dice").waiting == (1,)


@pytest.mark.parametrize(("number", "lives"), [(2, 3), (3, 2), (6, 3), (11, 3), (24, 2), (40, 3)])
def test_an_event_paired_match_by_match_never_stalls_and_ends(number, lives):
    chance, rules = Random(number), LivesRules(lives)
    players = {entry: Contender(entry, strength=entry) for entry in range(number)}
    playing, matches = [], 0
    while not is_over(players.values(), rules):
        moment = LivesMoment(tuple(players.values()), rules, tuple(playing))
        now = pair_free(moment, AIMS, f"match {matches}")
        if playing:
            assert all(pair.cost.tiers.rematches == 0 for pair in now.pairs)
        playing += [(pair.left, pair.right) for pair in now.pairs]
        assert playing
        winner, loser = chance.sample(playing.pop(chance.randrange(len(playing))), 2)
        players[winner], players[loser] = played(players[winner], players[loser])
        matches += 1
    assert matches <= number * lives - 1
