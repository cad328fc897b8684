"""Pages of seats: swaps, late entries, re-entries, round lengths and clocks of every bracket, jackpots."""

from copy import deepcopy
from decimal import Decimal

import pytest

from tests.tournament import stories, two_brackets
from tests.tournament.pages.browser import Browser
from tests.tournament.pages.places import at
from tournament.accounts import links
from tournament.brackets.open_seats import entry_seats
from tournament.draw.formats import Format, Kind
from tournament.draw.graph import Seat
from tournament.draw.prizes import Prize, Prizes
from tournament.draw.recipes.drops import PROGRESSIVE
from tournament.drawing import draws, jackpots, rounds
from tournament.drawing.jackpots import JackpotPlan
from tournament.entries import reentry, registration
from tournament.entries.reentry import ReentryTerms
from tournament.fees.schedule import EventFees, Fee, FeeSchedule, Reentry
from tournament.models import Entry, Jackpot, Round, SeatChange, Tournament
from tournament.money import fees
from tournament.queries.events.overview import tournament_overview
from tournament.runtime.errors import Refused

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def made_of_module(actor_of_module) -> Tournament:
    return stories.released(actor_of_module, 4)


@pytest.fixture
def made(db, made_of_module) -> Tournament:
    return deepcopy(made_of_module)


def lefts(made: Tournament) -> list:
    return [seat for seat in entry_seats(made) if seat.seat is Seat.LEFT]


def name_of(entry_id) -> str:
    return Entry.objects.get(pk=entry_id).player.name


def test_two_seats_are_chosen_and_swapped_with_a_reason(browser, made):
    first, second = lefts(made)
    browser.open("seats", *at(made)).go(f"{browser.path}?seat={first.feed}")
    assert browser.says("Now choose whom to swap with.")
    assert browser.says('data-required="required">Reason')
    browser.press(name_of(second.entry))
    assert browser.status == 422
    assert browser.says("This draw is already known. Write a reason")
    browser.press(name_of(second.entry), reason="One family")
    assert [seat.entry for seat in lefts(made)] == [second.entry, first.entry]
    assert browser.says("One family")
    browser.press("Swap back")
    assert [seat.entry for seat in lefts(made)] == [first.entry, second.entry]
    assert SeatChange.objects.count() == 4


def test_two_seats_named_in_the_address_are_swapped_by_one_button_and_undone(browser, made):
    first, second = lefts(made)
    browser.open("seats", *at(made), query=f"?seat={first.feed}&other={first.feed}")
    assert browser.says("Now choose whom to swap with.")
    browser.open("seats", *at(made), query=f"?seat={first.feed}&other={second.feed}")
    assert browser.says("Check the swap, then confirm it.")
    browser.press("Swap", nth=0, reason="One family")
    assert [seat.entry for seat in lefts(made)] == [second.entry, first.entry]
    browser.press("Undo")
    assert browser.says("Swapped back.")
    assert [seat.entry for seat in lefts(made)] == [first.entry, second.entry]


def test_a_seat_of_a_played_match_is_not_offered(browser, made, owner):
    row = stories.playable(made)[0]
    stories.play(row, owner)
    browser.open("seats", *at(made))
    assert browser.text.count("?seat=") == 2
    gone = next(seat for seat in entry_seats(made) if seat.is_fixed)
    browser.go(f"{browser.path}?seat={gone.feed}")
    assert not browser.has_button("Swap with")


def test_the_desk_sees_seats_and_only_a_director_swaps_them(at_desk, hall):
    at_desk.open("seats", *at(hall.tournament))
    assert at_desk.says("A director swaps seats.")
    assert "?seat=" not in at_desk.text


def test_an_address_without_a_seat_shows_the_page(browser, made):
    for nonsense in ("x", "9" * 40):
        assert browser.open("seats", *at(made), query=f"?seat={nonsense}").status == 200


def test_a_form_without_seats_is_refused(browser, made):
    answer = browser.client.post(f"/e/{at(made)[0]}/{at(made)[1]}/seats/", {"one": "x", "other": ":"})
    assert (answer.status_code, "Nothing was saved." in answer.content.decode()) == (422, True)


def test_a_late_player_gets_the_free_seat_and_a_code_for_the_phone(browser, owner):
    made = stories.released(owner, 3)
    browser.open("entries", *at(made))
    assert browser.says("Late entry")
    browser.open("late-entry", *at(made)).press("Enter the player", name="Late Comer")
    assert browser.says("Late Comer has been entered and plays ")
    assert browser.has_button("Show a code to scan")
    assert made.entries.count() == 4
    browser.open("late-entry", *at(made))
    assert browser.says("No seat is free any more.")
    assert not browser.has_button("Enter the player")


