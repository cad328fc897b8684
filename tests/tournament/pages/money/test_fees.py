"""Fees of tournaments and events, prices and side pools of entries, through the pages alone."""

import re
from copy import copy, deepcopy
from datetime import date

import pytest

from rules.ruleset import PRESETS
from tests.tournament import stories
from tests.tournament.pages.browser import Browser
from tests.tournament.pages.filling import as_sent
from tournament.entries import registration
from tournament.entries.choices import set_choices
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.events import setup
from tournament.fees.schedule import Condition, FeeChoices, Reentry, Share, Target
from tournament.fees.stored import MOST_POOLS
from tournament.ledger.charging import schedule_of
from tournament.pages.money.fee_forms import FeesForm, pools_to_offer, schedule_as_fields
from tournament.queries.money.cash_desk import cash_desk_list, totals_of

SILVER = {
    "currency": "EUR",
    "entry": "50",
    "registration": "10",
    "registration_member": "0",
    "share_federation": "20 %",
    "least_federation": "10",
    "unit_federation": "5",
    "pool_name_1": "Silver",
    "pool_fee_1": "15",
    "pool_share_1": "1",
    "pool_below_1": "1600",
    "pool_kept_1": "on",
    "late_after": "2026-11-19",
    "jackpot_share": "15 %",
    "both_one_1": "title",
    "both_other_1": "early",
    "both_entry_1": "0",
    "again_2": "20",
    "again_3": "0",
}


@pytest.fixture(scope="module")
def charged_of_module(actor_of_module):
    """A tournament of three players with the fees of SILVER."""
    made = stories.entered(actor_of_module, 3)
    Browser(actor_of_module.user).open("fees", made.event.slug, made.slug).press("Save fees", **SILVER)
    made.refresh_from_db()
    return made


@pytest.fixture
def charged(db, charged_of_module):
    return deepcopy(charged_of_module)


def charges(made):
    return [totals.charged.minor for totals in totals_of(cash_desk_list(made.event))]


def sent_form(made, **typed):
    """The form of the stored fees as a browser sends it."""
    stored = schedule_of(made)
    options = {"initial": schedule_as_fields(stored), "pools": pools_to_offer(stored), "stored": stored}
    return FeesForm(as_sent(FeesForm(**options), **typed), **options)


def test_the_form_keeps_every_field_of_a_schedule(charged):
    charged.fees["pools"][0]["fee"]["prices"] = {"student": 5_00}
    charged.fees["late"] = {"prices": {"member": 3_00, "early+member+title": 1_00}}
    stored, form = schedule_of(charged), sent_form(charged)
    assert form.is_valid()
    assert form.schedule == stored
    assert stored.pool("1").ratings_below == 1600
    assert (stored.late.prices, stored.pool("1").fee.prices) == ({"member": 3_00}, {"student": 5_00})
    assert stored.entry.combined == {frozenset({Condition.EARLY, Condition.TITLE}): 0}
    assert (stored.late_after, stored.kept_pools) == (date(2026, 11, 19), {"1"})
    assert stored.jackpot_share == Share(Target.REGISTRATION, 15_00)
    assert stored.reentries == (Reentry(20_00), Reentry(0))
    assert stored.shares == (Share(Target.FEDERATION, 20_00, least=10_00, unit=5_00),)


def test_side_pools_and_the_late_fee_have_prices_by_condition(browser, charged):
    page = browser.open("fees", charged.event.slug, charged.slug)
    page.press("Show examples", pool_fee_1_member="9", late="5", late_member="0")
    assert page.says("<span>Entry and all side pools</span> <strong>€75</strong>")
    assert page.says("<span>Member, with all side pools</span> <strong>€59</strong>")
    page.press("Save fees", pool_fee_1_student="x")
    folds = re.findall(r'<details class="fold" (open)?>\s*<summary>Other fees of side pool', page.text)
    assert (page.status, folds) == (422, ["open", ""])
    page.press("Save fees", pool_fee_1_student="0").press("charge the differences")
    charged.refresh_from_db()
    schedule = schedule_of(charged)
    assert schedule.pool("1").fee.prices == {Condition.MEMBER: 9_00, Condition.STUDENT: 0}
    assert (schedule.late.price, schedule.late.prices) == (5_00, {Condition.MEMBER: 0})


