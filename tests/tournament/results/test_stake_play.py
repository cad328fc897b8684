"""Stake play as the format of a tournament: sessions are drawn, played, corrected, ranked and shown like matches."""

import csv
import random
import uuid
from collections import defaultdict
from copy import deepcopy
from io import StringIO

import pytest
from django.db import IntegrityError, transaction

from matches.card_totals import stored_card_totals
from matches.keepers import Keeper
from matches.models import CardRow, Match, MatchState, RowKind
from matches.rows import FinalScore, NewRow, Stop, Strike
from rules.problem import RuleBroken
from rules.ruleset import PRESETS
from rules.score import Game, Side, Win
from tests.tournament import stories
from tests.tournament.queries.cards import Phone
from tournament import corrections
from tournament.access.actors import STRANGER
from tournament.brackets import advancing
from tournament.brackets.lengths import StakePlay
from tournament.corrections import Change, consistency
from tournament.draw.formats import Format, Kind
from tournament.draw.formats.presets import FORMAT_PRESETS
from tournament.draw.standings import StandingRules, TieBreak
from tournament.draw.standings.default_tie_breaks import STAKE_ROUND_ROBIN_ORDER, STAKE_SWISS_ORDER
from tournament.drawing import rounds
from tournament.entries import registration
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.events import setup
from tournament.exports.export_tables import results_table, standings_table
from tournament.exports.table_writers import as_csv
from tournament.models import Entry, Pairing, Result, ResultKind, Round, Tournament
from tournament.queries.forecast.forecast import forecast_event, forecast_page
from tournament.queries.forecast.what_if import round_choices
from tournament.queries.standings.standings import standing_lines
from tournament.results import desk, session_stops, two_cards
from tournament.results.two_cards import CardTails
from tournament.runtime.errors import Refused

pytestmark = pytest.mark.django_db

LEFT, RIGHT = Keeper.LEFT, Keeper.RIGHT
ROBIN = Format(kind=Kind.ROUND_ROBIN)


def stake(actor, entries: int, ruleset: str = "tournament", **more) -> Tournament:
    plan = {"stake": StakePlay(games=5), "format": ROBIN, **more}
    made = setup.create_tournament(
        stories.event(actor), setup.TournamentPlan("Open", PRESETS[ruleset], **plan), actor
    )
    stories.draw_and_release(made, actor, entries)
    return made


@pytest.fixture(scope="module")
def made_of_module(actor_of_module) -> Tournament:
    return stake(actor_of_module, 2)


@pytest.fixture
def made(db, made_of_module) -> Tournament:
    return deepcopy(made_of_module)


def played(pairing: Pairing, *winners: str, cube: int = 1, keeper: Keeper = LEFT) -> Phone:
    """These games on a player's own card."""
    phone = Phone(pairing, keeper)
    checkers = 4 if pairing.match.ruleset["uncubed_single"] == "checkers_left" and cube == 1 else None
    for winner in winners:
        phone.send(Game(Side(winner), cube=cube, checkers_left=checkers))
    return phone


def confirmed(pairing: Pairing, by: Keeper = RIGHT) -> Result:
    desk.confirm(pairing, by, None, STRANGER)
    result = Result.objects.get(pairing=pairing, superseded_by__isnull=True)
    advancing.advance(result.pk)
    return result


def points_of(pairing: Pairing) -> tuple[int, int]:
    result = Result.objects.get(pairing=pairing, superseded_by__isnull=True)
    return result.left_points, result.right_points


def whole(made: Tournament) -> None:
    advancing.advance_waiting()
    assert consistency.differences(made.event) == []


