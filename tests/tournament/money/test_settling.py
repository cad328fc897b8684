"""Two players settle their match: one proposes, the other accepts, or the desk records it."""

from copy import deepcopy
from datetime import timedelta
from fractions import Fraction

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from matches.keepers import Keeper
from tests.tournament import stories
from tests.tournament.money.stories import SPLIT, TERMS, claims, owed, phone, sell_lot, with_pot
from tests.tournament.refusals import refusal
from tournament import corrections
from tournament.brackets import advancing, storage
from tournament.draw.formats import Format, Kind
from tournament.models import Entry, Result, ResultKind, Tournament
from tournament.money import awards, calcutta, settling
from tournament.money.agreed_prizes import PotStakes
from tournament.money.calcutta_awards import award_owners
from tournament.money.due_awards import entrants_of, structure_of
from tournament.money.open_matches import open_matches
from tournament.money.pots import paid_into_pots
from tournament.money.settling import Agreement, shared_stakes
from tournament.money.stakes import Stakes, Unshared, fair_share, stakes_of
from tournament.money.worth import compute_worth
from tournament.money.worth_of_ends import CompleteEnds
from tournament.places.certain import place_rules
from tournament.prizes.structure import Feat, Part, PoolPrizes, PrizeStructure
from tournament.prizes.worth import outcomes
from tournament.queries.corrections.money_changes import agreed_again, money_changes
from tournament.queries.money.book_check import differences_in_books
from tournament.queries.money.prize_steps import prize_steps
from tournament.queries.money.settlements import load_settlement_page, open_proposal
from tournament.queries.standings.posted_results import latest_results
from tournament.results import desk
from tournament.results.awards import ExpectedResult


@pytest.fixture(scope="module")
def final_of_module(actor_of_module):
    """A final of two players."""
    (pairing,) = stories.playable(stories.released(actor_of_module, 2))
    return pairing


@pytest.fixture
def final(db, final_of_module):
    return deepcopy(final_of_module)


def test_a_fair_split_is_the_second_prize_and_a_part_of_the_difference():
    stakes = Stakes("GBP", (PotStakes("main", 500_00, 230_00), PotStakes("1", 100_00, 0)))
    assert [fair_share(stakes, chance) for chance in (Fraction(6, 10), Fraction(4, 10))] == [452_00, 378_00]


@pytest.mark.django_db
def test_a_proposal_ends_the_match_only_when_the_other_player_accepts_it(final):
    proposer, other = phone(final.right), phone(final.left)
    first = settling.propose(final, Agreement(final.left_id), proposer)
    proposal = settling.propose(final, Agreement(final.right_id), proposer)
    assert open_proposal(final) == proposal
    assert refusal(settling.confirm, final, first.pk, Keeper.LEFT, other) == "no-proposal"
    assert refusal(settling.confirm, final, proposal.pk, Keeper.RIGHT, proposer) == "own-proposal"
    result = settling.confirm(final, proposal.pk, Keeper.LEFT, other)
    assert (result.kind, result.winner_id, result.confirmed_by) == ("settled", final.right_id, "left")
    assert advancing.advance(result.pk)
    (line,) = latest_results([final.round.bracket.tournament], 5)
    assert (line.first.entry_id, line.how, line.has_points) == (final.right_id, "settled", False)
    assert refusal(settling.propose, final, Agreement(final.left_id), other) == "posted-already"


@pytest.mark.django_db
def test_a_declined_proposal_is_not_accepted_later(final):
    proposal = settling.propose(final, Agreement(final.left_id), phone(final.right))
    settling.close(final, proposal.pk, phone(final.left))
    assert refusal(settling.confirm, final, proposal.pk, Keeper.LEFT, phone(final.left)) == "no-proposal"


@pytest.mark.django_db
def test_a_settlement_of_the_desk_is_corrected_and_undone_like_any_result(final, actor):
    result = settling.settle_at_desk(final, Agreement(final.left_id), "", actor)
    advancing.advance(result.pk)
    change = corrections.Change(ResultKind.SETTLED, final.right_id)
    consequences = corrections.preview(final.pk, change)
    made = corrections.correct(consequences, consequences.digest, "the other way round", actor)
    corrections.undo(made.pk, actor)
    current = final.results.get(superseded_by__isnull=True)
    assert (current.kind, current.winner_id) == ("settled", final.left_id)
    desk.retract(final, "", actor)
    assert stories.playable(final.round.bracket.tournament) == [final]


@pytest.fixture(scope="module")
def final_for_prizes_of_module(actor_of_module):
    """A final for 80 and 40 EUR. The semifinals are played."""
    made = with_pot(stories.released(actor_of_module, 4), actor_of_module)
    for semifinal in stories.playable(made):
        stories.play(semifinal, actor_of_module)
    (pairing,) = stories.playable(made)
    return pairing


