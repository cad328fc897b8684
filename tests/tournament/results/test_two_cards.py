"""Two score cards of one match: lines are adopted from the other card, and equal cards post the result."""

import random
import uuid
from copy import deepcopy

import pytest
from django.db import transaction

from matches.card_totals import effective_rows, row_content
from matches.keepers import Keeper
from matches.models import CardRow, MatchState
from matches.rows import FinalScore, Strike
from rules.problem import RuleBroken
from rules.score import Game, Side, Win
from tests.tournament import stories
from tests.tournament.queries.cards import Phone
from tests.tournament.refusals import refusal
from tournament.access.actors import STRANGER
from tournament.models import JournalLine, Pairing, Result
from tournament.queries.cards.card import load_phone_match
from tournament.queries.cards.two_cards import CardComparison, compare_cards
from tournament.results import desk, disputes, report_sweep, two_cards
from tournament.results.two_cards import CardTails
from tournament.runtime.errors import Refused

pytestmark = pytest.mark.django_db
LEFT, RIGHT = Keeper.LEFT, Keeper.RIGHT


@pytest.fixture(scope="module")
def pairing_of_module(actor_of_module) -> Pairing:
    return stories.playable(
        stories.released(actor_of_module, 2, lengths=(5,), two_cards=True, confirm_after=1)
    )[0]


@pytest.fixture
def pairing(db, pairing_of_module) -> Pairing:
    return deepcopy(pairing_of_module)


def reload(pairing: Pairing) -> Pairing:
    return stories.pairings(pairing.round.bracket.tournament).get(pk=pairing.pk)


def compared_cards(pairing: Pairing, keeper: Keeper) -> CardComparison:
    return compare_cards(load_phone_match(reload(pairing), keeper))


def adopt_line(
    pairing: Pairing, keeper: Keeper, number: int = 1, tails: CardTails | None = None
) -> CardTails:
    comparison = compared_cards(pairing, keeper)
    line = next(line.theirs for line in comparison.lines if line.number == number)
    tails = tails or CardTails(comparison.mine, comparison.theirs)
    two_cards.adopt_line(reload(pairing), keeper, line.key, tails, STRANGER)
    return tails


def adopt_card(pairing: Pairing, keeper: Keeper, tails: CardTails | None = None) -> CardTails:
    comparison = compared_cards(pairing, keeper)
    tails = tails or CardTails(comparison.mine, comparison.theirs)
    two_cards.adopt_card(reload(pairing), keeper, tails, STRANGER)
    return tails


def card_content(pairing: Pairing, keeper: Keeper) -> list[object]:
    rows = CardRow.objects.filter(card__match=pairing.match_id, card__keeper=keeper.value).order_by("number")
    return [row_content(row) for row in effective_rows(list(rows))]


def play(pairing: Pairing, keeper: Keeper, *games: Game) -> Phone:
    phone = Phone(pairing, keeper)
    for game in games:
        phone.send(game)
    return phone


ANA, BEN = Game(Side.LEFT), Game(Side.RIGHT)


def test_the_phone_shows_differences_until_the_desk_chooses_a_card(pairing, actor):
    play(pairing, LEFT, ANA, ANA, BEN)
    play(pairing, RIGHT, ANA, Game(Side.LEFT, Win.GAMMON), BEN)
    mine, theirs = compared_cards(pairing, LEFT), compared_cards(pairing, RIGHT)
    assert [(line.number, line.differs) for line in mine.lines] == [(2, ("kind",))]
    assert (mine.agreed, mine.valid_card, mine.score) == (2, "theirs", (1, 0))
    assert (theirs.valid_card, theirs.score, theirs.rule) == ("mine", (0, 1), "CARD-4")
    assert not mine.can_take_card
    desk.award(pairing, pairing.left_id, "walkover", "", actor)
    assert compared_cards(pairing, LEFT).rule == compared_cards(pairing, LEFT).valid_card == ""


def test_an_adopted_line_replaces_its_counterpart_and_later_lines_follow(pairing):
    play(pairing, LEFT, ANA, ANA, BEN)
    play(pairing, RIGHT, ANA, Game(Side.LEFT, Win.GAMMON), BEN)
    adopt_line(pairing, LEFT, 2)
    assert (
        card_content(pairing, LEFT) == card_content(pairing, RIGHT) == [ANA, Game(Side.LEFT, Win.GAMMON), BEN]
    )
    card = reload(pairing).match.cards.get(keeper="left")
    assert (card.left_points, card.right_points, card.rows_written) == (3, 1, 4)
    assert JournalLine.objects.filter(verb="take over").count() == 1


def undo(pairing: Pairing, keeper: Keeper, tails: CardTails | None = None) -> CardTails:
    comparison = compared_cards(pairing, keeper)
    tails = tails or CardTails(comparison.mine, comparison.theirs)
    two_cards.undo_adoption(reload(pairing), keeper, tails, STRANGER)
    return tails


