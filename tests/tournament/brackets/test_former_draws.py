"""History shows undone draws and rounds for the time when they were in force."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.tournament import stories
from tournament.brackets.history import draw_as_of
from tournament.brackets.open_seats import entry_seats
from tournament.draw.formats import Format, Kind
from tournament.draw.recipes import Byes, OrderRules
from tournament.drawing import draws, rounds
from tournament.drawing.draws import DrawPlan
from tournament.drawing.swaps import Swap, swap
from tournament.entries import late_entry
from tournament.entries.late_entry import LateEntryRequest
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.models import Entry, FormerDraw

pytestmark = pytest.mark.django_db

FORMATS = [
    Format(consolation="progressive", last_chance="progressive"),
    Format(Kind.SWISS, rounds=3),
]


def seats_at(made, moment) -> list:
    """Returns the seats and their players, without the keys of rows."""
    then = draw_as_of(made, moment)
    states = then.seating.states
    return sorted(
        (
            pairing.bracket,
            pairing.round,
            pairing.line,
            str(states[pairing.key].left),
            str(states[pairing.key].right),
        )
        for pairing in then.graph
    )


@pytest.mark.parametrize("chosen", FORMATS, ids=lambda chosen: f"{chosen.kind.value} {chosen.consolation}")
def test_history_before_a_redraw_shows_the_former_draw(chosen):
    actor = stories.director()
    made = stories.drawn(actor, 7, format=chosen)
    moment = timezone.now()
    stood = seats_at(made, moment)
    assert stood
    draws.make(made.pk, DrawPlan(seed_text="another", reason="A name was missing"), actor)
    assert seats_at(made, moment) == stood
    between = timezone.now()
    redrawn = seats_at(made, between)
    draws.undo(made.pk, actor, "Not today")
    assert (seats_at(made, moment), seats_at(made, between)) == (stood, redrawn)
    assert seats_at(made, timezone.now()) == []


def test_manual_seats_before_a_redraw_are_shown_from_their_time_on():
    actor = stories.director()
    made = stories.drawn(actor, 7, format=Format(consolation="progressive"))
    stood = [(timezone.now(), seats_at(made, timezone.now()))]
    late_entry.enter(made.pk, LateEntryRequest(EntryDetails(PlayerDetails("Came late"))), actor)
    stood.append((timezone.now(), seats_at(made, timezone.now())))
    first, second = [seat for seat in entry_seats(made) if seat.entry][:3:2]
    swap(made.pk, Swap(first.feed, second.feed, (first.entry, second.entry)), actor, "They share a car")
    stood.append((timezone.now(), seats_at(made, timezone.now())))
    draws.make(made.pk, DrawPlan(reason="Once more"), actor)
    assert [seats_at(made, moment) for moment, _ in stood] == [seats for _, seats in stood]


def test_an_undone_round_is_shown_in_its_own_time():
    actor = stories.director()
    made = stories.released(actor, 6, format=Format(Kind.SWISS, rounds=4))
    for pairing in stories.playable(made):
        stories.play(pairing, actor)
    rounds.pair_next_round(made.pk, actor)
    moment = timezone.now()
    stood = seats_at(made, moment)
    assert {number for _, number, *_ in stood} == {1, 2}
    rounds.take_back_round(made.pk, "A result was wrong", actor)
    assert {number for _, number, *_ in seats_at(made, timezone.now())} == {1}
    rounds.pair_next_round(made.pk, actor)
    assert seats_at(made, moment) == stood
    assert len(seats_at(made, timezone.now())) == len(stood)


def test_the_history_page_shows_an_undone_draw(client):
    owner = stories.director()
    made = stories.drawn(owner, 3)
    draws.undo(made.pk, owner, "A name was missing")
    FormerDraw.objects.update(taken_back_at=timezone.now() + timedelta(minutes=1))
    client.force_login(owner.user)
    now = timezone.now().strftime("%Y-%m-%dT%H:%M:%S")
    page = client.get(reverse("as-at", args=[made.event.slug, made.slug]), {"at": now}).content.decode()
    assert all(entry.name in page for entry in Entry.objects.filter(tournament=made))


@pytest.mark.parametrize(("byes", "seed"), [(Byes.LOTTERY, 0), (Byes.BALANCED_LOTTERY, 1)])
def test_history_is_correct_with_drawn_byes_and_later_seats(byes, seed):
    actor = stories.director()
    made = stories.entered(actor, 6, format=Format(consolation="simple"))
    draws.make(made.pk, DrawPlan(seed_text=f"seed {seed}", rules=OrderRules(byes=byes)), actor)
    stood = []
    for number in range(2):
        stood.append((timezone.now(), seats_at(made, timezone.now())))
        late_entry.enter(
            made.pk,
            LateEntryRequest(EntryDetails(PlayerDetails(f"Late {number}")), seed_text=str(seed)),
            actor,
        )
    stood.append((timezone.now(), seats_at(made, timezone.now())))
    assert [seats_at(made, moment) for moment, _ in stood] == [seats for _, seats in stood]


def test_a_standing_draw_has_no_former_draw():
    stories.released(stories.director(), 4)
    assert not FormerDraw.objects.exists()
