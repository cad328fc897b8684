"""Each player keeps a card: one takes over what the other's says, and a result counts when both tell the same."""

import random
import uuid

import pytest
from django.db import transaction

from matches.keepers import Keeper
from matches.models import CardRow, MatchState
from matches.reading import effective, said
from matches.writing import FinalScore, Strike
from rules.problem import RuleBroken
from rules.score import Game, Side, Win
from tests.tournament import stories
from tests.tournament.queries.cards import Phone
from tournament.access.actors import STRANGER
from tournament.models import JournalLine, Pairing, Result
from tournament.queries.cards.card import on_the_phone
from tournament.queries.cards.two_cards import BesideOnPhone, beside_on_phone
from tournament.results import desk, disputes, two_cards, unattended
from tournament.results.two_cards import Seen
from tournament.runtime.errors import Refused

pytestmark = pytest.mark.django_db
LEFT, RIGHT = Keeper.LEFT, Keeper.RIGHT


@pytest.fixture
def actor():
    return stories.director()


@pytest.fixture
def pairing(actor) -> Pairing:
    return stories.playable(stories.released(actor, 2, lengths=(5,), two_cards=True, confirm_after=1))[0]


def fresh(pairing: Pairing) -> Pairing:
    return stories.pairings(pairing.round.bracket.tournament).get(pk=pairing.pk)


def looked_at(pairing: Pairing, keeper: Keeper) -> BesideOnPhone:
    return beside_on_phone(on_the_phone(fresh(pairing), keeper))


def take_line(pairing: Pairing, keeper: Keeper, number: int = 1, seen: Seen | None = None) -> Seen:
    shown = looked_at(pairing, keeper)
    line = next(line.theirs for line in shown.lines if line.number == number)
    seen = seen or Seen(shown.mine, shown.theirs)
    two_cards.take_line(fresh(pairing), keeper, line.key, seen, STRANGER)
    return seen


def take_card(pairing: Pairing, keeper: Keeper, seen: Seen | None = None) -> Seen:
    shown = looked_at(pairing, keeper)
    seen = seen or Seen(shown.mine, shown.theirs)
    two_cards.take_card(fresh(pairing), keeper, seen, STRANGER)
    return seen


def told(pairing: Pairing, keeper: Keeper) -> list[object]:
    rows = CardRow.objects.filter(card__match=pairing.match_id, card__keeper=keeper.value).order_by("number")
    return [said(row) for row in effective(list(rows))]


def play(pairing: Pairing, keeper: Keeper, *games: Game) -> Phone:
    phone = Phone(pairing, keeper)
    for game in games:
        phone.send(game)
    return phone


ANA, BEN = Game(Side.LEFT), Game(Side.RIGHT)


def test_the_phone_shows_at_once_what_differs_and_until_the_desk_decides_whose_card_stands(pairing, actor):
    play(pairing, LEFT, ANA, ANA, BEN)
    play(pairing, RIGHT, ANA, Game(Side.LEFT, Win.GAMMON), BEN)
    mine, theirs = looked_at(pairing, LEFT), looked_at(pairing, RIGHT)
    assert [(line.number, line.differs) for line in mine.lines] == [(2, ("kind",))]
    assert (mine.agreed, mine.stands, mine.score) == (2, "theirs", (1, 0))
    assert (theirs.stands, theirs.score, theirs.rule) == ("mine", (0, 1), "CARD-4")
    assert not mine.can_take_card
    desk.award(pairing.pk, pairing.left_id, "walkover", "", actor)
    assert looked_at(pairing, LEFT).rule == looked_at(pairing, LEFT).stands == ""


def test_a_line_taken_over_stands_where_the_other_stood_and_the_rest_follows(pairing):
    play(pairing, LEFT, ANA, ANA, BEN)
    play(pairing, RIGHT, ANA, Game(Side.LEFT, Win.GAMMON), BEN)
    take_line(pairing, LEFT, 2)
    assert told(pairing, LEFT) == told(pairing, RIGHT) == [ANA, Game(Side.LEFT, Win.GAMMON), BEN]
    card = fresh(pairing).match.cards.get(keeper="left")
    assert (card.left_points, card.right_points, card.rows_written) == (3, 1, 4)
    assert JournalLine.objects.filter(verb="take over").count() == 1


def undo(pairing: Pairing, keeper: Keeper, seen: Seen | None = None) -> Seen:
    shown = looked_at(pairing, keeper)
    seen = seen or Seen(shown.mine, shown.theirs)
    two_cards.undo(fresh(pairing), keeper, seen, STRANGER)
    return seen


def refusal(work) -> str:
    with pytest.raises(Refused) as refused:
        work()
    return refused.value.code