def test_a_missing_game_is_inserted_at_its_place(pairing):
    gammon, played = Game(Side.LEFT, Win.GAMMON), [ANA, BEN, Game(Side.LEFT, Win.GAMMON)]
    play(pairing, LEFT, *played)
    play(pairing, RIGHT, ANA, gammon)
    mine, theirs = compared_cards(pairing, RIGHT), compared_cards(pairing, LEFT)
    assert [(line.number, line.differs, line.way) for line in mine.lines] == [(2, ("left_out",), "put_in")]
    assert [(line.number, line.way) for line in theirs.lines] == [(2, "leave_out")]
    assert (mine.agreed, mine.rule) == (2, "CARD-4")
    before = CardTails(mine.mine, mine.theirs)
    for _ in range(2):
        two_cards.adopt_line(reload(pairing), RIGHT, mine.lines[0].key, before, STRANGER)
    assert card_content(pairing, RIGHT) == played
    card = reload(pairing).match.cards.get(keeper="right")
    assert (card.left_points, card.right_points, card.rows_written) == (3, 1, 5)
    other_line = CardRow.objects.get(card__keeper="left", number=2).key
    assert compared_cards(pairing, RIGHT).can_undo
    undo(pairing, RIGHT, undo(pairing, RIGHT))
    assert card_content(pairing, RIGHT) == [ANA, gammon]
    assert (
        refusal(lambda: two_cards.adopt_line(pairing, RIGHT, other_line, before, STRANGER)) == "cards-changed"
    )
    assert refusal(lambda: undo(pairing, RIGHT)) == "nothing-to-undo"
    comparison = compared_cards(pairing, LEFT)
    two_cards.adopt_line(
        reload(pairing),
        LEFT,
        comparison.lines[0].key,
        CardTails(comparison.mine, comparison.theirs),
        STRANGER,
    )
    assert card_content(pairing, LEFT) == card_content(pairing, RIGHT) == [ANA, gammon]
    verbs = JournalLine.objects.filter(subject="match", verb__contains="take over")
    assert sorted(verbs.values_list("verb", flat=True)) == ["take over", "take over", "undo take over"]


def test_an_adoption_can_be_undone_until_the_next_row(pairing):
    mine, theirs = play(pairing, LEFT, ANA, BEN), play(pairing, RIGHT, BEN, BEN)
    for take in (adopt_line, adopt_card):
        if take is adopt_card:
            theirs.send(ANA)
        take(pairing, LEFT)
        undo(pairing, LEFT)
        assert card_content(pairing, LEFT) == [ANA, BEN]
    adopt_line(pairing, LEFT)
    comparison = compared_cards(pairing, LEFT)
    theirs.send(ANA)
    assert not compared_cards(pairing, LEFT).can_undo
    assert (
        refusal(lambda: undo(pairing, LEFT, CardTails(comparison.mine, comparison.theirs))) == "cards-changed"
    )
    assert refusal(lambda: undo(pairing, LEFT)) == "nothing-to-undo"
    assert mine.keeper is LEFT


def test_an_impossible_game_is_not_inserted(pairing):
    play(pairing, LEFT, Game(Side.LEFT, Win.GAMMON), BEN, ANA)
    play(pairing, RIGHT, BEN, ANA, Game(Side.LEFT, cube=2), Game(Side.RIGHT, cube=2))
    line = CardRow.objects.get(card__keeper="left", number=1).key
    comparison = compared_cards(pairing, RIGHT)
    assert [(line.number, line.way) for line in comparison.lines] == [(1, "put_in")]
    with pytest.raises(RuleBroken):
        two_cards.adopt_line(
            reload(pairing), RIGHT, line, CardTails(comparison.mine, comparison.theirs), STRANGER
        )
    assert len(card_content(pairing, RIGHT)) == 4


def test_adopting_twice_is_idempotent(pairing):
    play(pairing, LEFT, ANA)
    play(pairing, RIGHT, BEN)
    comparison = compared_cards(pairing, LEFT)
    tails, line = CardTails(comparison.mine, comparison.theirs), comparison.lines[0].theirs.key
    for _ in range(2):
        two_cards.adopt_line(reload(pairing), LEFT, line, tails, STRANGER)
    assert reload(pairing).match.cards.get(keeper="left").rows_written == 2
    for _ in range(2):
        adopt_card(pairing, LEFT)
    assert reload(pairing).match.cards.get(keeper="left").rows_written == 2


def test_changed_cards_are_not_adopted(pairing):
    play(pairing, LEFT, ANA)
    opponent = play(pairing, RIGHT, BEN)
    comparison = compared_cards(pairing, LEFT)
    opponent.send(Strike(), opponent.tail)
    for take in (
        lambda: two_cards.adopt_line(
            pairing,
            LEFT,
            comparison.lines[0].theirs.key,
            CardTails(comparison.mine, comparison.theirs),
            STRANGER,
        ),
        lambda: two_cards.adopt_line(
            pairing, LEFT, comparison.lines[0].theirs.key, CardTails(comparison.mine, opponent.tail), STRANGER
        ),
        lambda: two_cards.adopt_line(
            pairing, LEFT, uuid.uuid4(), CardTails(comparison.mine, opponent.tail), STRANGER
        ),
    ):
        with pytest.raises(Refused) as refused:
            take()
        assert refused.value.code == "cards-changed"
    assert card_content(pairing, LEFT) == [ANA]


