"""Disputes: the result waits, the desk decides, its ruling is stored, and photos are re-encoded."""

import io
import uuid
from copy import deepcopy
from datetime import timedelta

import pytest
from django.utils import timezone
from PIL import Image

from matches.keepers import Keeper
from matches.models import Match, MatchState
from matches.rows import FinalScore, NewRow
from rules.problem import RuleBroken
from tests.tournament import stories
from tests.tournament.images import image_file
from tests.tournament.queries.cards import Phone
from tests.tournament.refusals import refusal
from tournament.access.actors import STRANGER
from tournament.drawing import draws
from tournament.events import recycle_bin
from tournament.models import Evidence, JournalLine, Pairing, Question, Result
from tournament.models.desk import MOST_PHOTO_BYTES
from tournament.queries.disputes import load_disputes
from tournament.queries.journal import load_match_journal
from tournament.queries.matches.match import load_public_match
from tournament.results import desk, disputes, questions, report_sweep
from tournament.results.disputes import Decision, Ruling
from tournament.results.photos import LONGEST_SIDE, photo_as_jpeg

pytestmark = pytest.mark.django_db
LEFT, RIGHT = Keeper.LEFT, Keeper.RIGHT
EXIF_ORIENTATION, TURNED_RIGHT, GPS = 0x0112, 6, 0x8825


@pytest.fixture(scope="module")
def pairing_of_module(actor_of_module) -> Pairing:
    return stories.playable(stories.released(actor_of_module, 2, lengths=(5,), confirm_after=1))[0]


@pytest.fixture
def pairing(db, pairing_of_module) -> Pairing:
    return deepcopy(pairing_of_module)


def fresh(pairing: Pairing) -> Pairing:
    return stories.pairings(pairing.round.bracket.tournament).get(pk=pairing.pk)


def state(pairing: Pairing) -> str:
    return fresh(pairing).match.state


def load(pairing: Pairing):
    return load_disputes(fresh(pairing).match, ("Ana", "Ben"))


def rule(pairing: Pairing, actor, **more) -> None:
    disputes.rule(fresh(pairing), Ruling(**{"text": "So it is.", **more}), actor)


def test_a_dispute_before_the_first_game_counts_as_play(pairing, actor):
    disputes.open_dispute(pairing, RIGHT, "He is not here", STRANGER)
    tournament = pairing.round.bracket.tournament
    assert refusal(lambda: draws.undo(tournament.pk, actor, "once more")) == "play-has-begun"
    assert load(pairing).open_disputes[0].note == "He is not here"


def test_a_new_report_starts_its_own_waiting_time(pairing):
    left = Phone(pairing, LEFT)
    left.send(FinalScore(5, 2))
    current = fresh(pairing)
    Match.objects.update(reported_at=timezone.now())
    desk.confirm_by_timeout(current)
    assert state(pairing) == MatchState.REPORTED
    desk.confirm_by_timeout(fresh(pairing))
    assert state(pairing) == MatchState.POSTED


def test_either_player_can_open_a_dispute_that_blocks_posting(pairing, actor):
    first = disputes.open_dispute(pairing, RIGHT, "He moved seven with a six", STRANGER)
    assert (state(pairing), first.note) == (MatchState.DISPUTED, "He moved seven with a six")
    left = Phone(pairing, LEFT)
    left.send(FinalScore(5, 2))
    assert disputes.open_dispute(pairing, RIGHT, "another note", STRANGER) == first
    disputes.open_dispute(pairing, LEFT, "It was a five", STRANGER)
    assert [question.note for question in load(pairing).open_disputes] == [
        "He moved seven with a six",
        "It was a five",
    ]
    assert refusal(lambda: desk.confirm(fresh(pairing), RIGHT, None, STRANGER)) == "disputed"
    assert refusal(lambda: desk.confirm_by_timeout(fresh(pairing))) == "disputed"
    report_sweep.settle_reports()
    Phone(pairing, RIGHT).send(FinalScore(5, 2))
    report_sweep.settle_reports()
    assert not Result.objects.exists()
    rule(pairing, actor, keeper=LEFT, rule="CARD-4", tail=left.tail)
    result = Result.objects.get()
    assert (result.left_points, result.right_points, result.confirmed_by) == (5, 2, "desk")
    for question in Question.objects.all():
        assert (question.ruling, question.rule, question.closed_by) == ("So it is.", "CARD-4", actor.user)
        assert question.detail == {
            "decision": "card", "card": "left", "left": 5, "right": 2, "rule": "CARD-4",
        }  # fmt: skip
    [ruling] = load(pairing).decided
    assert (ruling.name, ruling.who, ruling.text) == ("Ana", actor.user.username, "So it is.")


