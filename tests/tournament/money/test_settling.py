"""Two players settle their match: one proposes, the other accepts, or the desk records it."""

from fractions import Fraction

import pytest

from matches.keepers import Keeper
from tests.tournament import stories
from tests.tournament.refusals import refusal
from tournament import corrections
from tournament.access.actors import Actor
from tournament.brackets import advancing
from tournament.models import PersonalLink, ResultKind
from tournament.money import settling
from tournament.money.settling import Agreement
from tournament.money.stakes import Stakes, fair_share
from tournament.queries.money.settlements import load_settlement_page, open_proposal
from tournament.queries.standings.posted_results import latest_results
from tournament.results import desk


def phone(entry):
    return Actor(link=PersonalLink(entry=entry))


@pytest.fixture
def final(actor):
    """A final of two players."""
    (pairing,) = stories.playable(stories.released(actor, 2))
    return pairing


def test_a_fair_split_is_the_second_prize_and_a_part_of_the_difference():
    stakes = Stakes("GBP", 600_00, 230_00)
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


@pytest.mark.django_db
def test_the_page_shows_chances_from_the_score(final):
    stories.begin(final)
    final.refresh_from_db()
    page = load_settlement_page(final)
    assert page.favorite.entry == final.left
    assert 50 < page.favorite.percent < 100