def test_a_round_robin_of_a_boxed_set_from_set_up_to_csv(actor):
    made = stake(actor, 4, "boxed-set")
    chance = random.Random(1)
    pairings = list(stories.pairings(made))
    assert [(pairing.match.length, pairing.match.games) for pairing in pairings] == [(None, 5)] * 6
    for pairing in pairings:
        played(pairing, *("left" if chance.random() < 0.6 else "right" for _ in range(4)))
        while Match.objects.get(pk=pairing.match_id).state == MatchState.OPEN:
            tail = pairing.match.cards.get(keeper="left").tail
            game = Game(Side(chance.choice(["left", "right"])), checkers_left=4)
            desk.enter(pairing, LEFT, NewRow(uuid.uuid4(), tail, game), STRANGER)
        confirmed(pairing)
    results = list(csv.DictReader(StringIO(as_csv(results_table(made)).decode("utf-8-sig"))))
    assert len(results) == 6
    assert {(row["Match to"], row["Games"]) for row in results} == {("", "5")}
    table = list(csv.DictReader(StringIO(as_csv(standings_table(made)).decode("utf-8-sig"))))
    assert len(table) == 4
    differences = [line.points_for - line.points_against for line in standing_lines(made)]
    assert differences == sorted(differences, reverse=True)
    assert sum(differences) == 0
    whole(made)


def test_the_point_difference_ranks_before_wins(actor):
    made = stake(actor, 3)
    often, rich, poor = Entry.objects.filter(tournament=made).order_by("pk")
    for pairing in stories.playable(made):
        seats = {pairing.left: "left", pairing.right: "right"}
        if often in seats:
            played(pairing, *[seats[often]] * 5)
        else:
            played(pairing, *[seats[rich]] * 5, cube=8)
        confirmed(pairing)
    ranked = [
        (line.entry_id, line.won, line.points_for - line.points_against) for line in standing_lines(made)
    ]
    assert ranked == [(rich.pk, 1, 35), (often.pk, 2, 10), (poor.pk, 0, -45)]


def test_a_session_level_after_five_games_is_decided_by_a_sixth_on_both_cards(made):
    pairing = stories.playable(made)[0]
    for keeper in (LEFT, RIGHT):
        phone = played(pairing, "left", "left", "left", "right", keeper=keeper)
        phone.game("right", cube=2)
        assert not pairing.match.cards.get(keeper=keeper).is_complete
        phone.game("right", cube=2)
    result = Result.objects.get(pairing=pairing)
    assert (result.confirmed_by, result.left_points, result.right_points) == ("right", 3, 5)
    assert result.winner_id == pairing.right_id
    whole(made)


def test_a_session_result_can_be_corrected_and_undone(actor, made):
    pairing = stories.playable(made)[0]
    played(pairing, *["left"] * 5)
    confirmed(pairing)
    preview = corrections.preview(pairing.pk, Change(ResultKind.PLAYED, pairing.right_id, 3, 11))
    done = corrections.correct(preview, preview.digest, "Read from the wrong side", actor)
    assert points_of(pairing) == (3, 11)
    whole(made)
    corrections.undo(done.pk, actor)
    assert points_of(pairing) == (5, 0)
    whole(made)
    with pytest.raises(RuleBroken, match="level"):
        corrections.preview(pairing.pk, Change(ResultKind.PLAYED, pairing.left_id, 4, 4))


def test_undoing_a_game_at_the_desk_takes_the_result_back(actor, made):
    pairing = stories.playable(made)[0]
    played(pairing, *["left"] * 5)
    confirmed(pairing)
    card = pairing.match.cards.get(keeper="left")
    desk.enter_at_desk(pairing, LEFT, NewRow(uuid.uuid4(), card.tail, Strike(), card.tail), actor)
    result = Result.objects.get(pairing=pairing, superseded_by__isnull=True)
    assert (result.kind, pairing.match.state) == (ResultKind.RETRACTED, pairing.match.state)
    advancing.advance(result.pk)
    whole(made)


def test_awards_and_withdrawals_end_sessions(actor):
    made = stake(actor, 4)
    first, second = stories.playable(made)[:2]
    played(first, "left", "right")
    desk.award(first, first.left_id, ResultKind.UNFINISHED, "Time", actor, (7, 2))
    assert points_of(first) == (7, 2)
    with pytest.raises(Refused) as refused:
        desk.award(second, second.left_id, ResultKind.PENALTY, "Late", actor, (0, -1))
    assert refused.value.code == "points-out-of-range"
    desk.award(second, second.left_id, ResultKind.WALKOVER, "", actor)
    advancing.advance_waiting()
    registration.withdraw(second.right, actor, "")
    whole(made)