def test_a_game_left_out_is_put_in_at_its_place_and_what_follows_moves_down(pairing):
    gammon, played = Game(Side.LEFT, Win.GAMMON), [ANA, BEN, Game(Side.LEFT, Win.GAMMON)]
    play(pairing, LEFT, *played)
    play(pairing, RIGHT, ANA, gammon)
    mine, theirs = looked_at(pairing, RIGHT), looked_at(pairing, LEFT)
    assert [(line.number, line.differs, line.way) for line in mine.lines] == [(2, ("left_out",), "put_in")]
    assert [(line.number, line.way) for line in theirs.lines] == [(2, "leave_out")]
    assert (mine.agreed, mine.rule) == (2, "CARD-4")
    before = Seen(mine.mine, mine.theirs)
    for _ in range(2):
        two_cards.take_line(fresh(pairing), RIGHT, mine.lines[0].key, before, STRANGER)
    assert told(pairing, RIGHT) == played
    card = fresh(pairing).match.cards.get(keeper="right")
    assert (card.left_points, card.right_points, card.rows_written) == (3, 1, 5)
    other_line = CardRow.objects.get(card__keeper="left", number=2).key
    assert looked_at(pairing, RIGHT).can_undo
    undo(pairing, RIGHT, undo(pairing, RIGHT))
    assert told(pairing, RIGHT) == [ANA, gammon]
    assert (
        refusal(lambda: two_cards.take_line(pairing, RIGHT, other_line, before, STRANGER)) == "cards-changed"
    )
    assert refusal(lambda: undo(pairing, RIGHT)) == "nothing-to-undo"
    shown = looked_at(pairing, LEFT)
    two_cards.take_line(fresh(pairing), LEFT, shown.lines[0].key, Seen(shown.mine, shown.theirs), STRANGER)
    assert told(pairing, LEFT) == told(pairing, RIGHT) == [ANA, gammon]
    verbs = JournalLine.objects.filter(subject="match", verb__contains="take over")
    assert sorted(verbs.values_list("verb", flat=True)) == ["take over", "take over", "undo take over"]


def test_what_was_taken_over_is_undone_until_somebody_writes_on(pairing):
    mine, theirs = play(pairing, LEFT, ANA, BEN), play(pairing, RIGHT, BEN, BEN)
    for take in (take_line, take_card):
        if take is take_card:
            theirs.send(ANA)
        take(pairing, LEFT)
        undo(pairing, LEFT)
        assert told(pairing, LEFT) == [ANA, BEN]
    take_line(pairing, LEFT)
    seen = looked_at(pairing, LEFT)
    theirs.send(ANA)
    assert not looked_at(pairing, LEFT).can_undo
    assert refusal(lambda: undo(pairing, LEFT, Seen(seen.mine, seen.theirs))) == "cards-changed"
    assert refusal(lambda: undo(pairing, LEFT)) == "nothing-to-undo"
    assert mine.keeper is LEFT


def test_a_game_that_cannot_stand_there_is_not_put_in(pairing):
    play(pairing, LEFT, Game(Side.LEFT, Win.GAMMON), BEN, ANA)
    play(pairing, RIGHT, BEN, ANA, Game(Side.LEFT, cube=2), Game(Side.RIGHT, cube=2))
    line = CardRow.objects.get(card__keeper="left", number=1).key
    shown = looked_at(pairing, RIGHT)
    assert [(one.number, one.way) for one in shown.lines] == [(1, "put_in")]
    with pytest.raises(RuleBroken):
        two_cards.take_line(fresh(pairing), RIGHT, line, Seen(shown.mine, shown.theirs), STRANGER)
    assert len(told(pairing, RIGHT)) == 4


def test_taking_over_again_says_the_same_once(pairing):
    play(pairing, LEFT, ANA)
    play(pairing, RIGHT, BEN)
    shown = looked_at(pairing, LEFT)
    seen, line = Seen(shown.mine, shown.theirs), shown.lines[0].theirs.key
    for _ in range(2):
        two_cards.take_line(fresh(pairing), LEFT, line, seen, STRANGER)
    assert fresh(pairing).match.cards.get(keeper="left").rows_written == 2
    for _ in range(2):
        take_card(pairing, LEFT)
    assert fresh(pairing).match.cards.get(keeper="left").rows_written == 2


def test_cards_that_changed_since_the_player_looked_are_not_taken_over(pairing):
    play(pairing, LEFT, ANA)
    other = play(pairing, RIGHT, BEN)
    shown = looked_at(pairing, LEFT)
    other.send(Strike(), other.tail)
    for take in (
        lambda: two_cards.take_line(
            pairing, LEFT, shown.lines[0].theirs.key, Seen(shown.mine, shown.theirs), STRANGER
        ),
        lambda: two_cards.take_line(
            pairing, LEFT, shown.lines[0].theirs.key, Seen(shown.mine, other.tail), STRANGER
        ),
        lambda: two_cards.take_line(pairing, LEFT, uuid.uuid4(), Seen(shown.mine, other.tail), STRANGER),
    ):
        with pytest.raises(Refused) as refused:
            take()
        assert refused.value.code == "cards-changed"
    assert told(pairing, LEFT) == [ANA]