def test_a_line_that_makes_the_card_impossible_is_refused(pairing):
    play(pairing, LEFT, ANA, ANA, ANA, BEN)
    play(pairing, RIGHT, Game(Side.LEFT, Win.GAMMON, cube=4))
    with pytest.raises(RuleBroken):
        adopt_line(pairing, LEFT)
    assert card_content(pairing, LEFT) == [ANA, ANA, ANA, BEN]
    adopt_card(pairing, LEFT)
    assert card_content(pairing, LEFT) == [Game(Side.LEFT, Win.GAMMON, cube=4)]


def test_adopting_a_whole_card_posts_the_result(pairing):
    play(pairing, LEFT, ANA, Game(Side.LEFT, Win.GAMMON, cube=2))
    with pytest.raises(Refused) as refused:
        desk.confirm(reload(pairing), RIGHT, None, STRANGER)
    assert refused.value.code == "own-card-wanted"
    assert compared_cards(pairing, RIGHT).can_take_card
    tails = adopt_card(pairing, RIGHT)
    result = Result.objects.get()
    assert (result.winner_id, result.left_points, result.confirmed_by) == (pairing.left_id, 5, "right")
    assert card_content(pairing, RIGHT) == card_content(pairing, LEFT)
    adopt_card(pairing, RIGHT, tails)
    assert Result.objects.count() == 1


def test_two_complete_differing_cards_have_no_time_limit(pairing, actor):
    play(pairing, LEFT, Game(Side.LEFT, Win.GAMMON, cube=4))
    play(pairing, RIGHT, Game(Side.RIGHT, Win.GAMMON, cube=4))
    match = reload(pairing).match
    match.reported_at = match.opened_at.replace(year=2020)
    match.save()
    report_sweep.settle_reports()
    assert (reload(pairing).match.state, Result.objects.count()) == (MatchState.REPORTED, 0)
    adopt_line(pairing, LEFT)
    assert Result.objects.get().winner_id == pairing.right_id


def test_the_desk_can_confirm_one_of_two_differing_cards(pairing, actor):
    play(pairing, LEFT, Game(Side.LEFT, Win.GAMMON, cube=4))
    desk.confirm(reload(pairing), Keeper.DESK, None, actor)
    assert Result.objects.get().confirmed_by == "desk"


def test_an_empty_card_cannot_be_adopted(pairing):
    play(pairing, LEFT, ANA)
    with pytest.raises(Refused) as refused:
        adopt_card(pairing, LEFT)
    assert refused.value.code == "nothing-to-take"


def test_a_final_score_is_adopted_as_a_whole(pairing):
    play(pairing, LEFT, ANA, ANA)
    Phone(pairing, RIGHT).send(FinalScore(1, 5))
    assert compared_cards(pairing, LEFT).lines == ()
    comparison = compared_cards(pairing, LEFT)
    tails = CardTails(comparison.mine, comparison.theirs)
    with pytest.raises(Refused) as refused:
        two_cards.adopt_line(pairing, LEFT, comparison.theirs, tails, STRANGER)
    assert refused.value.code == "take-the-card"
    adopt_card(pairing, LEFT)
    assert card_content(pairing, LEFT) == [FinalScore(1, 5)]
    assert Result.objects.get().right_points == 5


@pytest.mark.parametrize("seed", range(3))
def test_any_two_cards_become_equal_by_adoption(actor, seed):
    """Random cards, struck and corrected lines among them."""
    chance = random.Random(seed)
    made = stories.released(actor, 2, lengths=(9,), two_cards=True)
    pairing = stories.playable(made)[0]
    for keeper in (LEFT, RIGHT):
        phone = Phone(pairing, keeper)
        for _ in range(chance.randint(1, 7)):
            what = chance.choice([ANA, BEN, Game(Side.LEFT, Win.GAMMON), Game(Side.RIGHT, cube=2), Strike()])
            tail = phone.tail if isinstance(what, Strike) else None
            try:
                with transaction.atomic():
                    before = phone.tail
                    phone.send(what, tail)
            except Exception:  # noqa: BLE001  # whatever cannot be is not on the card
                phone.tail = before
    if not card_content(pairing, RIGHT):
        return
    own, rival = card_content(pairing, LEFT), card_content(pairing, RIGHT)
    adopt_card(pairing, LEFT)
    if own != rival and compared_cards(pairing, LEFT).can_undo:
        undo(pairing, LEFT)
        assert card_content(pairing, LEFT) == own
        adopt_card(pairing, LEFT)
    assert card_content(pairing, LEFT) == rival == card_content(pairing, RIGHT)
    assert compared_cards(pairing, LEFT).lines == ()


def test_cards_can_be_adopted_during_a_dispute(pairing, actor):
    play(pairing, LEFT, ANA)
    play(pairing, RIGHT, BEN)
    disputes.open_dispute(reload(pairing), LEFT, "", STRANGER)
    adopt_line(pairing, RIGHT)
    assert card_content(pairing, RIGHT) == [ANA]
    assert reload(pairing).match.state == MatchState.DISPUTED
