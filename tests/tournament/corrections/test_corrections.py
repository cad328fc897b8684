"""A director corrects a result after players have moved on: first the preview, then exactly that, undoable."""

import pytest

from matches.models import MatchState
from rules.problem import RuleBroken
from tests.tournament import stories
from tournament import corrections
from tournament.brackets import storage
from tournament.corrections import Change, PreviewChanged
from tournament.draw.seating import resolve
from tournament.draw.seating.corrections import Stage, Treatment
from tournament.models import Correction, JournalLine, KeptSeat, Pairing, ResultKind
from tournament.runtime.errors import Refused

pytestmark = pytest.mark.django_db


def at(made, round_number, line) -> Pairing:
    return stories.pairings(made).get(round__number=round_number, line=line)


def other_winner(pairing: Pairing) -> Change:
    """The first match won by the right side after all."""
    return Change(ResultKind.PLAYED, pairing.right_id, 1, pairing.match.length)


def as_derived(made) -> None:
    sheet = storage.read(made)
    assert sheet.seated() == dict(resolve(sheet.graph, *sheet.facts).states)


def seats(made) -> list[tuple]:
    rows = stories.pairings(made)
    return [(row.left_id, row.right_id, row.winner_id, row.settled, row.match_id) for row in rows]


def test_a_preview_writes_nothing_and_lists_each_affected_match(eight):
    before = seats(eight)
    preview = corrections.preview(at(eight, 1, 1).pk, other_winner(at(eight, 1, 1)))
    assert [(match.key, match.stage, match.treatment) for match in preview.affected] == [
        (at(eight, 2, 1).pk, Stage.FINISHED, Treatment.CANCEL),
        (at(eight, 3, 1).pk, Stage.NOT_STARTED, Treatment.REPLACE),
    ]
    assert seats(eight) == before
    assert not Correction.objects.exists()


def test_a_correction_cancels_the_semifinal_and_seats_the_right_player(eight, actor):
    first, wrong = at(eight, 1, 1), at(eight, 2, 1).match_id
    right = first.right_id
    preview = corrections.preview(first.pk, other_winner(first))
    corrections.correct(preview, preview.digest, "Score was read from the wrong side", actor)
    semifinal = at(eight, 2, 1)
    assert semifinal.left_id == right
    assert semifinal.winner_id is None
    assert semifinal.match_id not in (None, wrong)
    assert at(eight, 3, 1).left_id is None
    assert at(eight, 1, 1).match.cards.get(keeper="desk").winner == "right"
    as_derived(eight)
    assert JournalLine.objects.filter(verb="correct with consequences").count() == 1


def test_a_kept_semifinal_keeps_its_winner_in_the_final(eight, actor):
    first, semifinal = at(eight, 1, 1), at(eight, 2, 1)
    preview = corrections.preview(first.pk, other_winner(first), keep=[semifinal.pk])
    corrections.correct(preview, preview.digest, "Only the record changes", actor)
    assert at(eight, 1, 1).winner_id == first.right_id
    assert at(eight, 2, 1).winner_id == semifinal.winner_id
    assert KeptSeat.objects.filter(pairing=semifinal, entry=first.left_id).exists()
    assert JournalLine.objects.get(verb="correct with consequences").after["kept"] == [semifinal.pk]
    as_derived(eight)


def test_a_stale_preview_is_refused_with_the_new_one(eight, actor):
    first, second = at(eight, 1, 1), at(eight, 2, 2)
    preview = corrections.preview(first.pk, other_winner(first))
    stories.play(second, actor)
    stories.begin(at(eight, 3, 1))
    with pytest.raises(PreviewChanged) as refused:
        corrections.correct(preview, preview.digest, "Wrong side", actor)
    assert refused.value.preview.affected[-1].stage == Stage.UNDER_WAY
    assert at(eight, 1, 1).winner_id == first.left_id
    again = refused.value.preview
    corrections.correct(again, again.digest, "Wrong side", actor)
    as_derived(eight)


def test_a_correction_needs_a_reason(eight, actor):
    preview = corrections.preview(at(eight, 1, 1).pk, other_winner(at(eight, 1, 1)))
    with pytest.raises(Refused) as refused:
        corrections.correct(preview, preview.digest, "  ", actor)
    assert refused.value.code == "reason-needed"


def test_a_score_won_by_the_other_player_is_refused(eight):
    first = at(eight, 1, 1)
    with pytest.raises(Refused) as refused:
        corrections.preview(first.pk, Change(ResultKind.PLAYED, first.right_id, 3, 1))
    assert refused.value.code == "score-other-winner"


def test_the_preview_refuses_a_score_that_cannot_end_the_match(eight):
    first = at(eight, 1, 1)
    with pytest.raises(RuleBroken) as broken:
        corrections.preview(first.pk, Change(ResultKind.PLAYED, first.right_id, 1, 2))
    assert broken.value.problem.code == "final_score_unfinished"


@pytest.mark.parametrize("keep", [False, True])
def test_undoing_a_correction_restores_everything(eight, actor, keep):
    first, semifinal = at(eight, 1, 1), at(eight, 2, 1)
    before = seats(eight)
    preview = corrections.preview(first.pk, other_winner(first), keep=[semifinal.pk] if keep else [])
    made = corrections.correct(preview, preview.digest, "Wrong side", actor)
    corrections.undo(made.pk, actor)
    assert seats(eight) == before
    assert at(eight, 2, 1).match.state == MatchState.POSTED
    as_derived(eight)
    corrections.undo(made.pk, actor)
    assert seats(eight) == before


def test_undoing_a_correction_restores_a_match_under_way(eight, actor):
    stories.play(at(eight, 2, 2), actor)
    stories.begin(at(eight, 3, 1))
    before = seats(eight)
    first = at(eight, 1, 1)
    preview = corrections.preview(first.pk, other_winner(first))
    made = corrections.correct(preview, preview.digest, "Wrong side", actor)
    assert at(eight, 3, 1).match_id is None
    corrections.undo(made.pk, actor)
    assert seats(eight) == before
    assert at(eight, 3, 1).match.state == MatchState.OPEN


def test_a_correction_with_later_results_cannot_be_undone(eight, actor):
    first = at(eight, 1, 1)
    preview = corrections.preview(first.pk, other_winner(first))
    made = corrections.correct(preview, preview.digest, "Wrong side", actor)
    stories.play(at(eight, 2, 1), actor)
    before = seats(eight)
    with pytest.raises(Refused) as refused:
        corrections.undo(made.pk, actor)
    assert refused.value.code == "newer-depends"
    assert seats(eight) == before


def test_a_played_match_can_be_corrected_to_a_walkover(eight, actor):
    first = at(eight, 1, 1)
    preview = corrections.preview(first.pk, Change(ResultKind.WALKOVER, first.right_id))
    corrections.correct(preview, preview.digest, "Was never played", actor)
    assert at(eight, 2, 1).left_id == first.right_id
    as_derived(eight)


def test_a_match_without_a_result_cannot_be_corrected(eight):
    with pytest.raises(Refused) as refused:
        corrections.preview(at(eight, 3, 1).pk, Change(ResultKind.WALKOVER, None))
    assert refused.value.code == "nothing-posted"
