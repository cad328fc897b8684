"""A player who withdraws before the play-off match gives the place to the next of the group."""

import random
import uuid

import pytest
from django.utils import timezone

from tests.tournament import stories
from tournament import corrections
from tournament.brackets import storage
from tournament.brackets.history import draw_as_of
from tournament.corrections import Change, consistency, repair
from tournament.draw.formats import Format, Kind
from tournament.draw.seating import resolve
from tournament.entries import registration
from tournament.models import Entry, Pairing, ResultKind, Tournament
from tournament.runtime.errors import Refused

pytestmark = pytest.mark.django_db
PLAY_OFF = "play-off"


@pytest.fixture(scope="module")
def first_qualifies(rows_of_module) -> Tournament:
    return played_groups(stories.director())


@pytest.fixture(scope="module")
def first_two_qualify(rows_of_module) -> Tournament:
    return played_groups(stories.director(), qualifiers=2)


def played_groups(actor, *, qualifiers: int = 1, leaving_out: int = 0) -> Tournament:
    """Two groups of four; of the last matches some are left out."""
    made = stories.released(actor, 8, format=Format(Kind.GROUPS, groups=2, qualifiers=qualifiers))
    chance = random.Random(3)
    while len(waiting := in_groups(made)) > leaving_out:
        stories.play(waiting[0], actor, chance.choice(["left", "right"]))
    return made


def in_groups(made: Tournament) -> list[Pairing]:
    return [row for row in stories.playable(made) if row.round.bracket.key != PLAY_OFF]


def placed(made: Tournament, group: int) -> list[uuid.UUID]:
    """The entries of a group in the order of their places."""
    sheet = storage.read(made)
    states = {key: sheet.seated()[key] for key in sheet.graph.ranked_pairings(f"group {group}")}
    return list(sheet.facts.rank(f"group {group}", states, sheet.facts.decisions))


def play_off(made: Tournament) -> list[Pairing]:
    return list(stories.pairings(made).filter(round__bracket__key=PLAY_OFF))


def seated(made: Tournament) -> set[uuid.UUID | None]:
    return {pk for row in play_off(made) if row.round.number == 1 for pk in (row.left_id, row.right_id)}


def withdraw(pk: uuid.UUID, actor) -> None:
    registration.withdraw(Entry.objects.get(pk=pk), actor)


def bring_back(pk: uuid.UUID, actor) -> None:
    registration.unwithdraw(Entry.objects.get(pk=pk), actor)


def as_derived(made: Tournament) -> None:
    sheet = storage.read(made)
    assert sheet.seated() == dict(resolve(sheet.graph, *sheet.facts).states)
    assert consistency.differences(made.event) == []
    assert draw_as_of(made, timezone.now()).seating.states == sheet.seated()


def test_the_next_of_the_group_replaces_a_player_who_withdraws_before_the_play_off(actor, first_qualifies):
    first, second, *_ = placed(first_qualifies, 1)
    assert first in seated(first_qualifies)
    withdraw(first, actor)
    assert seated(first_qualifies) == {second, placed(first_qualifies, 2)[0]}
    [final] = play_off(first_qualifies)
    assert final.settled == ""
    assert {final.match.left, final.match.right} == seated(first_qualifies)
    as_derived(first_qualifies)


def test_all_lower_places_of_the_group_move_up(actor, first_two_qualify):
    first, second, third, _ = placed(first_two_qualify, 1)
    withdraw(first, actor)
    at_place = {
        feed.place: feed.target.left_id if feed.seat == "left" else feed.target.right_id
        for feed in first_two_qualify.brackets.get(key="group 1").place_feeds.select_related("target")
    }
    assert at_place == {1: second, 2: third}
    as_derived(first_two_qualify)


def test_a_player_who_withdraws_during_the_group_takes_no_place(actor):
    made = played_groups(actor, leaving_out=1)
    [last] = in_groups(made)
    group = int(last.round.bracket.key.split()[1])
    before = {stated for row in stories.pairings(made) for stated in (row.left_id, row.right_id)}
    leader = next(
        pk for pk in before if pk not in (None, last.left_id, last.right_id, *placed(made, 3 - group))
    )
    withdraw(leader, actor)
    stories.play(last, actor)
    assert leader not in seated(made)
    as_derived(made)


