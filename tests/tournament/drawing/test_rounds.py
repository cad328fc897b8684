"""Swiss, Monrad and lives: each round is paired from the records so far and stored with its basis."""

import random

import pytest

from tests.tournament import stories
from tests.tournament.refusals import refusal
from tournament import corrections
from tournament.brackets import advancing, round_basis, storage
from tournament.corrections import consistency
from tournament.draw.formats import Format, Kind
from tournament.draw.pairing import Stop
from tournament.draw.pairing.costs import Cost
from tournament.draw.seating import resolve
from tournament.drawing import rounds
from tournament.entries import registration
from tournament.models import Entry, Pairing, ResultKind, Round
from tournament.results import desk
from tournament.runtime.errors import Refused

pytestmark = pytest.mark.django_db


def play_round(made, actor, chance) -> None:
    while waiting := stories.playable(made):
        stories.play(chance.choice(waiting), actor, chance.choice(["left", "right"]))


def play_all(made, actor, seed=1) -> str:
    chance = random.Random(seed)
    for _ in range(40):
        play_round(made, actor, chance)
        sheet = storage.read(made)
        assert sheet.seated() == dict(resolve(sheet.graph, *sheet.facts).states)
        try:
            rounds.pair_next_round(made.pk, actor)
        except Refused as over:
            return over.code
    raise AssertionError("The event does not end.")


def meetings(made) -> list[frozenset]:
    rows = Pairing.objects.filter(round__bracket__tournament=made, right__isnull=False, left__isnull=False)
    return [frozenset(pair) for pair in rows.values_list("left_id", "right_id")]


@pytest.mark.parametrize("kind", [Kind.SWISS, Kind.MONRAD])
def test_swiss_plays_the_configured_rounds_without_rematches(actor, kind):
    made = stories.released(actor, 7, format=Format(kind, rounds=3))
    assert play_all(made, actor) == "all-rounds-played"
    met = meetings(made)
    assert len(met) == len(set(met)) == 9
    byes = Pairing.objects.filter(round__bracket__tournament=made, right_is_bye=True)
    assert byes.values("left").distinct().count() == 3
    assert consistency.differences(made.event) == []


def test_two_lives_continue_until_one_player_is_left(actor):
    made = stories.released(actor, 5, format=Format(Kind.LIVES, lives=2))
    assert play_all(made, actor) == "event-over"
    losses = {
        entry.pk: Pairing.objects.filter(settled="played", round__bracket__tournament=made)
        .exclude(winner=entry)
        .filter(left=entry)
        .count()
        + Pairing.objects.filter(settled="played", round__bracket__tournament=made, right=entry)
        .exclude(winner=entry)
        .count()
        for entry in Entry.objects.filter(tournament=made)
    }
    assert sorted(losses.values())[0] < 2
    assert set(sorted(losses.values())[1:]) == {2}


def test_lives_can_stop_when_one_player_alone_has_a_life_to_spare(actor):
    made = stories.released(actor, 4, format=Format(Kind.LIVES, lives=2, stop=Stop.BELOW))
    assert play_all(made, actor) == "event-over"


def test_a_round_is_paired_while_a_worker_advances_the_last_results(actor):
    made = stories.released(actor, 9, format=Format(Kind.SWISS, rounds=3))
    results = [stories.post(pairing, actor) for pairing in stories.playable(made)]

    def advance_one_result(tournament):
        basis = rounds.next_round_basis(tournament)
        if results:
            advancing.advance(results.pop().pk)
        return basis

    assert rounds.pair_round(made.pk, advance_one_result, actor).number == 2
    assert results


def test_a_round_needs_all_results_of_the_previous_one(actor):
    made = stories.released(actor, 4, format=Format(Kind.SWISS, rounds=3))
    stories.play(stories.playable(made)[0], actor)
    assert refusal(lambda: rounds.pair_next_round(made.pk, actor)) == "round-is-open"


def test_a_round_can_be_reproduced_from_its_stored_basis(actor):
    made = stories.released(actor, 7, format=Format(Kind.SWISS, rounds=3))
    play_round(made, actor, random.Random(4))
    rounds.pair_next_round(made.pk, actor)
    for row in Round.objects.filter(bracket__tournament=made):
        again = round_basis.stored_basis(row).paired()
        stored = list(row.pairings.order_by("line"))
        assert [(pair.left, pair.right) for pair in again.pairs] == [
            (pairing.left_id, pairing.right_id) for pairing in stored if not pairing.right_is_bye
        ]
        assert [Cost.from_json(pairing.cost) for pairing in stored] == [
            *(pair.cost for pair in again.pairs),
            again.bye.cost,
        ]


def test_withdrawn_players_are_not_paired(actor):
    made = stories.released(actor, 6, format=Format(Kind.SWISS, rounds=3))
    play_round(made, actor, random.Random(2))
    leaves = Entry.objects.filter(tournament=made).first()
    registration.withdraw(leaves, actor)
    rounds.pair_next_round(made.pk, actor)
    second = Pairing.objects.filter(round__bracket__tournament=made, round__number=2)
    seated = {pk for row in second for pk in (row.left_id, row.right_id)}
    assert leaves.pk not in seated
    assert seated - {None} == set(Entry.objects.filter(tournament=made).values_list("pk", flat=True)) - {
        leaves.pk
    }