def test_a_knock_out_of_four_sessions_has_a_winner(actor):
    made = stake(actor, 4, format=Format(third_place=True), side_lengths={"third place": (3,)})
    for pairing in stories.playable(made):
        played(pairing, *["right"] * 5)
        confirmed(pairing)
    final = next(pairing for pairing in stories.playable(made) if pairing.round.bracket.key == "main")
    third = next(pairing for pairing in stories.playable(made) if pairing.round.bracket.key != "main")
    assert (third.match.length, third.match.games) == (3, None)
    played(final, "left", "left", "right", "right", "left")
    assert confirmed(final).winner_id == final.left_id
    stories.play(third, actor)
    whole(made)


def test_swiss_sessions_rank_by_wins_and_pair_the_next_round(actor):
    made = stake(actor, 4, format=Format(kind=Kind.SWISS, rounds=2), stake=StakePlay(games=3))
    assert Format.from_json(made.format).standings == STAKE_SWISS_ORDER
    for pairing in stories.playable(made):
        played(pairing, "left", "left", "right")
        confirmed(pairing)
    row = rounds.pair_next_round(made.pk, actor)
    assert (row.length, row.games) == (None, 3)
    assert [line.won for line in standing_lines(made)] == [1, 1, 0, 0]
    whole(made)


class TestSetUp:
    def test_unset_standings_of_sessions_rank_by_points(self, actor, made):
        assert Format.from_json(made.format).standings == STAKE_ROUND_ROBIN_ORDER

    def test_an_explicit_choice_of_the_director_is_kept(self, actor):
        chosen = StandingRules((TieBreak.HEAD_TO_HEAD, TieBreak.LOT))
        made = stake(actor, 2, format=Format(kind=Kind.ROUND_ROBIN, standings=chosen))
        assert Format.from_json(made.format).standings == chosen

    def test_impossible_sessions_are_refused(self, actor, made):
        row = Round.objects.get(bracket__tournament=made)
        for sessions, code in (
            (StakePlay(), "games-or-minutes"),
            (StakePlay(5, 60), "games-or-minutes"),
            (StakePlay(games=0), "games-out-of-range"),
            (StakePlay(games=100), "games-out-of-range"),
            (StakePlay(minutes=0), "minutes-out-of-range"),
            (StakePlay(minutes=1441), "minutes-out-of-range"),
        ):
            plan = setup.TournamentPlan("Other", PRESETS["standard"], stake=sessions)
            with pytest.raises(Refused) as refused:
                setup.create_tournament(made.event, plan, actor)
            assert refused.value.code == code
            with pytest.raises(Refused) as refused:
                rounds.change_round_length(row.pk, made.pk, sessions, actor)
            assert refused.value.code == code

    def test_the_database_refuses_impossible_rounds(self, actor, made):
        for fields in (
            {"length": 7, "games": 5},
            {"length": 7, "minutes": 5},
            {"length": None, "games": None, "minutes": None},
            {"length": None, "games": 0},
            {"length": None, "games": 100},
            {"length": None, "games": None, "minutes": 0},
            {"length": None, "games": 5, "minutes": 60},
        ):
            with (
                pytest.raises(IntegrityError, match="round_to_a_length_or_in_sessions"),
                transaction.atomic(),
            ):
                Round.objects.filter(bracket__tournament=made).update(**fields)

    def test_the_database_refuses_impossible_tournaments(self, made):
        for fields in ({"games": 0}, {"games": 100}, {"games": 5, "minutes": 60}):
            with (
                pytest.raises(IntegrityError, match="stake_play_by_games_or_minutes"),
                transaction.atomic(),
            ):
                Tournament.objects.filter(pk=made.pk).update(**fields)

    def test_a_round_can_change_between_matches_and_sessions(self, actor, made):
        row = Round.objects.get(bracket__tournament=made)
        for to, stored in (
            (7, (7, None, None)),
            (StakePlay(minutes=60), (None, None, 60)),
            (StakePlay(games=3), (None, 3, None)),
        ):
            rounds.change_round_length(row.pk, made.pk, to, actor)
            row.refresh_from_db()
            assert (row.length, row.games, row.minutes) == stored
            match = Match.objects.get(pairing__round=row)
            assert (match.length, match.games) == stored[:2]
        stories.begin(stories.playable(made)[0])
        with pytest.raises(Refused) as refused:
            rounds.change_round_length(row.pk, made.pk, 5, actor)
        assert refused.value.code == "round-has-begun"

    def test_the_form_of_play_is_fixed_after_the_draw(self, actor, made):
        plan = setup.TournamentPlan("Open", PRESETS["tournament"], stake=StakePlay(games=7), format=ROBIN)
        with pytest.raises(Refused) as refused:
            setup.change_tournament(made.pk, plan, actor)
        assert refused.value.code == "already-drawn"

    def test_the_stake_play_preset_sets_sessions(self):
        preset = FORMAT_PRESETS["stake-round-robin"]
        assert (preset.games, preset.format.standings, preset.ruleset) == (
            5,
            STAKE_ROUND_ROBIN_ORDER,
            "parker-1994",
        )


