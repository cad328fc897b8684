"""What entries that withdraw get back, by dated tiers."""

from datetime import date, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from tests.tournament import stories
from tests.tournament.refusals import refusal
from tournament.drawing import draws
from tournament.entries import reentry, registration
from tournament.entries.choices import set_choices
from tournament.entries.reentry import ReentryTerms
from tournament.events import recycle_bin
from tournament.fees.refunds import Charged, RefundTier, refund_amounts, tier_on
from tournament.fees.schedule import EventFees, Fee, FeeChoices, FeeSchedule, SidePool
from tournament.fees.stored import ScheduleError, parse_schedule
from tournament.ledger.balances import open_amounts
from tournament.ledger.charging import schedule_of
from tournament.money import fees
from tournament.money.withdrawals import pending_withdrawals, refund_withdrawal
from tournament.queries.money.book_check import differences_in_books

TAKE_BACK = ("withdrawals", "waive-charges")
DAY = date(2026, 11, 20)
TIERS = (RefundTier(DAY, 5000, kept=3_00), RefundTier(DAY - timedelta(7), keeps_registration=True))


def test_the_first_tier_that_has_not_ended_applies():
    assert tier_on(TIERS, DAY - timedelta(8)) == TIERS[1]
    assert tier_on(TIERS, DAY - timedelta(7)) == TIERS[1]
    assert tier_on(TIERS, DAY) == TIERS[0]
    assert tier_on(TIERS, DAY + timedelta(1)) is None


charges = st.lists(st.builds(Charged, st.integers(0, 10**9), st.booleans()), max_size=6)