def test_a_line_after_which_the_card_could_not_be_is_refused_by_the_rules(pairing):
    play(pairing, LEFT, ANA, ANA, ANA, BEN)
    play(pairing, RIGHT, Game(Side.LEFT, Win.GAMMON, cube=4))
    with pytest.raises(RuleBroken):
        take_line(pairing, LEFT)
    assert told(pairing, LEFT) == [ANA, ANA, ANA, BEN]
    take_card(pairing, LEFT)
    assert told(pairing, LEFT) == [Game(Side.LEFT, Win.GAMMON, cube=4)]


def test_who_kept_none_takes_the_whole_card_in_one_tap_and_the_result_stands(pairing):
    play(pairing, LEFT, ANA, Game(Side.LEFT, Win.GAMMON, cube=2))
    with pytest.raises(Refused) as refused:
        desk.confirm(fresh(pairing), RIGHT, None, STRANGER)
    assert refused.value.code == "own-card-wanted"
    assert looked_at(pairing, RIGHT).can_take_card
    seen = take_card(pairing, RIGHT)
    result = Result.objects.get()
    assert (result.winner_id, result.left_points, result.confirmed_by) == (pairing.left_id, 5, "right")
    assert told(pairing, RIGHT) == told(pairing, LEFT)
    take_card(pairing, RIGHT, seen)
    assert Result.objects.count() == 1


def test_two_complete_cards_that_differ_wait_for_the_players_and_never_for_a_time_out(pairing, actor):
    play(pairing, LEFT, Game(Side.LEFT, Win.GAMMON, cube=4))
    play(pairing, RIGHT, Game(Side.RIGHT, Win.GAMMON, cube=4))
    match = fresh(pairing).match
    match.reported_at = match.opened_at.replace(year=2020)
    match.save()
    unattended.settle_waiting()
    assert (fresh(pairing).match.state, Result.objects.count()) == (MatchState.REPORTED, 0)
    take_line(pairing, LEFT)
    assert Result.objects.get().winner_id == pairing.right_id


def test_the_desk_confirms_one_card_all_the_same(pairing, actor):
    play(pairing, LEFT, Game(Side.LEFT, Win.GAMMON, cube=4))
    desk.confirm(fresh(pairing), Keeper.DESK, None, actor)
    assert Result.objects.get().confirmed_by == "desk"


def test_an_empty_card_is_nothing_to_take_over(pairing):
    play(pairing, LEFT, ANA)
    with pytest.raises(Refused) as refused:
        take_card(pairing, LEFT)
    assert refused.value.code == "nothing-to-take"


def test_a_final_score_is_taken_over_as_one(pairing):
    play(pairing, LEFT, ANA, ANA)
    Phone(pairing, RIGHT).send(FinalScore(1, 5))
    assert looked_at(pairing, LEFT).lines == ()
    shown = looked_at(pairing, LEFT)
    seen = Seen(shown.mine, shown.theirs)
    with pytest.raises(Refused) as refused:
        two_cards.take_line(pairing, LEFT, shown.theirs, seen, STRANGER)
    assert refused.value.code == "take-the-card"
    take_card(pairing, LEFT)
    assert told(pairing, LEFT) == [FinalScore(1, 5)]
    assert Result.objects.get().right_points == 5


@pytest.mark.parametrize("seed", range(6))
def test_whatever_two_cards_say_one_tap_makes_one_of_them_the_other(actor, seed):
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
    if not told(pairing, RIGHT):
        return
    own, other = told(pairing, LEFT), told(pairing, RIGHT)
    take_card(pairing, LEFT)
    if own != other and looked_at(pairing, LEFT).can_undo:
        undo(pairing, LEFT)
        assert told(pairing, LEFT) == own
        take_card(pairing, LEFT)
    assert told(pairing, LEFT) == other == told(pairing, RIGHT)
    assert looked_at(pairing, LEFT).lines == ()


def test_cards_may_still_be_brought_together_while_the_desk_is_asked(pairing, actor):
    play(pairing, LEFT, ANA)
    play(pairing, RIGHT, BEN)
    disputes.dispute(fresh(pairing), LEFT, "", STRANGER)
    take_line(pairing, RIGHT)
    assert told(pairing, RIGHT) == [ANA]
    assert fresh(pairing).match.state == MatchState.DISPUTED