def test_in_a_new_currency_prices_without_a_field_keep_their_numbers(browser, owner, charged):
    made, late = stories.tournament(owner), {"prices": {"new_member": 3_00}}
    made.fees = {**charged.fees, "late": late, "refunds": [{"until": "2026-11-20", "kept": 5_00}]}
    made.save(update_fields=["fees"])
    browser.open("fees", made.event.slug, made.slug).press("Save fees", currency="JPY")
    made.refresh_from_db()
    schedule = schedule_of(made)
    assert (schedule.entry.price, schedule.late.prices, schedule.refunds[0].kept) == (
        50,
        {"new_member": 3},
        5,
    )


def test_the_form_keeps_pairs_of_conditions_without_a_row_and_refuses_a_half_pair(charged):
    pairs = {"early+member": 40_00, "early+student": 30_00, "early+title": 20_00, "member+title": 10_00}
    pairs["member+new_member"] = 5_00
    charged.fees["entry"]["prices"] = pairs
    form = sent_form(charged)
    assert form.is_valid()
    assert form.schedule.entry == schedule_of(charged).entry
    for other in ("", "early"):
        refused = sent_form(charged, both_one_1="early", both_other_1=other)
        assert "Choose two different conditions for this price." in str(refused.errors)


def test_examples_say_what_players_pay_and_save_nothing(browser, charged):
    page = browser.open("fees", charged.event.slug, charged.slug).press("Show examples", entry="70")
    assert page.says("<span>Member</span> <strong>€70</strong>")
    assert page.says("€55 <bdi>Pot</bdi> · €15 <bdi>Federation</bdi>")
    assert page.says("<span>Entry and all side pools</span> <strong>€95</strong>")
    assert page.says("<span>Member, with all side pools</span> <strong>€85</strong>")
    charged.refresh_from_db()
    assert schedule_of(charged).entry.price == 50_00


@pytest.mark.parametrize(
    ("name", "button", "first", "second", "sentence"),
    [
        (
            "fees",
            "Save fees",
            {"jackpot_share": "20 %"},
            {"registration": "25"},
            "Somebody else changed the fees",
        ),
        (
            "event-fees",
            "Save fees",
            {"membership": "9"},
            {"registration": "25"},
            "Somebody else changed the fees",
        ),
        (
            "refund-tiers",
            "Save rules",
            {"until_1": "2026-11-21"},
            {"until_2": "2026-11-25"},
            "Somebody else changed the refund rules",
        ),
        (
            "prizes",
            "Save prizes",
            {"added": "100"},
            {"guaranteed": "500"},
            "Somebody else changed the prizes",
        ),
        (
            "organizer",
            "Save organizer",
            {"name": "Harbour Club"},
            {"account_holder": "The club"},
            "Somebody else changed the organizer",
        ),
        (
            "calcutta",
            "Save the terms",
            {"minimum": "25", "step": "5", "rake": "0"},
            {"minimum": "20", "step": "10", "rake": "5"},
            "Somebody else changed the auction",
        ),
    ],
)
def test_a_save_replaces_what_another_tab_saved_only_knowingly(  # noqa: PLR0917
    browser, charged, name, button, first, second, sentence
):
    place = (
        [charged.event.slug] if name in ("event-fees", "organizer") else [charged.event.slug, charged.slug]
    )
    other_tab = copy(browser.open(name, *place))
    browser.press(button, **first)
    refused = other_tab.press(button, **second)
    assert refused.says(sentence)
    saved = refused.press(button, **second)
    assert not saved.says(sentence)
    if saved.has_button("charge the differences"):
        saved.press("charge the differences")
    assert set(second.values()) <= set(browser.open(name, *place).fields(button).values())


def test_a_wrong_bank_account_does_not_hide_what_another_tab_saved(browser, charged):
    other_tab = copy(browser.open("organizer", charged.event.slug))
    browser.press("Save organizer", account_holder="The club")
    other_tab.press("Save organizer", iban="wrong")
    assert other_tab.says("Somebody else changed the organizer.")