@given(charges, st.integers(0, 10_000), st.integers(0, 10**9), st.booleans())
def test_no_line_gives_back_more_than_it_charged_and_kept_fees_stay(charged, percent, kept, keeps):
    parts = refund_amounts(RefundTier(DAY, percent, kept, keeps), charged)
    assert all(0 <= part <= charge.minor for part, charge in zip(parts, charged, strict=True))
    refundable = sum(charge.minor for charge in charged if not (keeps and charge.is_registration))
    assert sum(parts) == max((2 * refundable * percent + 10_000) // 20_000 - kept, 0)
    assert not (keeps and any(part for part, row in zip(parts, charged, strict=True) if row.is_registration))


@pytest.fixture
def club_night(actor):
    """Two entries at 20 + 5 EUR and 7 EUR for the event; who withdraws until tomorrow gets half back less 3 EUR."""
    made = stories.entered(actor, 2)
    tomorrow = timezone.localdate() + timedelta(2)
    tiers = (RefundTier(tomorrow, 5000, kept=3_00, keeps_registration=True),)
    fees.set_event_fees(made.event, EventFees("EUR", Fee(7_00)), actor)
    fees.set_schedule(made.pk, FeeSchedule("EUR", Fee(20_00), Fee(5_00), refunds=tiers), actor)
    made.refresh_from_db()
    assert schedule_of(made).refunds == tiers
    return made


@pytest.mark.django_db
def test_a_withdrawal_gives_back_once_what_the_desk_confirms_and_its_undo_charges_again(club_night, actor):
    entry = club_night.entries.select_related("player").first()
    event = club_night.event
    assert pending_withdrawals(event) == []
    registration.withdraw(entry, actor)
    assert open_amounts(event.pk, [entry.player_id]) == {entry.player_id: {"EUR": 32_00}}
    (withdrawal,) = pending_withdrawals(event)
    assert (withdrawal.charged.minor, withdrawal.refund.minor) == (25_00, 7_00)
    assert refusal(refund_withdrawal, event, entry.pk, 8_00, actor) == "given-back-changed"
    refund_withdrawal(event, entry.pk, 7_00, actor)
    assert open_amounts(event.pk, [entry.player_id]) == {entry.player_id: {"EUR": 25_00}}
    assert pending_withdrawals(event) == []
    assert refusal(refund_withdrawal, event, entry.pk, 7_00, actor) == "charge-has-changed"
    registration.unwithdraw(entry, actor)
    assert open_amounts(event.pk, [entry.player_id]) == {entry.player_id: {"EUR": 32_00}}
    registration.withdraw(entry, actor)
    assert [row.refund.minor for row in pending_withdrawals(event)] == [7_00]
    assert differences_in_books(event) == []


@pytest.mark.django_db
def test_the_page_of_fees_keeps_the_refunds_and_the_desk_gives_back(club_night, actor, client):
    client.force_login(actor.user)
    slugs = [club_night.event.slug, club_night.slug]
    for wrong in ({"kept_1": "-1"}, {"percent_1": "101"}, {"percent_2": "50"}, {"until_2": "2030-01-01"}):
        body = {"until_1": "2030-01-01", "percent_1": "100", **wrong}
        assert client.post(reverse("refund-tiers", args=slugs), body).status_code == 422
    client.post(reverse("refund-tiers", args=slugs), {"until_1": "2099-01-01", "percent_1": "80"})
    client.post(reverse("fees", args=slugs), {"currency": "EUR", "entry": "20", "registration": "5"})
    club_night.refresh_from_db()
    assert schedule_of(club_night).refunds == (RefundTier(date(2099, 1, 1), 8000),)
    entry = club_night.entries.first()
    page = client.get(reverse("entry-edit", args=[*slugs, entry.pk])).content.decode()
    assert "€20 of the fees of €25 is given back" in page
    registration.withdraw(entry, actor)
    desk = client.get(reverse("cash-desk", args=slugs[:1])).content.decode()
    assert "1 player withdrew and gets fees back" in desk
    listed = client.get(reverse("withdrawals", args=slugs[:1])).content.decode()
    assert "was charged €25, €5 is not given back" in listed
    assert "The registration of the event (€7) is not part of this refund." in listed
    fees.set_refunds(club_night.pk, [RefundTier(date(2099, 1, 1))], actor)
    listed = client.get(reverse("withdrawals", args=slugs[:1])).content.decode()
    assert "was charged €25</p>" in listed
    fees.set_refunds(club_night.pk, [RefundTier(date(2099, 1, 1), 8000)], actor)
    client.post(
        reverse("refund-withdrawal", args=slugs[:1]),
        {"entry": entry.pk, "player": entry.player_id, "minor": "2000"},
    )
    assert open_amounts(club_night.event_id, [entry.player_id]) == {entry.player_id: {"EUR": 12_00}}


@pytest.mark.django_db
def test_the_desk_waives_what_a_withdrawn_player_owes_and_then_the_tournament_can_go(
    club_night, actor, client
):
    client.force_login(actor.user)
    event, addresses = club_night.event, [reverse(name, args=[club_night.event.slug]) for name in TAKE_BACK]
    entry, other = club_night.entries.all()
    registration.withdraw(entry, actor)
    refund_withdrawal(event, entry.pk, 7_00, actor)
    assert "€25" in client.get(addresses[0]).content.decode()
    body = {"entry": entry.pk, "revision": "25.00 EUR"}
    client.post(addresses[1], body)
    assert open_amounts(event.pk, [entry.player_id]) == {entry.player_id: {"EUR": 25_00}}
    for _again in range(2):
        client.post(addresses[1], body | {"reason": "Did not come"})
    assert open_amounts(event.pk, [entry.player_id]) == {}
    assert event.journal.get(reason="Did not come").after == {"amount": "-25.00 EUR"}
    assert refusal(recycle_bin.delete_tournament, club_night, actor) == "players-are-charged"
    registration.remove(other, actor)
    recycle_bin.delete_tournament(club_night, actor)
    assert differences_in_books(event) == []


@pytest.mark.django_db
def test_a_side_pool_in_which_a_player_stays_with_a_re_entry_is_not_given_back(actor):
    made = stories.drawn(actor, 3, method="seeded")
    draws.release(made.pk, actor)
    pool = SidePool("1", "Juniors", Fee(10_00), kept=True)
    tiers = (RefundTier(timezone.localdate() + timedelta(2)),)
    fees.set_schedule(made.pk, FeeSchedule("EUR", Fee(20_00), pools=(pool,), refunds=tiers), actor)
    reentry.set_terms(made.pk, ReentryTerms(allowed=True), actor)
    lost = stories.playable(made)[0].left
    set_choices(made.pk, {lost.pk: FeeChoices(pools=frozenset({"1"}))}, actor)
    stories.play(stories.playable(made)[0], actor, "right")
    again = reentry.re_enter(lost, actor)
    registration.withdraw(lost, actor)
    (withdrawal,) = pending_withdrawals(made.event)
    assert (withdrawal.charged.minor, withdrawal.refund.minor) == (20_00, 20_00)
    registration.withdraw(again, actor)
    assert sum(row.refund.minor for row in pending_withdrawals(made.event)) == 20_00 + 10_00 + 20_00


SHARE = {"target": "registration", "percent": 500}
POOL = {"key": "1", "name": "Juniors"}


@pytest.mark.parametrize(
    "wrong",
    [
        {"pools": [{**POOL, "ratings_below": "NaN"}]},
        {"pools": [{**POOL, "key": "gold"}]},
        {"pools": [{**POOL, "key": "9"}]},
        {"pools": [{**POOL, "shares": [SHARE, {**SHARE, "target": "federation"}]}]},
        {"pools": [{**POOL, "shares": [{**SHARE, "least": 100}]}]},
        {"shares": [SHARE, SHARE]},
        {"reentries": [[1, 0], [2, 0], [3, 0], [4, 0]]},
    ],
)
def test_fees_that_the_page_cannot_show_are_refused(wrong):
    with pytest.raises(ScheduleError):
        parse_schedule({"currency": "EUR", **wrong})