@pytest.fixture
def final_for_prizes(db, final_for_prizes_of_module):
    return deepcopy(final_for_prizes_of_module)


@pytest.mark.django_db
@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(minor=st.integers(-10_00, 130_00), is_left=st.booleans(), by_desk=st.booleans())
def test_a_settlement_keeps_the_sum_of_the_two_prizes(final_for_prizes, actor, minor, is_left, by_desk):
    final, made = final_for_prizes, final_for_prizes.round.bracket.tournament
    with stories.rolled_back():
        winner = final.left_id if is_left else final.right_id
        agreement = Agreement(winner, (minor, 120_00 - minor))
        if not 0 <= minor <= 120_00:
            assert refusal(settling.propose, final, agreement, phone(final.right)) == "settlement-sum"
            return
        if by_desk:
            result = settling.settle_at_desk(final, agreement, "", actor)
        else:
            proposal = settling.propose(final, agreement, phone(final.right))
            result = settling.confirm(final, proposal.pk, Keeper.LEFT, phone(final.left))
        advancing.advance(result.pk)
        awards.award_prizes(made.pk, actor)
        due = {final.left.name: minor, final.right.name: 120_00 - minor}
        assert claims(made) == {name: amount for name, amount in due.items() if amount}
        assert differences_in_books(made.event) == []


@pytest.mark.django_db
def test_a_settlement_after_the_awards_changes_the_claims_of_its_two_players_only(final_for_prizes, actor):
    final, made = final_for_prizes, final_for_prizes.round.bracket.tournament
    stories.play(final, actor)
    awards.award_prizes(made.pk, actor)
    expected = ExpectedResult(final.results.get().pk)
    settling.settle_at_desk(final, Agreement(final.left_id, (70_00, 50_00)), "", actor, expected=expected)
    assert claims(made) == {final.left.name: 70_00, final.right.name: 50_00}


@pytest.mark.django_db
def test_awards_follow_a_settlement_that_no_worker_has_advanced_yet(final_for_prizes, actor):
    final, made = final_for_prizes, final_for_prizes.round.bracket.tournament
    calcutta.set_terms(made.pk, TERMS, actor)
    sell_lot(made, actor, [final.left_id], 100_00, "Guest")
    stories.play(final, actor, "right")
    awards.award_prizes(made.pk, actor)
    award_owners(made.pk, actor)
    desk.retract(final, "Wrong table", actor)
    proposal = settling.propose(final, Agreement(final.left_id, (70_00, 50_00)), phone(final.right))
    result = settling.confirm(final, proposal.pk, Keeper.LEFT, phone(final.left))
    agreed = {final.left.name: 70_00, final.right.name: 50_00}
    assert (claims(made), owed(made)["Guest"]) == (agreed, 37_00)
    assert differences_in_books(made.event) == []
    advancing.advance(result.pk)
    assert prize_steps([Tournament.objects.get(pk=made.pk)]) == []
    awards.award_prizes(made.pk, actor)
    award_owners(made.pk, actor)
    assert (claims(made), owed(made)["Guest"]) == (agreed, 37_00)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("kind", "winner", "then"),
    [
        ("settled", "right", (70_00, 50_00)),
        ("no_show", "right", (40_00, 80_00)),
        ("no_show", "left", (80_00, 40_00)),
    ],
)
def test_an_agreement_stays_with_a_swapped_winner_and_ends_with_another_result(
    final_for_prizes, actor, kind, winner, then
):
    final, made = final_for_prizes, final_for_prizes.round.bracket.tournament
    agreed = {final.left.name: 70_00, final.right.name: 50_00}
    advancing.advance(settling.settle_at_desk(final, Agreement(final.left_id, (70_00, 50_00)), "", actor).pk)
    awards.award_prizes(made.pk, actor)
    preview = corrections.preview(
        final.pk, corrections.Change(ResultKind(kind), getattr(final, f"{winner}_id"))
    )
    amounts = dict(zip(agreed, then, strict=True))
    assert agreed | {row.entry.name: row.after.minor for row in money_changes(preview)} == amounts
    made_correction = corrections.correct(preview, preview.digest, "wrong winner", actor)
    assert claims(made) == amounts
    corrections.undo(made_correction.pk, actor)
    assert claims(made) == agreed