def test_other_parts_of_a_charge_are_told_from_other_charges(browser, charged):
    before = charges(charged)
    page = browser.open("fees", charged.event.slug, charged.slug)
    page.press("Save fees", share_federation="1 %", least_federation="", unit_federation="")
    assert page.says("The charges of 3 entries stay.")
    assert not page.says("charge the differences")
    page.press("Save fees", share_federation="51")
    assert (page.status, page.says("The shares of the entry fee are larger than the fee.")) == (422, True)
    page.press("Save fees", share_federation="1 %").press("Save and post the changes")
    assert (page.says("Fees saved."), charges(charged)) == (True, before)
    page.open("fees", charged.event.slug, charged.slug).press("Save fees", entry="51")
    assert page.says("The new fees change the charges of 3 entries.")
    assert page.says("</bdi>: +€1")


def test_side_pools_are_added_without_saving_up_to_the_limit(browser, charged):
    browser.open("fees", charged.event.slug, charged.slug).press("Add a side pool", pool_name_2="Gold")
    charged.refresh_from_db()
    assert [pool.name for pool in schedule_of(charged).pools] == ["Silver"]
    browser.press("Add a side pool", pool_name_3="Platinum", pool_fee_3="20")
    assert "pool_name_4" in browser.fields("Save fees")
    browser.press("Save fees")
    charged.refresh_from_db()
    assert [pool.name for pool in schedule_of(charged).pools] == ["Silver", "Gold", "Platinum"]
    initial = {"currency": "EUR"}
    assert FeesForm(initial=initial, pools=MOST_POOLS - 1).next_pool == MOST_POOLS
    assert FeesForm(initial=initial, pools=MOST_POOLS).next_pool is None


def test_fees_without_an_amount_are_saved_with_a_word_about_it(browser, owner):
    made = stories.entered(owner, 2)
    browser.open("fees", made.event.slug, made.slug).press("Save fees")
    assert browser.says("Nobody pays anything: no amount is set.")
    browser.press("Save fees", entry="20").press("Save and charge the differences")
    assert browser.says("Fees saved. Each entry is charged.")


def test_one_table_says_who_is_a_member_and_who_plays_in_a_pool(browser, charged):
    first, second, _ = charged.entries.order_by("player__name")
    page = browser.open("fee-choices", charged.event.slug, charged.slug)
    everybody = [str(pk) for pk in charged.entries.values_list("pk", flat=True)]
    ticked = {f"conditions-{first.pk}": ["member"], f"pools-{second.pk}": ["1"]}
    page.press("Save and charge", entry=everybody, **ticked)
    assert page.says("2 entries changed.")
    assert page.says("<small>1 entry</small>")
    assert charges(charged) == [50_00 + 75_00 + 60_00]
    page.press("Save and charge", entry=everybody, **{f"conditions-{first.pk}": []})
    assert charges(charged) == [60_00 + 75_00 + 60_00]


def test_a_template_fills_the_form_and_the_table_says_that_a_re_entry_keeps_its_side_pool(browser, owner):
    made = stories.entered(owner, 2)
    browser.open("fees", made.event.slug, made.slug, query="?template=championship").press("Save fees")
    made.refresh_from_db()
    assert schedule_of(made).pool("1").fee.price == 200_00
    words = "A re-entry keeps the side pool of the earlier entry"
    assert not browser.open("fee-choices", made.event.slug, made.slug).says(words)
    again = copy(made.entries.first())
    again.pk, again.number = None, 2
    made.entries.bulk_create([again])
    assert browser.open("fee-choices", made.event.slug, made.slug).says(words)


def test_an_older_page_changes_only_its_own_rows(browser, charged):
    first, second, _ = charged.entries.order_by("player__name")
    page = browser.open("fee-choices", charged.event.slug, charged.slug)
    everybody = [str(entry.pk) for entry in (first, second)]
    older = page.fields("Save and charge") | {"entry": everybody, f"conditions-{second.pk}": ["member"]}
    page.press("Save and charge", entry=everybody, **{f"conditions-{first.pk}": ["member"]})
    page.client.post(page.path, older)
    assert charges(charged) == [50_00 + 50_00 + 60_00]
    answer = page.client.post(page.path, older | {f"pools-{second.pk}": ["1"]}, follow=True)
    assert "Somebody else changed the prices" in answer.content.decode()
    assert charges(charged) == [50_00 + 50_00 + 60_00]