def test_before_a_late_entry_the_page_names_the_ready_matches_that_would_wait(browser, owner):
    made = stories.drawn(owner, 5, method="seeded")
    draws.release(made.pk, owner)
    ready = [row for row in stories.playable(made) if row.round.number == 2]
    assert ready
    browser.open("late-entry", *at(made))
    assert browser.says("If the player gets the bye before")
    for row in ready:
        assert browser.says(f"{row.left.name} – {row.right.name} waits")
    full = stories.released(owner, 7)
    assert not browser.open("late-entry", *at(full)).says("If the player gets the bye before")
    assert browser.says("Main: against ")
    assert not browser.says("line 1")


def test_before_a_late_entry_the_page_says_that_the_brackets_for_losers_are_laid_out_again(browser, owner):
    made = stories.released(owner, 6, format=Format(Kind.DOUBLE))
    assert browser.open("late-entry", *at(made)).says("The brackets for losers are rebuilt")
    browser.press("Enter the player", name="Late Comer")
    browser.open("event-journal", made.event.slug)
    assert browser.says("rebuilt the brackets for losers")


def test_a_late_player_may_start_with_losses_where_there_are_lives(browser, owner):
    made = stories.released(owner, 4, format=Format(Kind.LIVES, lives=3))
    browser.open("late-entry", *at(made)).press("Enter the player", name="Late Comer", given_losses="3")
    assert browser.says("Enter 0 to 2 losses.")
    browser.press("Enter the player", name="Late Comer", given_losses="2")
    assert made.entries.get(player__name="Late Comer").starting_losses == 2
    browser.open("event-journal", made.event.slug)
    assert browser.says("let a late player start with losses")
    for row in stories.playable(made):
        stories.play(row, owner)
    rounds.pair_next_round(made.pk, owner)
    assert browser.open("standings", *at(made)).says("started with 2 losses")
    assert browser.says("still in")


def test_before_the_draw_late_players_are_entered_on_the_list(browser, owner):
    made = stories.entered(owner, 3)
    assert browser.open("late-entry", *at(made)).path.endswith("/entries/")


def test_terms_are_set_and_a_player_who_is_out_enters_again(browser, owner):
    made = stories.released(owner, 5)
    browser.open("reentry-terms", *at(made)).press("Save", allowed="on", price="25", until_round="2")
    assert reentry.terms_of(Tournament.objects.get(pk=made.pk)).until_round == 2
    assert browser.says("3 seats are free.")
    fees.set_schedule(made.pk, FeeSchedule("EUR", Fee(50_00), reentries=(Reentry(25_00),)), owner)
    fees.set_event_fees(made.event, EventFees("EUR", Fee(7_00)), owner)
    assert browser.open("late-entry", *at(made)).says("A late entry costs €50")
    assert browser.says("also pays its registration of €7.")
    assert browser.open("fees", *at(made)).says(
        "Each player also pays the registration of the event once: €7."
    )
    row = stories.playable(made)[0]
    stories.play(row, owner)
    browser.open("entry-edit", *at(made), row.left_id)
    assert browser.says("is not out: a match is still to be played.")
    form, button = browser.open("entry-edit", *at(made), row.right_id).buttons("Re-enter for €25")[0]
    browser.press("Re-enter for €25")
    assert browser.says("entry 2")
    twice = browser.client.post(button.action or form.action, form.fields, follow=True)
    assert "has already re-entered." in twice.content.decode()
    assert made.entries.count() == 6
    again = made.entries.get(number=2)
    assert browser.path.endswith(f"{again.pk}/")
    assert browser.follow("Fees and payments").says("€82")


def test_the_consolation_can_be_chosen_for_re_entry_before_the_draw(browser, owner):
    made = stories.entered(owner, 13, format=Format(consolation=PROGRESSIVE))
    browser.open("reentry-terms", *at(made)).press("Save", allowed="on", into="consolation")
    draws.make(made.pk, draws.DrawPlan(), owner)
    browser.open("reentry-terms", *at(made))
    assert browser.says("Consolation: 3 seats are free.")


def test_the_price_of_entering_again_has_the_currency_of_the_prizes(browser, owner):
    made = stories.released(owner, 3, prizes=Prizes("EUR", {"main": (Prize(1, Decimal(50)),)}))
    reentry.set_terms(made.pk, ReentryTerms(allowed=True, price=Decimal(25)), owner)
    browser.open("entry-edit", *at(made), made.entries.all()[0].pk)
    assert browser.says("€25")


def test_a_withdrawn_player_is_reinstated_instead_of_re_entered(browser, owner):
    made = stories.released(owner, 4, format=Format(Kind.SWISS, rounds=3))
    reentry.set_terms(made.pk, ReentryTerms(allowed=True), owner)
    entry = stories.playable(made)[0].left
    registration.withdraw(entry, owner)
    browser.open("entry-edit", *at(made), entry.pk)
    assert browser.says("is withdrawn, not knocked out. Undo the withdrawal instead.")
    assert browser.has_button("Bring back")


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        (Format(Kind.SWISS, rounds=3), "the matches lost so far do not knock a player out"),
        (Format(Kind.LIVES, lives=2), "a life is left"),
    ],
)
def test_re_entry_of_a_player_who_is_not_out_is_refused_with_the_reason(owner, plan, words):
    made = stories.released(owner, 4, format=plan)
    reentry.set_terms(made.pk, ReentryTerms(allowed=True), owner)
    for row in stories.playable(made):
        stories.play(row, owner, "left")
    with pytest.raises(Refused, match=f"is not out: {words}"):
        reentry.re_enter(row.right, owner)


