"""A bracket for spectators: seats, scores, states and the matches that feed empty seats."""

import pytest

from matches.keepers import Keeper
from rules.score import Win
from tests.tournament import stories
from tests.tournament.queries.cards import Phone, meeting, seeded, wins
from tournament.access.actors import STRANGER
from tournament.brackets import advancing
from tournament.draw.recipes import RoundName
from tournament.drawing import draws
from tournament.entries import registration
from tournament.models import Pairing, Tournament
from tournament.queries.brackets.bracket import bracket_view, stamp_of
from tournament.queries.brackets.bracket_view import Coming, PairingView
from tournament.results import desk
from tournament.runtime.errors import NotFound

pytestmark = pytest.mark.django_db

LEFT, RIGHT = Keeper.LEFT, Keeper.RIGHT


def pairing_view(pairing: Pairing) -> PairingView:
    bracket = bracket_view(pairing.round.bracket.tournament)
    return next(view for part in bracket.rounds for view in part.pairings if view.id == pairing.pk)


def numbers(made: Tournament) -> dict[tuple[int, int], int | None]:
    return {
        (pairing.round, pairing.line): pairing.number
        for part in bracket_view(made).rounds
        for pairing in part.pairings
    }


def points(view: PairingView) -> tuple[int | None, int | None]:
    return view.left.points, view.right.points


def test_a_match_goes_from_ready_to_playing_to_reported_to_decided(made):
    pairing = stories.playable(made)[0]
    phone = Phone(pairing, LEFT)
    assert (pairing_view(pairing).state, points(pairing_view(pairing))) == ("ready", (None, None))
    phone.game("left")
    assert (pairing_view(pairing).state, points(pairing_view(pairing))) == ("playing", (1, 0))
    phone.game("left", win=Win.GAMMON)
    assert (pairing_view(pairing).state, points(pairing_view(pairing))) == ("reported", (3, 0))
    assert not pairing_view(pairing).left.is_winner
    desk.confirm(pairing, RIGHT, phone.tail, STRANGER)
    assert (pairing_view(pairing).state, points(pairing_view(pairing))) == ("decided", (3, 0))
    assert (pairing_view(pairing).left.is_winner, pairing_view(pairing).right.is_winner) == (True, False)
    advancing.advance_waiting()
    assert (pairing_view(pairing).state, points(pairing_view(pairing)), pairing_view(pairing).how) == (
        "decided",
        (3, 0),
        "",
    )


def test_an_undone_game_makes_a_report_a_running_match_again(made):
    pairing = stories.playable(made)[0]
    phone = Phone(pairing, LEFT)
    phone.game("left", win=Win.BACKGAMMON)
    assert pairing_view(pairing).state == "reported"
    phone.undo()
    assert (pairing_view(pairing).state, points(pairing_view(pairing))) == ("playing", (0, 0))


def test_two_cards_that_differ_are_shown_as_disputed(made):
    pairing = stories.playable(made)[0]
    Phone(pairing, LEFT).final(3, 1)
    Phone(pairing, RIGHT).final(1, 3)
    assert pairing_view(pairing).state == "disputed"


def test_the_crawford_game_is_marked_while_it_is_played(actor, made):
    pairing = stories.playable(made)[0]
    phone = Phone(pairing, LEFT)
    phone.game("left", win=Win.GAMMON)
    assert pairing_view(pairing).is_crawford
    desk.award(pairing, pairing.left_id, "walkover", "the opponent had to leave", actor)
    assert (pairing_view(pairing).state, pairing_view(pairing).is_crawford) == ("decided", False)


def test_an_empty_seat_names_the_match_that_feeds_it(made):
    final = bracket_view(made).rounds[-1].pairings[0]
    assert (final.state, final.number) == ("waiting", 3)
    assert final.left.coming == Coming("winner", 1, "main", "1")
    assert final.right.coming == Coming("winner", 2, "main", "2")


def test_byes_have_no_number_and_matches_are_numbered_by_round_and_line(actor):
    made = seeded(actor, 6)
    assert numbers(made) == {
        (1, 1): None, (1, 2): 1, (1, 3): 2, (1, 4): None,
        (2, 1): 3, (2, 2): 4,
        (3, 1): 5,
    }  # fmt: skip
    bye = bracket_view(made).rounds[0].pairings[0]
    assert (bye.state, bye.left.is_bye or bye.right.is_bye) == ("bye", True)
    assert bye.left.seed == 1


def test_numbers_stay_when_a_match_has_no_winner(actor):
    made = seeded(actor, 8)
    before = numbers(made)
    desk.award(meeting(made, 1, 8), None, "double_no_show", "", actor)
    advancing.advance_waiting()
    assert numbers(made) == before
    view = pairing_view(meeting(made, 1, 8))
    assert (view.state, view.how, view.left.is_winner, view.right.is_winner) == (
        "decided",
        "double_no_show",
        False,
        False,
    )
    semifinal, final = (bracket_view(made).rounds[at].pairings[0] for at in (1, 2))
    assert (semifinal.left.is_bye, semifinal.state) == (True, "waiting")
    assert final.left.coming == Coming("winner", semifinal.number or 0, "main", semifinal.called)
    wins(made, actor, 4, 5)
    assert bracket_view(made).rounds[1].pairings[0].state == "bye"
    assert bracket_view(made).rounds[2].pairings[0].left.seed == 4