def test_an_undone_withdrawal_restores_the_place(actor, first_qualifies):
    before = seated(first_qualifies)
    first = placed(first_qualifies, 1)[0]
    withdraw(first, actor)
    bring_back(first, actor)
    assert seated(first_qualifies) == before
    as_derived(first_qualifies)


def test_undoing_a_withdrawal_is_refused_once_the_replacement_has_begun(actor, first_qualifies):
    first = placed(first_qualifies, 1)[0]
    withdraw(first, actor)
    stories.begin(play_off(first_qualifies)[0])
    with pytest.raises(Refused):
        bring_back(first, actor)
    as_derived(first_qualifies)


def test_after_the_first_play_off_match_begins_a_withdrawal_is_a_walkover(actor, first_qualifies):
    first = placed(first_qualifies, 1)[0]
    stories.begin(play_off(first_qualifies)[0])
    withdraw(first, actor)
    [final] = play_off(first_qualifies)
    assert (final.settled, final.winner_id) == ("walkover", placed(first_qualifies, 2)[0])
    as_derived(first_qualifies)


def test_a_withdrawn_player_keeps_a_played_play_off_match(actor, first_two_qualify):
    first = placed(first_two_qualify, 1)[0]
    own = next(row for row in play_off(first_two_qualify) if first in (row.left_id, row.right_id))
    stories.play(own, actor, "left" if own.left_id == first else "right")
    withdraw(first, actor)
    assert first in seated(first_two_qualify)
    as_derived(first_two_qualify)


def test_after_a_replacement_begins_a_withdrawal_is_a_walkover(actor, first_two_qualify):
    first, second, *_ = placed(first_two_qualify, 1)
    stories.begin(next(row for row in play_off(first_two_qualify) if second in (row.left_id, row.right_id)))
    withdraw(first, actor)
    own = next(row for row in play_off(first_two_qualify) if first in (row.left_id, row.right_id))
    assert own.settled == "walkover"
    as_derived(first_two_qualify)


def test_the_last_qualifier_is_replaced_while_the_first_plays(actor, first_two_qualify):
    first, second, third, _ = placed(first_two_qualify, 1)
    stories.begin(next(row for row in play_off(first_two_qualify) if first in (row.left_id, row.right_id)))
    withdraw(second, actor)
    assert seated(first_two_qualify) >= {first, third}
    assert second not in seated(first_two_qualify)
    as_derived(first_two_qualify)


def test_a_corrected_group_match_passes_places_to_remaining_players(actor, first_qualifies):
    withdraw(placed(first_qualifies, 1)[0], actor)
    row = stories.pairings(first_qualifies).filter(round__bracket__key="group 1", settled="played").last()
    winner_id = row.right_id if row.winner_id == row.left_id else row.left_id
    points = (3, 0) if winner_id == row.left_id else (0, 3)
    preview = corrections.preview(row.pk, Change(ResultKind.PLAYED, winner_id, *points))
    correction = corrections.correct(preview, preview.digest, "Read from the wrong side", actor)
    assert storage.read(first_qualifies).seated() == preview.consequences.after.states
    as_derived(first_qualifies)
    corrections.undo(correction.pk, actor)
    as_derived(first_qualifies)


def test_history_before_the_withdrawal_shows_the_group_winner(actor, first_qualifies):
    first = placed(first_qualifies, 1)[0]
    moment = timezone.now()
    withdraw(first, actor)
    [final] = play_off(first_qualifies)
    then = draw_as_of(first_qualifies, moment).seating[final.pk]
    assert first in (then.left, then.right)


def test_a_withdrawal_of_an_earlier_version_keeps_its_place(actor, first_qualifies):
    first = placed(first_qualifies, 1)[0]
    withdraw(first, actor)
    Entry.objects.filter(pk=first).update(gave_up_place=False)
    repair.rebuild(first_qualifies.event)
    [final] = play_off(first_qualifies)
    assert final.settled == "walkover"
    as_derived_rows = storage.read(first_qualifies)
    assert as_derived_rows.seated() == dict(resolve(as_derived_rows.graph, *as_derived_rows.facts).states)