class TestTime:
    @pytest.fixture
    def timed(self, actor) -> Tournament:
        return stake(actor, 4, stake=StakePlay(minutes=60))

    def test_a_player_stops_a_session_and_undoes_the_stop(self, timed):
        pairing = stories.playable(timed)[0]
        phone = played(pairing, "left", "left")
        phone.send(Stop())
        assert Match.objects.get(pk=pairing.match_id).state == MatchState.REPORTED
        phone.undo()
        assert Match.objects.get(pk=pairing.match_id).state == MatchState.OPEN
        phone.game("right", cube=4)
        phone.send(Stop())
        assert confirmed(pairing).winner_id == pairing.right_id
        whole(timed)

    def test_a_director_stops_a_round(self, timed, actor):
        first, second = [pairing for pairing in stories.playable(timed) if pairing.round.number == 1]
        played(first, "left", "right")
        played(second, "left")
        outcome = session_stops.stop_round(first.round_id, timed.pk, actor)
        assert (outcome.stopped, outcome.not_begun) == (2, 0)
        states = [Match.objects.get(pk=pairing.match_id).state for pairing in (first, second)]
        assert states == [MatchState.OPEN, MatchState.REPORTED]
        assert session_stops.stop_round(first.round_id, timed.pk, actor).stopped == 0
        card = first.match.cards.get(keeper="left")
        game = Game(Side.LEFT, Win.SINGLE)
        desk.enter(first, LEFT, NewRow(uuid.uuid4(), card.tail, game), actor)
        confirmed(first)
        confirmed(second)
        whole(timed)

    def test_stopping_a_round_skips_sessions_without_games(self, timed, actor):
        first = stories.playable(timed)[0]
        outcome = session_stops.stop_round(first.round_id, timed.pk, actor)
        assert (outcome.stopped, outcome.not_begun) == (0, 2)
        assert not CardRow.objects.filter(kind=RowKind.STOP).exists()
        assert not Match.objects.filter(began_at__isnull=False).exists()

    def test_stopping_a_round_sets_the_same_games_on_both_cards(self, timed, actor):
        pairing = stories.playable(timed)[0]
        played(pairing, "left", "left", "right")
        played(pairing, "left", "left", keeper=RIGHT)
        session_stops.stop_round(pairing.round_id, timed.pk, actor)
        assert set(CardRow.objects.filter(kind=RowKind.STOP).values_list("games", flat=True)) == {3}
        right = Phone(pairing, RIGHT)
        right.tail = pairing.match.cards.get(keeper="right").tail
        right.game("right")
        assert Result.objects.get(pairing=pairing).confirmed_by == "right"
        whole(timed)

    def test_a_stop_on_the_desk_card_posts_the_session(self, timed, actor):
        pairing = stories.playable(timed)[0]
        stories.begin(pairing)
        session_stops.stop_round(pairing.round_id, timed.pk, actor)
        assert points_of(pairing) == (1, 0)

    def test_a_round_with_a_number_of_games_cannot_be_stopped(self, actor, made):
        row = Round.objects.get(bracket__tournament=made)
        with pytest.raises(Refused) as refused:
            session_stops.stop_round(row.pk, made.pk, actor)
        assert refused.value.code == "no-time-to-stop"