@pytest.mark.django_db
def test_a_final_shares_the_side_pool_that_it_decides_and_agrees_with_the_worth_now(actor):
    made = released_with_pool(actor)
    for semifinal in stories.playable(made):
        stories.play(semifinal, actor)
    (final,) = stories.playable(made)
    stories.begin(final)
    final.refresh_from_db()
    page = load_settlement_page(final)
    assert [(row.first.minor, row.second.minor) for row in page.pots] == [(80_00, 40_00), (90_00, 0)]
    assert page.favorite.percent > 50
    assert compute_worth(made).amounts == {side.entry.pk: side.fair.minor for side in page.sides}
    agreed = {final.left.name: 30_00, final.right.name: 180_00}
    advancing.advance(settling.settle_at_desk(final, Agreement(final.left_id, (30_00, 180_00)), "", actor).pk)
    awards.award_prizes(made.pk, actor)
    assert claims(made) == agreed
    for change, then in (
        ((ResultKind.PLAYED, 3, 1), (170_00, 40_00)),
        ((ResultKind.SETTLED,), (30_00, 180_00)),
    ):
        preview = corrections.preview(final.pk, corrections.Change(change[0], final.left_id, *change[1:]))
        amounts = dict(zip(agreed, then, strict=True))
        assert {row.entry.name: row.after.minor for row in money_changes(preview)} == amounts
        made_correction = corrections.correct(preview, preview.digest, "misread", actor)
        assert claims(made) == amounts
    assert [amount.minor for amount in agreed_again(preview)] == [30_00, 180_00]
    corrections.undo(made_correction.pk, actor)
    assert load_settlement_page(final).suggested[1].minor == 180_00
    assert differences_in_books(made.event) == []


def released_with_pool(actor, shares=(1,)):
    """Four players in a pot of 120 EUR and an open side pool of 90 EUR, which the winner gets."""
    pool = PoolPrizes("1", shares, ("main",), added=90_00, is_open=True)
    structure = PrizeStructure("EUR", SPLIT.parts, pools=(pool,))
    return with_pot(stories.released(actor, 4), actor, structure)


@pytest.mark.django_db
def test_a_semifinal_shares_only_what_is_certain_and_the_winner_keeps_its_promise(actor):
    made = released_with_pool(actor)
    first, second = stories.playable(made)
    page = load_settlement_page(first)
    assert [(row.first.minor, row.second.minor) for row in page.pots] == [(40_00, 0)]
    assert not page.stakes.is_complete
    before = compute_worth(made).amounts
    result = settling.settle_at_desk(first, Agreement(first.left_id, (25_00, 15_00)), "", actor)
    advancing.advance(result.pk)
    stories.play(second, actor)
    (final,) = stories.playable(made)
    giver_first = (10_00, 200_00) if final.left_id == first.left_id else (200_00, 10_00)
    refused = refusal(settling.settle_at_desk, final, Agreement(final.left_id, giver_first), "", actor)
    assert refused == "settlement-promised"
    promiser, other = (
        (final.left, final.right) if final.left_id == first.left_id else (final.right, final.left)
    )
    agreement = Agreement(final.left_id, giver_first)
    assert refusal(settling.propose, final, agreement, phone(promiser)) == "settlement-promised"
    proposal = settling.propose(final, agreement, phone(other))  # promises of the opponent are private
    keeper = Keeper.LEFT if promiser == final.left else Keeper.RIGHT
    assert refusal(settling.confirm, final, proposal.pk, keeper, phone(promiser)) == "settlement-promised"
    settling.close(final, proposal.pk, phone(promiser))
    worth_now = compute_worth(made).amounts
    assert (sum(worth_now.values()), worth_now[first.right_id]) == (sum(before.values()), 15_00)
    stories.play(final, actor, "left" if final.left_id == first.left_id else "right")
    awards.award_prizes(made.pk, actor)
    loser = final.right if final.left_id == first.left_id else final.left
    assert claims(made) == {first.left.name: 155_00, first.right.name: 15_00, loser.name: 40_00}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("shares", "of_pool"), [((70, 30), (27_00, 0)), ((50, 30, 20), (27_00, 9_00)), ((1,), None)]
)
def test_a_semifinal_shares_the_least_of_the_main_pot_and_of_a_side_pool(actor, shares, of_pool):
    made = released_with_pool(actor, shares)
    semifinal = stories.playable(made)[0]
    page = load_settlement_page(semifinal)
    pots = {row.name: (row.first.minor, row.second.minor) for row in page.pots}
    assert pots == {"Main pot": (40_00, 0)} | ({"Pot 1": of_pool} if of_pool else {})
    first, second = page.stakes.first, page.stakes.second
    assert [side.fair.minor for side in page.sides] == [(first + second) // 2] * 2
    for side in ("left", "right"):
        with stories.rolled_back():
            stories.play(semifinal, actor, side)
            assert least_of_all_ends(made, getattr(semifinal, f"{side}_id")) == first
            loser = semifinal.right_id if side == "left" else semifinal.left_id
            assert least_of_all_ends(made, loser) == second


def least_of_all_ends(made, entry):
    """The least that an entry wins over every course of the open matches."""
    structure, sheet = structure_of(made), storage.read(made)
    entries = Entry.objects.filter(tournament=made).select_related("player")
    pots = paid_into_pots(made, "EUR")
    ends = CompleteEnds(place_rules(made), sheet, structure, pots, entrants_of(made, entries))
    matches, _is_whole = open_matches(sheet, sheet.seated())
    return min(ends(results).get(entry, 0) for results, _weight in outcomes(matches, lambda *_match: 500))


@pytest.mark.django_db
@pytest.mark.parametrize("like_main", [False, True])
def test_no_course_of_the_draw_gives_players_less_than_they_share(actor, like_main):
    form = Format(Kind.KNOCKOUT, consolation="simple")
    parts = (*SPLIT.parts, Part("consolation", 1, 1, 1))
    pool = PoolPrizes("1", (50, 30, 20), ("main", "consolation"), added=90_00, like_main=like_main)
    made = with_pot(
        stories.released(actor, 8, format=form), actor, PrizeStructure("EUR", parts, pools=(pool,))
    )
    joined = made.entries.order_by("entered_at")[:6]
    made.entries.filter(pk__in=[entry.pk for entry in joined]).update(pools=["1"])
    for pairing in stories.playable(made):
        stories.play(pairing, actor)
    while matches := stories.playable(made):
        for pairing in matches[::2]:
            stakes = stakes_of(pairing)
            if isinstance(stakes, Unshared):
                continue
            for side, other in (("left", "right"), ("right", "left")):
                with stories.rolled_back():
                    stories.play(pairing, actor, side)
                    assert stakes.first <= least_of_all_ends(made, getattr(pairing, f"{side}_id"))
                    assert stakes.second <= least_of_all_ends(made, getattr(pairing, f"{other}_id"))
        stories.play(matches[0], actor)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("minor", "of_semifinal", "of_final"), [(60_00, None, (40_00, 0)), (30_00, (30_00, 0), (60_00, 0))]
)
def test_wins_are_shared_at_the_price_that_is_paid_in_the_end(actor, minor, of_semifinal, of_final):
    structure = PrizeStructure("EUR", (Part("main", 1, 1, minor=minor, feat=Feat.WIN), Part("main", 1, 1, 1)))
    made = with_pot(stories.released(actor, 4), actor, structure)
    first, second = stories.playable(made)
    stakes = shared_stakes(first)
    assert (stakes and (stakes.first, stakes.second)) == of_semifinal
    stories.play(first, actor)
    stories.play(second, actor)
    (final,) = stories.playable(made)
    stakes = shared_stakes(final)
    assert (stakes.first, stakes.second) == of_final
    agreement = Agreement(final.left_id, (stakes.total, 0))
    advancing.advance(settling.settle_at_desk(final, agreement, "", actor).pk)
    awards.award_prizes(made.pk, actor)
    per_win = min(minor, 40_00)
    assert claims(made) == {final.left.name: per_win + stakes.total, final.right.name: per_win}
    for change, constraint in (
        ({"first_minor": stakes.total + 1, "second_minor": -1}, "settlement_shares_no_negative_prize"),
        ({"right": final.left}, "settlement_has_two_players"),
        ({"currency": ""}, "agreed_amounts_have_a_currency"),
    ):
        with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
            final.settlements.update(**change)


