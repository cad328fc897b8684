"""A player's path through the draw: past matches, the next match and the end."""

import pytest

from matches.keepers import Keeper
from tests.tournament import stories
from tests.tournament.queries.cards import Phone, meeting, seeded, wins
from tournament.access.actors import STRANGER
from tournament.brackets import advancing
from tournament.draw.recipes import RoundName
from tournament.drawing import draws
from tournament.entries import registration
from tournament.models import Tournament
from tournament.queries.entries.path import Path, find_entry, load_path
from tournament.queries.entries.path_state import PathState
from tournament.results import desk, disputes
from tournament.runtime.errors import NotFound

pytestmark = pytest.mark.django_db

LEFT, RIGHT = Keeper.LEFT, Keeper.RIGHT


def path(made: Tournament, seed: int) -> Path:
    return load_path(find_entry(made, made.entries.get(seed=seed).pk))


def test_a_hidden_draw_has_no_path(actor):
    made = stories.drawn(actor, 4, method="seeded")
    assert (path(made, 1).state, path(made, 1).meetings, path(made, 1).brackets) == (
        PathState.UNDRAWN,
        (),
        (),
    )
    draws.release(made.pk, actor)
    assert path(made, 1).state == PathState.MEETS


def test_a_path_begins_with_the_first_opponent(actor):
    made = seeded(actor, 4, lengths=(7, 5))
    meets = path(made, 1).next
    assert meets is not None
    assert meets.opponent == made.entries.get(seed=4)
    assert (meets.state, meets.length, meets.round_name) == ("ready", 5, RoundName.SEMIFINALS)


def test_a_bye_waits_for_the_winner_of_a_named_match(actor):
    made = seeded(actor, 3)
    way = path(made, 1)
    assert (way.state, [meeting.state for meeting in way.past]) == (PathState.WAITS, ["bye"])
    assert way.next is not None
    assert set(way.next.feeders) == {made.entries.get(seed=seed).player.name for seed in (2, 3)}


def test_a_waiting_player_sees_the_number_and_the_score_of_the_match_as_spectators_do(actor):
    made = seeded(actor, 3, lengths=(5,))
    row = meeting(made, 2, 3)
    Phone(row, LEFT).game("left", cube=2)
    for delay, points in ((0, (2, 0)), (None, (None, None))):
        Tournament.objects.update(score_delay=delay)
        entry = find_entry(Tournament.objects.get(pk=made.pk), made.entries.get(seed=1).pk)
        following = load_path(entry, live=True, for_phone=True).next
        assert following is not None
        assert following.feeder is not None
        assert (following.feeder.number, following.feeder.length) == ("1", 5)
        assert following.feeder.names == (row.left.name, row.right.name)
        assert (following.feeder.left, following.feeder.right) == points


def test_a_winner_is_through_before_and_after_the_worker_advances_them(actor, made):
    stories.post(meeting(made, 1, 4), actor, "left" if meeting(made, 1, 4).left.seed == 1 else "right")
    assert (path(made, 1).state, path(made, 1).next) == (PathState.WAITS, None)
    advancing.advance_waiting()
    assert (path(made, 1).state, path(made, 1).next is not None) == (PathState.WAITS, True)
    wins(made, actor, 2, 3)
    assert path(made, 1).state == PathState.MEETS


def test_a_loser_is_out_with_the_score_from_their_side(actor):
    made = seeded(actor, 4, lengths=(5,))
    row = meeting(made, 1, 4)
    stories.play(row, actor, "left" if row.left.seed == 4 else "right", (5, 2))
    way = path(made, 1)
    assert (way.state, way.next) == (PathState.OUT, None)
    assert way.last is not None
    assert (way.last.mine, way.last.theirs, way.last.is_won) == (2, 5, False)
    assert [(meeting.mine, meeting.theirs, meeting.is_won) for meeting in path(made, 4).past] == [
        (5, 2, True)
    ]


def test_the_winner_of_the_final_is_the_champion_and_sees_the_latest_match_first(actor, made):
    for winner, loser in ((1, 4), (2, 3), (2, 1)):
        wins(made, actor, winner, loser)
    way = path(made, 2)
    assert (way.state, way.next) == (PathState.CHAMPION, None)
    assert [meeting.round_name for meeting in way.past] == [RoundName.FINAL, RoundName.SEMIFINALS]


def test_the_last_player_is_champion_when_both_opponents_stay_away(actor, made):
    desk.award(meeting(made, 1, 4), None, "double_no_show", "", actor)
    advancing.advance_waiting()
    assert {path(made, seed).state for seed in (1, 4)} == {PathState.OUT}
    wins(made, actor, 3, 2)
    assert path(made, 3).state == PathState.CHAMPION


def test_a_withdrawn_player_has_no_next_match(actor, made):
    wins(made, actor, 1, 4)
    registration.withdraw(made.entries.get(seed=1), actor)
    assert (path(made, 1).state, path(made, 1).next) == (PathState.WITHDRAWN, None)
    wins(made, actor, 2, 3)
    assert path(made, 1).state == PathState.WITHDRAWN
    assert (path(made, 2).state, path(made, 2).past[0].how) == (PathState.CHAMPION, "withdrawn")


def test_who_withdraws_after_winning_the_final_stays_the_champion(actor):
    made = seeded(actor, 2)
    wins(made, actor, 1, 2)
    registration.withdraw(made.entries.get(seed=1), actor)
    assert path(made, 1).state == PathState.CHAMPION


def test_a_report_waits_for_the_other_side_only(made):
    row = meeting(made, 1, 4)
    phone = Phone(row, LEFT)
    phone.game("left")
    running = path(made, row.left.seed).next
    assert running is not None
    assert (running.state, running.mine, running.theirs) == ("playing", 1, 0)
    phone.undo()
    phone.final(3, 0)
    matches = {seed: path(made, seed).next for seed in (row.left.seed, row.right.seed)}
    assert [match.state for match in matches.values() if match] == ["reported", "reported"]
    assert [match.is_mine_to_confirm for match in matches.values() if match] == [False, True]
    disputes.open_dispute(row, RIGHT, "", STRANGER)
    assert not any(path(made, seed).next.is_mine_to_confirm for seed in matches)


def test_a_player_of_another_tournament_has_no_path(actor):
    made, second_tournament = seeded(actor, 4), seeded(actor, 4)
    with pytest.raises(NotFound):
        find_entry(made, second_tournament.entries.get(seed=1).pk)