@pytest.mark.parametrize(
    ("sessions", "format_"),
    [
        (StakePlay(minutes=90), Format()),
        (StakePlay(games=5), Format(kind=Kind.SWISS, rounds=3)),
    ],
)
def test_an_event_of_stake_play_is_forecast(actor, sessions, format_):
    made = stake(actor, 4, stake=sessions, format=format_)
    first, second = stories.playable(made)[:2]
    played(first, "left", "right")
    played(second, *["left"] * 5, cube=64)
    if sessions.minutes is None:
        confirmed(second)
    page = forecast_page(forecast_event(made.event, first.match.opened_at))
    assert page.span is not None
    assert all(row.length is None for row in page.tournaments[0].rounds)
    assert round_choices(forecast_event(made.event, first.match.opened_at)) == ()


def test_stake_play_before_the_draw_is_forecast(actor):
    plan = setup.TournamentPlan("Open", PRESETS["standard"], stake=StakePlay(games=5), format=ROBIN)
    made = setup.create_tournament(stories.event(actor), plan, actor)
    for name in ("Ana", "Ben", "Cem"):
        registration.enter(made.pk, EntryDetails(PlayerDetails(name)), actor)
    assert forecast_page(forecast_event(made.event, made.created_at)).span is not None


def test_a_final_score_of_a_session_is_reported(made):
    pairing = stories.playable(made)[0]
    Phone(pairing, LEFT).send(FinalScore(12, 15))
    assert confirmed(pairing).winner_id == pairing.right_id


def test_a_card_is_adopted_with_its_stop_and_the_adoption_undone(actor):
    made = stake(actor, 2, stake=StakePlay(minutes=30), two_cards=True)
    pairing = stories.playable(made)[0]
    theirs = played(pairing, "left", "right", "left")
    theirs.send(Stop())
    mine = played(pairing, "left", "left", keeper=RIGHT)
    tails = CardTails(mine.tail, theirs.tail)
    two_cards.adopt_card(pairing, RIGHT, tails, STRANGER)
    assert points_of(pairing) == (2, 1)
    assert CardRow.objects.filter(kind=RowKind.STOP).count() == 2
    whole(made)


def test_a_stop_on_one_card_is_adopted_and_undone(actor):
    made = stake(actor, 2, stake=StakePlay(minutes=30), two_cards=True)
    pairing = stories.playable(made)[0]
    theirs = played(pairing, "left", "right")
    theirs.send(Stop())
    mine = played(pairing, "left", "right", keeper=RIGHT)
    two_cards.adopt_card(pairing, RIGHT, CardTails(mine.tail, theirs.tail), STRANGER)
    card = pairing.match.cards.get(keeper="right")
    assert stored_card_totals(card, pairing.match).agreed == 2
    two_cards.undo_adoption(pairing, RIGHT, CardTails(card.tail, theirs.tail), STRANGER)
    card = pairing.match.cards.get(keeper="right")
    assert stored_card_totals(card, pairing.match).stop is None
    assert (card.left_points, card.right_points) == (1, 1)
    whole(made)


def test_groups_rank_by_points_and_feed_a_play_off_of_sessions(actor):
    made = stake(actor, 6, format=Format(kind=Kind.GROUPS, groups=2, qualifiers=1), stake=StakePlay(games=3))
    of_group = defaultdict(set)
    for pairing in stories.playable(made):
        of_group[pairing.round.bracket_id] |= {pairing.left_id, pairing.right_id}
    rich = {min(members) for members in of_group.values()}
    often = {max(members) for members in of_group.values()}
    for pairing in stories.playable(made):
        seats = {pairing.left_id: "left", pairing.right_id: "right"}
        winner = seats[next(iter(often & seats.keys() or rich & seats.keys()))]
        loser = "left" if winner == "right" else "right"
        if often & seats.keys():
            played(pairing, winner, winner, loser)
        else:
            played(pairing, winner, winner, winner, cube=8)
        confirmed(pairing)
    (final,) = stories.playable(made)
    assert (final.match.length, final.match.games) == (None, 3)
    assert {final.left_id, final.right_id} == rich
    whole(made)