@pytest.mark.parametrize("deletes_event", [True, False])
def test_the_sweeper_posts_no_report_in_the_bin(pairing, actor, deletes_event):
    Phone(pairing, LEFT).send(FinalScore(5, 2))
    Match.objects.update(reported_at=timezone.now() - timedelta(minutes=2))
    tournament = pairing.round.bracket.tournament
    if deletes_event:
        recycle_bin.delete_event(tournament.event, actor)
    else:
        recycle_bin.delete_tournament(tournament, actor)
    report_sweep.settle_reports()
    assert not Result.objects.exists()
    if deletes_event:
        recycle_bin.restore_event(tournament.event, actor)
    else:
        recycle_bin.restore_tournament(tournament, actor)
    report_sweep.settle_reports()
    assert Result.objects.get().left_points == 5


def test_a_second_ruling_is_refused(pairing, actor):
    Phone(pairing, LEFT).send(FinalScore(5, 0))
    disputes.open_dispute(pairing, RIGHT, "", STRANGER)
    rule(pairing, actor, keeper=LEFT)
    assert refusal(lambda: rule(pairing, actor, keeper=LEFT)) == "nothing-disputed"
    assert Result.objects.count() == 1
    assert JournalLine.objects.filter(verb="rule").count() == 1


def test_a_ruling_can_set_a_score_of_neither_card(pairing, actor):
    Phone(pairing, LEFT).game("left")
    disputes.open_dispute(pairing, RIGHT, "", STRANGER)
    with pytest.raises(RuleBroken):
        rule(pairing, actor, decision=Decision.SCORE, score=(5, 5))
    assert refusal(lambda: rule(pairing, actor, decision=Decision.SCORE)) == "score-wanted"
    assert (state(pairing), Question.objects.get().closed_at) == (MatchState.DISPUTED, None)
    rule(pairing, actor, decision=Decision.SCORE, score=(2, 5))
    assert Result.objects.get().winner_id == pairing.right_id
    assert load(pairing).decided[0].points == (2, 5)


def test_play_continues_and_a_closed_question_is_not_reopened(pairing, actor):
    left, right = Phone(pairing, LEFT), Phone(pairing, RIGHT)
    left.send(FinalScore(5, 1))
    right.send(FinalScore(1, 5))
    assert state(pairing) == MatchState.DISPUTED
    assert load(pairing).is_automatic
    assert refusal(lambda: disputes.withdraw_dispute(pairing, LEFT, STRANGER)) == "nothing-disputed"
    rule(pairing, actor, decision=Decision.PLAY_ON)
    report_sweep.settle_reports()
    assert state(pairing) == MatchState.REPORTED
    right.undo()
    right.send(FinalScore(5, 1))
    assert Result.objects.get().left_points == 5


def test_a_ruling_needs_a_text_a_complete_card_and_the_current_version(pairing, actor):
    left = Phone(pairing, LEFT)
    left.game("left")
    disputes.open_dispute(pairing, LEFT, "", STRANGER)
    assert refusal(lambda: rule(pairing, actor, text="  ", keeper=LEFT)) == "ruling-wanted"
    for keeper in (LEFT, RIGHT, None):
        assert refusal(lambda keeper=keeper: rule(pairing, actor, keeper=keeper)) == "card-incomplete"
    tail = left.tail
    left.send(FinalScore(5, 3))
    assert refusal(lambda: rule(pairing, actor, keeper=LEFT, tail=tail)) == "card-changed"
    rule(pairing, actor, keeper=LEFT, tail=left.tail, text="x" * 500)
    assert len(Question.objects.get().ruling) == 500