def test_the_entries_are_listed_and_filtered_by_side_pool(browser, charged, owner):
    first, *others = charged.entries.order_by("player__name")
    set_choices(charged.pk, {first.pk: FeeChoices(frozenset(), frozenset({"1"}))}, owner)
    address = ("entries", charged.event.slug, charged.slug)
    lines = ' id="e-'
    assert browser.open(*address).text.count(lines) == 3
    line = browser.text[browser.text.index(f' id="e-{first.pk}"') :].partition("</tr>")[0]
    assert line.count("<bdi>Silver</bdi>") == 2, "once for wide screens, once for phones"
    assert browser.follow("Silver").text.count(lines) == 1
    assert browser.says(f"e-{first.pk}")
    assert browser.open(*address, query="?order=pools").text.index(f"e-{first.pk}") < min(
        browser.text.index(f"e-{entry.pk}") for entry in others
    )
    browser.open(*address, query="?show=pool-7")
    assert browser.text.count(lines) == 3


def test_a_pool_for_lower_ratings_refuses_a_high_one_and_changes_nothing(browser, charged):
    entry = charged.entries.select_related("player").first()
    entry.player.rating = 1700
    entry.player.save()
    page = browser.open("fee-choices", charged.event.slug, charged.slug)
    page.press("Save and charge", entry=[str(entry.pk)], **{f"pools-{entry.pk}": ["1"]})
    assert page.says("Silver is for ratings below 1600")
    assert charges(charged) == [180_00]


def test_a_refusal_names_all_refused_players_and_keeps_what_was_ticked(browser, charged):
    first, second, third = charged.entries.select_related("player").order_by("player__name")
    for entry in (first, second):
        entry.player.rating = 1700
        entry.player.save()
    page = browser.open("fee-choices", charged.event.slug, charged.slug)
    ticked = {f"pools-{entry.pk}": ["1"] for entry in (first, second)} | {
        f"conditions-{third.pk}": ["member"]
    }
    page.press("Save and charge", entry=[str(entry.pk) for entry in (first, second, third)], **ticked)
    for entry in (first, second):
        assert page.says(f"{entry.player.registered_name}: Silver is for ratings below 1600")
        assert page.says(f'name="pools-{entry.pk}" value="1" checked')
    assert page.says(f'name="conditions-{third.pk}" value="member" checked')
    assert charges(charged) == [180_00]
    page.press("Save and charge", **{f"pools-{entry.pk}": [] for entry in (first, second)})
    assert page.says("1 entry changed.")


def test_who_enters_with_a_pool_is_charged_for_it(browser, charged):
    browser.open("entries", charged.event.slug, charged.slug)
    browser.press("Enter", name="Late Comer", pools=["1"], conditions=["member"])
    assert charges(charged) == [180_00 + 65_00]


def test_a_player_of_two_tournaments_pays_registration_and_membership_once(browser, charged, owner):
    event, player = charged.event, charged.entries.select_related("player").first().player
    player.federation_id, player.conditions = "DK7", [Condition.NEW_MEMBER]
    player.save()
    second = setup.create_tournament(event, setup.TournamentPlan("Blitz", PRESETS["tournament"], (3,)), owner)
    details = EntryDetails(PlayerDetails(player.registered_name, federation_id="DK7"))
    registration.enter(second.pk, details, owner)
    browser.open("event-fees", event.slug)
    browser.press("Save fees", registration="5", registration_first_visit="0", membership="20")
    assert charges(charged) == [3 * (60_00 + 5_00) + 20_00 - 10_00]
    browser.open("event-fees", event.slug)
    browser.press("Save fees")
    event.refresh_from_db()
    assert event.fees["registration"] == {"price": 5_00, "prices": {"first_visit": 0}}


def test_a_pool_takes_its_choices_along_when_it_goes(browser, charged, owner):
    entry = charged.entries.first()
    set_choices(charged.pk, {entry.pk: FeeChoices(frozenset(), frozenset({"1"}))}, owner)
    page = browser.open("fees", charged.event.slug, charged.slug)
    for name in ("", "Gold"):
        page.press("Save fees", pool_name_1=name, pool_fee_1="15", pool_share_1="", pool_below_1="")
        if page.has_button("charge the differences"):
            page.press("charge the differences")
    assert charges(charged) == [3 * 60_00]