@pytest.mark.parametrize("kind", ["walkover", "no_show"])
def test_a_match_that_was_not_played_says_how_it_was_decided(actor, kind, made):
    pairing = stories.playable(made)[0]
    desk.award(pairing, pairing.right_id, kind, "", actor)
    assert (pairing_view(pairing).state, pairing_view(pairing).how, points(pairing_view(pairing))) == (
        "decided",
        kind,
        (None, None),
    )
    assert pairing_view(pairing).right.is_winner


def test_a_withdrawal_lets_the_opponent_through_and_can_be_undone(actor, made):
    pairing = stories.playable(made)[0]
    registration.withdraw(pairing.left, actor)
    view = pairing_view(pairing)
    assert (view.state, view.how, view.left.is_withdrawn, view.right.is_winner) == (
        "decided",
        "withdrawn",
        True,
        True,
    )
    registration.unwithdraw(pairing.left, actor)
    view = pairing_view(pairing)
    assert (view.state, view.how, view.left.is_withdrawn, view.right.is_winner) == ("ready", "", False, False)


def test_a_played_result_stands_when_its_winner_withdraws_later(actor, made):
    pairing = wins(made, actor, 1, 4)
    registration.withdraw(made.entries.get(seed=1), actor)
    assert (pairing_view(pairing).how, pairing_view(pairing).left.is_winner) == ("", True)


def test_a_corrected_result_shows_the_new_score_and_the_new_winner(actor, made):
    pairing = wins(made, actor, 1, 4)
    desk.award(pairing, pairing.right_id, "walkover", "", actor)
    view = pairing_view(pairing)
    assert (points(view), view.how, view.right.is_winner) == ((None, None), "walkover", True)
    assert bracket_view(made).rounds[1].pairings[0].left.entry_id == pairing.right_id


def test_undoing_a_result_reopens_the_match(actor, made):
    pairing = wins(made, actor, 1, 4)
    desk.retract(pairing, "wrong table", actor)
    view = pairing_view(pairing)
    assert (view.state, view.left.is_winner, view.right.is_winner) == ("playing", False, False)
    assert bracket_view(made).rounds[1].pairings[0].left.entry_id is None


def test_the_current_round_is_the_first_undecided_one(actor):
    made = seeded(actor, 6)
    assert bracket_view(made).current_round == 1
    wins(made, actor, 4, 5)
    assert bracket_view(made).current_round == 1
    wins(made, actor, 3, 6)
    assert bracket_view(made).current_round == 2


def test_the_champion_is_known_once_the_final_is_posted(actor, made):
    wins(made, actor, 1, 4)
    wins(made, actor, 2, 3)
    assert bracket_view(made).champion is None
    stories.post(meeting(made, 1, 2), actor, "right")
    champion = bracket_view(made).champion
    assert champion is not None
    assert champion.seed == 2


def test_rounds_have_their_names_and_lengths(actor):
    rounds = bracket_view(seeded(actor, 8, lengths=(11, 9, 7))).rounds
    assert [(stage.name, stage.length) for stage in rounds] == [
        (RoundName.QUARTERFINALS, 7),
        (RoundName.SEMIFINALS, 9),
        (RoundName.FINAL, 11),
    ]
    assert {pairing.length for pairing in rounds[1].pairings} == {9}


def test_a_draw_is_hidden_until_it_is_released(actor):
    made = stories.drawn(actor, 4)
    assert not bracket_view(made).is_released
    assert {pairing.state for pairing in bracket_view(made).rounds[0].pairings} == {"waiting"}
    draws.release(made.pk, actor)
    assert bracket_view(made).is_released


def test_there_is_no_bracket_before_the_first_draw_and_an_empty_one_after_its_undoing(actor):
    made = stories.entered(actor, 4)
    with pytest.raises(NotFound):
        bracket_view(made)
    assert stamp_of(made) == ""
    draws.make(made.pk, draws.DrawPlan(), actor)
    draws.undo(made.pk, actor)
    empty = bracket_view(made)
    assert (empty.rounds, empty.is_released, empty.champion) == ((), False, None)


def test_the_stamp_is_new_after_everything_a_spectator_could_see(actor):
    made = seeded(actor, 8)
    pairing, phone = meeting(made, 1, 8), Phone(meeting(made, 1, 8), LEFT)
    stamps = [stamp_of(made)]

    def check_stamp() -> None:
        assert bracket_view(made).stamp == stamp_of(made)
        assert stamp_of(made) not in stamps
        stamps.append(stamp_of(made))

    phone.game("left")
    check_stamp()
    phone.undo()
    check_stamp()
    phone.final(3, 0)
    check_stamp()
    desk.confirm(pairing, RIGHT, phone.tail, STRANGER)
    check_stamp()
    advancing.advance_waiting()
    check_stamp()
    registration.withdraw(made.entries.get(seed=1), actor)
    check_stamp()
    registration.unwithdraw(made.entries.get(seed=1), actor)
    check_stamp()
    entry = made.entries.select_related("player").get(seed=2)
    card = registration.EntryDetails(registration.PlayerDetails("Someone else"), seed=2)
    registration.change(entry, card, actor)
    check_stamp()
    desk.retract(pairing, "", actor)
    check_stamp()


def test_a_stamp_takes_one_statement_and_does_not_change_when_it_is_read(made, django_assert_num_queries):
    with django_assert_num_queries(1):
        stamp = stamp_of(made)
    bracket_view(made)
    assert stamp_of(made) == stamp