def test_a_dispute_is_withdrawn_by_the_player_who_opened_it(pairing):
    left = Phone(pairing, LEFT)
    left.send(FinalScore(5, 3))
    disputes.open_dispute(pairing, LEFT, "", STRANGER)
    disputes.open_dispute(pairing, RIGHT, "", STRANGER)
    disputes.withdraw_dispute(fresh(pairing), LEFT, STRANGER)
    assert state(pairing) == MatchState.DISPUTED
    disputes.withdraw_dispute(fresh(pairing), RIGHT, STRANGER)
    assert (state(pairing), load(pairing).open_disputes, load(pairing).decided) == ("reported", (), ())
    assert refusal(lambda: disputes.withdraw_dispute(fresh(pairing), RIGHT, STRANGER)) == "nothing-disputed"
    desk.confirm(fresh(pairing), RIGHT, left.tail, STRANGER)
    assert not load_public_match(fresh(pairing), fresh(pairing).match).is_ruled


def test_cards_that_agree_are_posted_when_the_dispute_is_withdrawn(pairing):
    Phone(pairing, LEFT).send(FinalScore(5, 3))
    disputes.open_dispute(pairing, RIGHT, "", STRANGER)
    Phone(pairing, RIGHT).send(FinalScore(5, 3))
    disputes.withdraw_dispute(fresh(pairing), RIGHT, STRANGER)
    assert (state(pairing), Result.objects.get().confirmed_by) == (MatchState.POSTED, "right")


def test_a_posted_or_cancelled_match_cannot_be_disputed_by_phone(pairing, actor):
    posted = stories.post(pairing, actor)
    assert refusal(lambda: disputes.open_dispute(pairing, LEFT, "", STRANGER)) == "posted-already"
    assert refusal(lambda: disputes.add_photo(pairing, LEFT, image_file(), STRANGER)) == "nothing-disputed"
    assert Result.objects.get() == posted
    assert not Question.objects.exists()


def test_a_score_entered_by_the_desk_ends_a_dispute_and_names_the_director(pairing, actor):
    disputes.open_dispute(pairing, LEFT, "", STRANGER)
    writing = NewRow(uuid.uuid4(), pairing.match_id, FinalScore(5, 0))
    desk.enter_at_desk(fresh(pairing), Keeper.DESK, writing, actor)
    question = Question.objects.get()
    assert (question.closed_by, question.ruling) == (actor.user, "")
    assert question.detail == {"decision": "score", "left": 5, "right": 0}
    [ruling] = load(pairing).decided
    assert (ruling.who, ruling.points, ruling.at) == (actor.user.username, (5, 0), question.closed_at)
    assert load_public_match(fresh(pairing), fresh(pairing).match).is_ruled


def test_an_award_by_the_desk_ends_a_dispute(pairing, actor):
    disputes.open_dispute(pairing, LEFT, "", STRANGER)
    desk.award(pairing, pairing.left_id, "no_show", "He went home", actor)
    [ruling] = load(pairing).decided
    assert (ruling.decision, ruling.kind, ruling.text, ruling.who) == (
        "award", "no_show", "He went home", actor.user.username,
    )  # fmt: skip


def test_only_a_ruling_ends_an_open_dispute(pairing, actor):
    question = disputes.open_dispute(pairing, LEFT, "", STRANGER)
    question = Question.objects.get(pk=question.pk)
    assert refusal(lambda: questions.close(question, "never mind", actor)) == "ruling-wanted"
    assert state(pairing) == MatchState.DISPUTED


def test_the_public_page_hides_the_text_of_a_ruling_and_the_journal_contains_it(pairing, actor):
    Phone(pairing, LEFT).send(FinalScore(5, 3))
    disputes.open_dispute(pairing, RIGHT, "A secret note", STRANGER)
    rule(pairing, actor, keeper=LEFT, text="A ruling for two")
    row = fresh(pairing)
    public = load_public_match(row, row.match)
    assert public.is_ruled
    assert "ruling for two" not in repr(public)
    assert "secret note" not in repr(public)
    lines = load_match_journal(row.round.bracket.tournament.event, row, with_money=False)
    assert [line.verb for line in lines] == ["post result", "rule", "disagree"]