def test_re_entry_without_a_free_consolation_seat_warns_that_one_loss_eliminates(browser, owner):
    for entries, is_the_end in ((6, True), (7, False)):
        made = stories.released(owner, entries, format=Format(Kind.DOUBLE))
        reentry.set_terms(made.pk, ReentryTerms(allowed=True), owner)
        for row in stories.playable(made):
            stories.play(row, owner)
        while not (below := [row for row in stories.playable(made) if row.round.bracket.key == "lower"]):
            stories.play(stories.playable(made)[0], owner)
        stories.play(below[0], owner, "left")
        browser.open("entry-edit", *at(made), below[0].right_id)
        assert browser.says("Re-enter")
        assert browser.says("the loser of this match is out.") == is_the_end


def test_rounds_of_every_bracket_have_their_length_and_clock(browser, owner):
    made = two_brackets.released(owner)
    lower = Round.objects.get(bracket__tournament=made, bracket__key="consolation")
    browser.open("rounds", *at(made))
    final = Round.objects.filter(bracket__tournament=made, bracket__key="main").order_by("number").last()
    browser.press(
        "Save all rounds",
        **{
            f"round-{lower.pk}-length": 1,
            f"clock-{lower.pk}-point_seconds": 60,
            f"clock-{lower.pk}-move_seconds": 8,
            f"round-{final.pk}-length": 9,
        },
    )
    assert browser.says("2 rounds changed.")
    lower.refresh_from_db()
    final.refresh_from_db()
    assert (lower.length, lower.point_seconds, lower.move_seconds, final.length) == (1, 60, 8, 9)
    browser.press("Save all rounds", **{f"clock-{lower.pk}-move_seconds": "", f"round-{final.pk}-length": 3})
    assert (browser.status, browser.says("Enter both clock times, or leave both empty.")) == (422, True)
    final.refresh_from_db()
    assert final.length == 9, "all or none"
    assert browser.fields("Save all rounds")[f"round-{final.pk}-length"] == "3"


def test_a_jackpot_is_opened_filled_and_drawn(browser, made, owner):
    matches = tournament_overview(made).progress.matches
    browser.open("jackpots", *at(made)).press("Open it", size="4", length="7", price="10")
    jackpot = Jackpot.objects.get()
    first, *others, last = made.entries.all()
    browser.press("Add player", entry=first.pk)
    assert f'<option value="{first.pk}">' not in browser.text
    assert f'<option value="{last.pk}">' in browser.text
    for entry in others:
        jackpots.join(jackpot.pk, entry, owner)
    browser.press("Add player", entry=last.pk)
    assert tournament_overview(made).progress.matches == matches, "a jackpot is no part of the tournament"
    jackpot.refresh_from_db()
    assert (jackpot.length, str(jackpot.price), jackpot.bracket.key) == (7, "10.00", "jackpot 1")
    assert browser.says("4/4")
    first = jackpot.bracket.rounds.get(number=1).pairings.first()
    assert browser.says("It is full and drawn: ")
    assert browser.says(f"{first.left.name} – {first.right.name}")


def test_a_player_leaves_and_a_jackpot_that_does_not_fill_is_closed(browser, made, owner):
    jackpot = jackpots.open_jackpot(made.pk, JackpotPlan(4, 5), owner)
    jackpots.join(jackpot.pk, made.entries.first(), owner)
    browser.open("jackpots", *at(made)).press("Remove")
    assert browser.says("0/4")
    browser.press("Add player")
    assert browser.says("Choose a player.")
    browser.press("Close this jackpot")
    assert browser.says("closed")
    assert not browser.has_button("Add player")


def test_a_form_of_a_jackpot_sent_twice_opens_one(browser, made):
    browser.open("jackpots", *at(made))
    form, _button = browser.buttons("Open it")[0]
    for _ in (1, 2):
        browser.client.post(browser.path, form.fields)
    assert Jackpot.objects.count() == 1


def test_a_phone_joins_a_jackpot_and_finds_its_match(made, owner):
    jackpot = jackpots.open_jackpot(made.pk, JackpotPlan(4, 5), owner)
    first, *others = made.entries.all()
    for entry in others:
        jackpots.join(jackpot.pk, entry, owner)
    phone = Browser()
    phone.client.cookies["link"] = links.make_link(first, owner)
    phone.open("my-matches")
    assert phone.says("Jackpots")
    phone.open("my-jackpots").press("Join")
    assert phone.says("It is full and drawn: ")
    assert phone.says("Drawn. Your match is under “My matches”.")
