"""The next step of a tournament, from the first entry to the results, and its button on the pages of staff."""

import pytest
from django.urls import reverse

from tests.tournament import stories
from tournament.accounts import links
from tournament.draw.formats import Format, Kind
from tournament.drawing import draws, jackpots, round_previews
from tournament.queries.next_steps import StepCode, find_next_step

pytestmark = pytest.mark.django_db
SWISS = Format(Kind.SWISS, rounds=2)


@pytest.fixture
def owner():
    return stories.director()


def play_all(made, owner):
    while waiting := stories.playable(made):
        stories.play(waiting[0], owner)


def test_a_swiss_is_led_from_the_first_entry_to_the_results(owner):
    made = stories.tournament(owner, format=SWISS)
    codes = [find_next_step(made).code]
    stories.draw_and_release(made, owner, 4)
    draws.undo(made.pk, owner, "Once more")
    codes.append(find_next_step(made).code)
    draws.make(made.pk, draws.DrawPlan(), owner)
    codes.append(find_next_step(made).code)
    draws.release(made.pk, owner)
    codes.append(find_next_step(made).code)
    links.make_link(made.entries.first(), owner)
    codes.append(find_next_step(made).code)
    play_all(made, owner)
    codes.append(find_next_step(made).code)
    round_previews.preview_next_round(made.pk, owner)
    codes.append(find_next_step(made).code)
    round_previews.release_round(made.pk, owner)
    codes.append(find_next_step(made).code)
    play_all(made, owner)
    codes.append(find_next_step(made).code)
    assert codes == [
        StepCode.ENTER,
        StepCode.DRAW,
        StepCode.RELEASE,
        StepCode.PHONES,
        StepCode.PLAY,
        StepCode.PAIR,
        StepCode.RELEASE_ROUND,
        StepCode.PLAY,
        StepCode.RESULTS,
    ]


def test_open_jackpots_are_named_beside_the_results(owner, client):
    made = stories.released(owner, 4)
    jackpot = jackpots.open_jackpot(made.pk, jackpots.JackpotPlan(4, 3), owner)
    for entry in made.entries.all():
        jackpots.join(jackpot.pk, entry, owner)
    while waiting := [
        row for row in stories.playable(made) if not row.round.bracket.key.startswith("jackpot")
    ]:
        stories.play(waiting[0], owner)
    step = find_next_step(made)
    assert (step.code, step.open_jackpots) == (StepCode.RESULTS, (1,))
    client.force_login(owner.user)
    page = client.get(reverse("entries", args=[made.event.slug, made.slug])).content.decode()
    assert "All matches except those of jackpot 1 are decided." in page
    play_all(made, owner)
    assert find_next_step(made).open_jackpots == ()