def test_photos_are_stored_once_limited_per_side_and_deleted_with_the_question(pairing):
    question = disputes.open_dispute(pairing, LEFT, "", STRANGER, image_file(size=(30, 20)))
    first = Evidence.objects.get()
    assert disputes.add_photo(pairing, LEFT, image_file(size=(30, 20)), STRANGER) == first
    for width in range(31, 34):
        disputes.add_photo(pairing, LEFT, image_file(size=(width, 20)), STRANGER)
    assert (
        refusal(lambda: disputes.add_photo(pairing, LEFT, image_file(size=(90, 20)), STRANGER))
        == "photos-enough"
    )
    version = fresh(pairing).match.version
    disputes.add_photo(pairing, RIGHT, image_file(size=(91, 20)), STRANGER)
    assert fresh(pairing).match.version > version
    assert [(photo.question_id, photo.uploaded_by) for photo in Evidence.objects.all()].count(
        (question.pk, "left")
    ) == 4
    assert len(load(pairing).open_disputes[0].photos) == 5


def test_a_photo_without_an_open_question_is_refused(pairing):
    assert refusal(lambda: disputes.add_photo(pairing, LEFT, image_file(), STRANGER)) == "nothing-disputed"


def test_players_can_write_rows_until_the_result(pairing, actor):
    phone = Phone(pairing, LEFT)
    phone.game("left")
    disputes.open_dispute(pairing, LEFT, "", STRANGER)
    phone.game("left")
    rule(pairing, actor, decision=Decision.SCORE, score=(5, 0))
    assert phone.game("left").question is not None


def with_metadata() -> bytes:
    """A photo taken with the phone turned, that says where."""
    picture = Image.new("RGB", (400, 200), "white")
    picture.paste("red", (0, 0, 200, 200))
    exif = Image.Exif()
    exif[EXIF_ORIENTATION] = TURNED_RIGHT
    exif.get_ifd(GPS)[1] = "N"
    made = io.BytesIO()
    picture.save(made, "JPEG", exif=exif, comment=b"Ana's kitchen")
    return made.getvalue()


def test_a_photo_is_re_encoded_upright_small_and_without_metadata():
    sent = with_metadata()
    jpeg = photo_as_jpeg(sent)
    assert b"kitchen" in sent
    assert b"kitchen" not in jpeg
    assert b"Exif" not in jpeg
    opened = Image.open(io.BytesIO(jpeg))
    assert (opened.format, opened.size, dict(opened.getexif())) == ("JPEG", (200, 400), {})
    assert opened.getpixel((100, 20))[0] > 200
    assert opened.getpixel((100, 380))[1] > 200


@pytest.mark.parametrize("kind", ["WEBP", "GIF"])
def test_photos_of_every_usual_kind_become_jpegs_of_bounded_size(kind):
    large = Image.effect_noise((1700, 300), 90).convert("RGB")
    made = io.BytesIO()
    large.save(made, kind)
    jpeg = photo_as_jpeg(made.getvalue())
    opened = Image.open(io.BytesIO(jpeg))
    assert (opened.format, max(opened.size) <= LONGEST_SIDE, len(jpeg) <= MOST_PHOTO_BYTES) == (
        "JPEG", True, True,
    )  # fmt: skip


def bomb() -> bytes:
    """A few kilobytes that unpack to more pixels than a camera has."""
    made = io.BytesIO()
    Image.new("1", (8_000, 8_000)).save(made, "PNG")
    return made.getvalue()


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "not-a-picture"),
        (b"%PDF-1.7 not a picture", "not-a-picture"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>", "not-a-picture"),
        (image_file(size=(200, 200))[:900], "not-a-picture"),
        (b"\xff\xd8\xff" + b"\x00" * (12 * 1024 * 1024), "picture-too-large"),
    ],
    ids=["nothing", "pdf", "svg", "cut off", "too long"],
)
def test_a_file_that_is_not_a_photo_is_refused_with_a_sentence(data, code):
    assert refusal(lambda: photo_as_jpeg(data)) == code


def test_a_decompression_bomb_is_refused_before_decoding():
    assert len(bomb()) < 100_000
    assert refusal(lambda: photo_as_jpeg(bomb())) == "picture-too-large"


def test_an_invalid_photo_opens_no_dispute(pairing):
    assert (
        refusal(lambda: disputes.open_dispute(pairing, LEFT, "see", STRANGER, b"GIF89a")) == "not-a-picture"
    )
    assert (state(pairing), Question.objects.count()) == (MatchState.OPEN, 0)