@pytest.mark.django_db
def test_a_phone_takes_its_own_acceptance_back_until_the_desk_confirms_it(final, actor):
    def accept():
        proposal = settling.propose(final, Agreement(final.left_id), phone(final.right))
        return settling.confirm(final, proposal.pk, Keeper.LEFT, phone(final.left))

    accept()
    assert refusal(settling.undo_acceptance, final, Keeper.RIGHT, phone(final.right)) == "acceptance-final"
    settling.undo_acceptance(final, Keeper.LEFT, phone(final.left))
    assert stories.playable(final.round.bracket.tournament) == [final]
    with stories.rolled_back():
        late = timezone.now() - desk.UNDO_CONFIRMATION - timedelta(seconds=1)
        Result.objects.filter(pk=accept().pk).update(posted_at=late)
        assert refusal(settling.undo_acceptance, final, Keeper.LEFT, phone(final.left)) == "acceptance-final"
    with stories.rolled_back():
        calcutta.set_terms(final.round.bracket.tournament_id, TERMS, actor)
        sell_lot(final.round.bracket.tournament, actor, [final.left_id], 20_00, "Guest")
        advancing.advance(accept().pk)
        award_owners(final.round.bracket.tournament_id, actor)
        assert refusal(settling.undo_acceptance, final, Keeper.LEFT, phone(final.left)) == "acceptance-final"
    posted = ExpectedResult(accept().pk)
    settling.settle_at_desk(final, Agreement(final.left_id), "", actor, expected=posted)
    assert refusal(settling.undo_acceptance, final, Keeper.LEFT, phone(final.left)) == "acceptance-final"