def test_a_round_can_be_undone_before_it_is_played(actor):
    made = stories.released(actor, 4, format=Format(Kind.SWISS, rounds=3))
    play_round(made, actor, random.Random(2))
    rounds.pair_next_round(made.pk, actor)
    assert refusal(lambda: rounds.take_back_round(made.pk, "", actor)) == "reason-needed"
    rounds.take_back_round(made.pk, "Somebody is missing", actor)
    assert Round.objects.filter(bracket__tournament=made).count() == 1
    rounds.pair_next_round(made.pk, actor)
    stories.play(stories.playable(made)[0], actor)
    assert refusal(lambda: rounds.take_back_round(made.pk, "Again", actor)) == "round-has-begun"


def test_no_round_is_paired_before_the_draw_is_released(actor):
    made = stories.drawn(actor, 4, format=Format(Kind.SWISS, rounds=3))
    assert refusal(lambda: rounds.pair_next_round(made.pk, actor)) == "not-released"
    assert advancing.current_draw(made) is not None


def test_free_players_of_an_event_with_lives_are_paired_while_others_play(actor):
    made = stories.released(actor, 8, format=Format(Kind.LIVES, lives=3))
    first = stories.playable(made)
    for pairing in first[:2]:
        stories.play(pairing, actor)
    row = rounds.pair_free_players(made.pk, actor)
    assert row.number == 2
    assert row.pairings.count() == 2
    again = round_basis.stored_basis(row).paired()
    assert [(pair.left, pair.right) for pair in again.pairs] == [
        (pairing.left_id, pairing.right_id) for pairing in row.pairings.order_by("line")
    ]
    assert refusal(lambda: rounds.pair_free_players(made.pk, actor)) == "nobody-to-pair"


def test_lives_finish_when_free_players_are_paired_continuously(actor):
    made = stories.released(actor, 5, format=Format(Kind.LIVES, lives=2))
    chance, code = random.Random(6), ""
    for _ in range(60):
        try:
            rounds.pair_free_players(made.pk, actor)
        except Refused as waiting:
            code = waiting.code
        if waiting_matches := stories.playable(made):
            stories.play(chance.choice(waiting_matches), actor, chance.choice(["left", "right"]))
        elif code == "event-over":
            break
    assert code == "event-over"
    assert consistency.differences(made.event) == []


def test_only_lives_pair_players_while_others_play(actor):
    made = stories.released(actor, 4, format=Format(Kind.SWISS, rounds=3))
    assert refusal(lambda: rounds.pair_free_players(made.pk, actor)) == "no-lives"


def test_a_player_without_lives_is_out_before_a_worker_advances_the_result(actor):
    made = stories.released(actor, 8, format=Format(Kind.LIVES, lives=1))
    first, second, third, _ = stories.playable(made)
    stories.post(first, actor)
    stories.play(second, actor)
    stories.play(third, actor)
    paired = rounds.pair_free_players(made.pk, actor).pairings.get()
    winners = {first.left_id, second.left_id, third.left_id}
    assert {paired.left_id, paired.right_id} < winners


def test_no_round_is_paired_while_an_eliminated_player_still_plays(actor):
    made = stories.released(actor, 8, format=Format(Kind.LIVES, lives=1))
    first, second, third, _ = stories.playable(made)
    for pairing in (first, second):
        stories.play(pairing, actor)
    rounds.pair_free_players(made.pk, actor)
    change = corrections.Change(ResultKind.PLAYED, first.right_id, 1, 3)
    preview = corrections.preview(first.pk, change)
    corrections.correct(preview, preview.digest, "Wrong side", actor)
    stories.play(third, actor)
    assert refusal(lambda: rounds.pair_free_players(made.pk, actor)) == "out-but-playing"
    while waiting := stories.playable(made):
        stories.play(waiting[0], actor)
    rounds.pair_free_players(made.pk, actor)
    assert consistency.differences(made.event) == []


def test_a_lives_result_can_be_corrected_until_a_player_begins_the_next_match(actor):
    made = stories.released(actor, 4, format=Format(Kind.SWISS, rounds=3))
    play_round(made, actor, random.Random(3))
    first = stories.pairings(made).first()
    rounds.pair_next_round(made.pk, actor)
    desk.award(first, first.left_id, "walkover", "", actor)
    stories.begin(stories.playable(made)[0])
    assert refusal(lambda: desk.award(first, first.right_id, "walkover", "", actor)) == "next-match-has-begun"
    assert refusal(lambda: desk.retract(first, "Not played", actor)) == "next-match-has-begun"
    preview = corrections.preview(first.pk, corrections.Change(ResultKind.WALKOVER, first.right_id))
    corrections.correct(preview, preview.digest, "Was not played", actor)
    assert stories.pairings(made).first().winner_id == first.right_id


@pytest.mark.parametrize("plan", [Format(), Format(Kind.ROUND_ROBIN)], ids=lambda plan: plan.kind)
def test_a_full_draw_has_no_next_round_and_its_last_one_cannot_be_undone(actor, plan):
    made = stories.released(actor, 4, format=plan)
    before = storage.read(made).seated()
    assert refusal(lambda: rounds.pair_next_round(made.pk, actor)) == "no-rounds"
    assert refusal(lambda: rounds.take_back_round(made.pk, "A wrong button", actor)) == "no-rounds"
    assert storage.read(made).seated() == before


def test_matches_with_lives_get_longer_as_players_drop_out(actor):
    made = stories.released(actor, 8, lengths=(9, 7, 5), format=Format(Kind.LIVES, lives=1))
    assert play_all(made, actor) == "event-over"
    lengths = (
        Round.objects.filter(bracket__tournament=made).order_by("number").values_list("length", flat=True)
    )
    assert list(lengths) == [5, 7, 9]
