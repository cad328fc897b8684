"""The desk's lists of matches and questions, and their order."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from matches.keepers import Keeper
from rules.score import Win
from tests.tournament import stories
from tests.tournament.queries.cards import Phone, meeting, seeded, wins
from tournament.access.actors import STRANGER
from tournament.accounts import links
from tournament.brackets import advancing
from tournament.entries import registration
from tournament.models import Question, Result, Tournament
from tournament.queries.desk.desk import DeskLine, OpenQuestion, UrgentLine, load_desk
from tournament.queries.desk.match_filter import MatchFilter, rounds_of
from tournament.queries.desk.urgent import UrgentKind
from tournament.queries.events.overview import tournament_overview
from tournament.results import desk, disputes, questions

pytestmark = pytest.mark.django_db

LEFT, RIGHT = Keeper.LEFT, Keeper.RIGHT


def listed(made: Tournament, state: str) -> list[DeskLine]:
    """The matches in this state, the longest wait first."""
    return MatchFilter(state=state).apply(load_desk(made).lines)


def urgent(made: Tournament, *kinds: UrgentKind) -> list[UrgentLine]:
    return [urgent_line for urgent_line in load_desk(made).urgent if urgent_line.item.kind in kinds]


def open_questions(made: Tournament) -> list[OpenQuestion]:
    lines = urgent(made, UrgentKind.DISPUTE, UrgentKind.QUESTION)
    return [urgent_line.question for urgent_line in lines if urgent_line.question]


def seeds(lines: Sequence[DeskLine]) -> list[set[int | None]]:
    return [{line.pairing.left.seed, line.pairing.right.seed} for line in lines]


def test_every_match_is_in_the_list_of_its_state(actor):
    made = seeded(actor, 16)
    wins(made, actor, 1, 16)
    Phone(meeting(made, 2, 15), LEFT).game("left")
    Phone(meeting(made, 3, 14), LEFT).final(3, 0)
    disputed = meeting(made, 4, 13)
    Phone(disputed, LEFT).final(3, 0)
    Phone(disputed, RIGHT).final(0, 3)
    desk_page = load_desk(made)
    assert seeds(listed(made, "playing")) == [{2, 15}]
    assert seeds(listed(made, "reported")) == [{3, 14}]
    assert seeds(listed(made, "disputed")) == [{4, 13}]
    assert seeds(listed(made, "decided")) == seeds(desk_page.decided) == [{1, 16}]
    assert [len(listed(made, state)) for state in ("ready", "waiting", "open", "all")] == [4, 7, 7, 15]
    assert len(desk_page.open_lines) == 7


def test_a_match_without_a_number_hides_no_other(actor):
    first, *others = load_desk(seeded(actor, 8)).open_lines
    unnumbered = replace(first, pairing=replace(first.pairing, called=""))
    assert len(MatchFilter().apply([unnumbered, *others])) == 4


def test_the_match_that_has_waited_longest_comes_first(actor):
    made = seeded(actor, 8)
    for winner, loser in ((2, 7), (3, 6)):
        wins(made, actor, winner, loser)
    late = meeting(made, 2, 3).match
    assert seeds(listed(made, "ready")) == [{1, 8}, {4, 5}, {2, 3}]
    late.__class__.objects.filter(pk=late.pk).update(opened_at=timezone.now() - timedelta(hours=1))
    assert seeds(listed(made, "ready")) == [{2, 3}, {1, 8}, {4, 5}]


def test_the_oldest_report_comes_first_with_its_card(made):
    second, first = meeting(made, 1, 4), meeting(made, 2, 3)
    phone = Phone(first, RIGHT)
    phone.final(1, 3)
    Phone(second, LEFT).final(3, 2)
    assert seeds(listed(made, "reported")) == [{2, 3}, {1, 4}]
    report = listed(made, "reported")[0].report
    assert report is not None
    assert (report.keeper, report.name, report.left, report.right) == (RIGHT, first.right.player.name, 1, 3)
    assert (report.tail, report.is_complete) == (phone.tail, True)


def test_a_running_match_shows_how_far_each_card_is(made):
    pairing = meeting(made, 1, 4)
    Phone(pairing, LEFT).game("left")
    Phone(pairing, RIGHT).game("left", win=Win.GAMMON)
    line = listed(made, "playing")[0]
    assert [(version.keeper, version.left, version.right) for version in line.versions] == [
        (LEFT, 1, 0),
        (RIGHT, 2, 0),
    ]
    assert line.report is None


def test_a_disagreement_names_who_disagrees_and_closes_with_a_ruling(actor, made):
    pairing = meeting(made, 1, 4)
    Phone(pairing, LEFT).final(3, 2)
    disputes.open_dispute(pairing, RIGHT, "It was 2–3.", STRANGER)
    question = open_questions(made)[0]
    assert question.asked_by == pairing.right.player.name
    assert question.notes == ((pairing.right.player.name, "It was 2–3."),)
    disputes.rule(pairing, disputes.Ruling.for_card(LEFT, "Seen by the desk."), actor)
    assert open_questions(made) == []


def test_differing_cards_and_a_call_for_the_desk_are_one_dispute(made):
    pairing = meeting(made, 1, 4)
    Phone(pairing, LEFT).final(3, 0)
    Phone(pairing, RIGHT).final(0, 3)
    disputes.open_dispute(pairing, LEFT, "I won.", STRANGER)
    disputes.open_dispute(pairing, RIGHT, "I won.", STRANGER)
    assert Question.objects.count() > 1
    (question,) = open_questions(made)
    assert {note.by for note in question.notes} == {pairing.left.player.name, pairing.right.player.name}
    assert tournament_overview(made).questions == 1


def test_a_late_card_is_a_question_with_its_score(actor, made):
    pairing = wins(made, actor, 1, 4)
    Phone(pairing, RIGHT).final(0, 3)
    question = open_questions(made)[0]
    assert (question.kind, question.detail["right"], question.line.pairing.state) == (
        "late_card",
        3,
        "decided",
    )
    questions.close(Question.objects.get(), "The result stands.", actor)
    assert open_questions(made) == []


def test_a_phone_that_chose_a_name_waits_for_its_approval(actor, made):
    entry = made.entries.select_related("player", "tournament__event").get(seed=3)
    links.request_link(entry)
    assert [phone.item.name for phone in urgent(made, UrgentKind.PHONE)] == [entry.player.name]
    links.approve(entry.links.get(), actor)
    assert urgent(made, UrgentKind.PHONE) == []


def test_the_latest_results_come_first_without_retracted_ones(actor):
    made = seeded(actor, 8)
    first, second = wins(made, actor, 1, 8), wins(made, actor, 4, 5)
    assert [line.pairing.id for line in load_desk(made).decided] == [second.pk, first.pk]
    desk.retract(second, "", actor)
    assert [line.pairing.id for line in load_desk(made).decided] == [first.pk]


def test_the_desk_is_warned_when_a_winner_advances_late(actor, made):
    stories.post(meeting(made, 1, 4), actor)
    assert (load_desk(made).is_late, load_desk(made).unmoved) == (False, 0)
    Result.objects.update(posted_at=timezone.now() - timedelta(minutes=1))
    assert (load_desk(made).is_late, load_desk(made).unmoved) == (True, 1)
    advancing.advance_waiting()
    assert (load_desk(made).is_late, load_desk(made).unmoved) == (False, 0)


def test_byes_and_settled_walkovers_are_not_called(actor):
    made = seeded(actor, 6)
    registration.withdraw(made.entries.get(seed=6), actor)
    assert seeds(listed(made, "ready")) == [{4, 5}, {2, 3}]
    assert {line.state for line in load_desk(made).lines} == {"ready", "decided", "waiting"}


def test_the_desk_before_the_draw_is_empty(actor):
    desk_page = load_desk(stories.entered(actor, 4))
    assert (desk_page.lines, desk_page.urgent, desk_page.has_released_draw) == ((), (), False)


def test_the_rounds_of_the_filter_follow_the_longest_bracket(actor):
    lines = [*load_desk(stories.released(actor, 8)).lines, *load_desk(stories.released(actor, 2)).lines]
    assert [line.round_name for line in lines][-1] == "final", "a first round"
    assert rounds_of(lines) == ["quarterfinals", "semifinals", "final"]
