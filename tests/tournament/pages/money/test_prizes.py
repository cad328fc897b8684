"""The prizes of a tournament out of its pots, through the pages alone."""

import re
from copy import deepcopy
from dataclasses import replace

import pytest

from tests.tournament import stories
from tests.tournament.money.stories import change_fees
from tests.tournament.pages.filling import as_sent
from tournament.draw.formats import Format, Kind
from tournament.fees.schedule import Fee, FeeSchedule, SidePool
from tournament.ledger.charging import schedule_of
from tournament.models import Organizer
from tournament.money import fees
from tournament.money.prize_structures import keep_template, set_structure
from tournament.pages.money.prize_forms import PrizesForm, structure_as_fields
from tournament.prizes.stored import parse_structure, structure_as_json
from tournament.prizes.structure import Feat, Part, PoolPrizes, PrizeStructure
from tournament.prizes.templates import suggested_template, templates_for
from tournament.queries.money.prizes import field_of_tournament, preview_prizes

POOL = SidePool("1", "Silver", Fee(10_00))


@pytest.fixture(scope="module")
def paid_of_module(actor_of_module):
    """A knock-out of four entries that pay 25 EUR each into the pot."""
    made = stories.entered(actor_of_module, 4)
    fees.set_schedule(made.pk, FeeSchedule("EUR", Fee(25_00), pools=(POOL,)), actor_of_module)
    return made


@pytest.fixture
def paid(db, paid_of_module):
    return deepcopy(paid_of_module)


def structure(made):
    made.refresh_from_db()
    return parse_structure(made.prize_structure)


def form_of(made, **typed):
    """The form of the suggested prizes, or of typed ones, as a browser sends it."""
    field = field_of_tournament(made, "EUR")
    parts = suggested_template(field).parts(field)
    pools = (PoolPrizes(POOL.key, (100,), (field.top,)),)
    return sent_form(made, PrizeStructure("EUR", parts, pools=pools), **typed)


def sent_form(made, start, **typed):
    field = field_of_tournament(made, "EUR")
    options = {
        "initial": structure_as_fields(start),
        "field": field,
        "schedule": schedule_of(made),
        "lines": len(start.parts) + 3,
    }
    return PrizesForm(as_sent(PrizesForm(**options), **typed), **options)


def test_a_proposal_fits_the_format_and_is_saved_with_its_amounts(browser, paid):
    page = browser.open("prizes", paid.event.slug, paid.slug)
    assert page.says("A proposal for 4 entries. It is not saved yet.")
    page = page.press("Save prizes", added="20", is_public="on")
    assert page.says("Prizes saved. The amounts follow the pot.")
    assert page.says('<td>1</td><td class="num">€60</td><td class="num">50.0</td>')
    assert page.says('<td>3–4</td><td class="num">€15</td><td class="num">12.5</td>')
    stored = structure(paid)
    assert stored.parts == (Part("main", 1, 1, 4), Part("main", 2, 2, 2), Part("main", 3, 4, 1))
    assert (stored.added, stored.is_public, stored.pools[0].shares) == (20_00, True, (100,))
    page.press("Save prizes")
    assert structure(paid) == stored
    browser.open("prizes", paid.event.slug, paid.slug).press("Pay no prizes from the pot")
    assert structure(paid) is None


def test_amounts_are_shown_before_anything_is_saved(browser, paid):
    lines = {"line_share_1": "60", "line_share_2": "40", "line_places_3": "", "line_share_3": ""}
    page = browser.open("prizes", paid.event.slug, paid.slug)
    page = page.press("Show amounts", **lines, line_places_4="3", line_amount_4="10")
    assert page.says('<td>1</td><td class="num">€54</td>')
    assert page.says('<td>3</td><td class="num">€10</td>')
    assert structure(paid) is None
    assert not page.says("The yearly pot is empty now.")
    assert page.press("Show amounts", yearly="10").says("The yearly pot is empty now.")
    page = page.press("Add lines")
    assert page.says('name="line_places_9"')


def test_every_rule_of_a_structure_is_kept(browser, paid):
    rules = {
        "guaranteed": "500",
        "series_share": "5",
        "unit": "5",
        "rest": "organizer",
        "minimum": "10",
        "ties": "half",
        "bubble": "on",
        "condition": "member",
        "pool_shares_1": "70 30",
        "pool_like_main_1": "on",
        "pool_added_extra": "30",
        "pool_condition_extra": "member",
        "line_share_1": "62.5",
        "line_share_2": "12.5",
        "line_share_3": "12.5",
        "win_amount_main": "2.50",
        "win_from_main": "2",
    }
    browser.open("prizes", paid.event.slug, paid.slug).press("Save prizes", **rules)
    stored = structure(paid)
    assert [part.share for part in stored.parts] == [62_50, 12_50, 12_50, 0]
    assert (stored.parts[3].feat, stored.parts[3].place_from, stored.parts[3].minor) == (Feat.WIN, 2, 2_50)
    assert (stored.unit, stored.pools[0].shares, stored.pools[1].added) == (5_00, (70, 30), 30_00)
    in_no_bracket = Part("consolation", 1, 1, minor=5_00, feat=Feat.WIN)
    pools = (replace(stored.pools[0], brackets=("main", "consolation", "last chance")), stored.pools[1])
    stored = replace(stored, parts=(*stored.parts, in_no_bracket), unit=5, pools=pools)
    paid.prize_structure = structure_as_json(stored)
    paid.save(update_fields=["prize_structure"])
    page = browser.open("prizes", paid.event.slug, paid.slug)
    assert page.says('value="62.5"')
    assert page.says("Each match won, from win 2 on")
    assert page.says("The amounts of places expect 1 paid win.")
    page.press("Save prizes")
    assert structure(paid) == stored


def test_a_mistake_is_named_and_nothing_is_saved(browser, paid):
    page = browser.open("prizes", paid.event.slug, paid.slug).press("Save prizes", line_places_1="first")
    assert page.says("Write a place such as 1, or places such as 3–4.")
    assert structure(paid) is None
    for field, value, sentence in (
        ("line_amount_1", "5", "A prize is either a share of the pot or a fixed amount."),
        ("line_places_2", "1", "Two shares or two amounts are for the same place. Keep one of them."),
        ("win_from_main", "0", "greater than or equal to 1"),
        ("pool_shares_1", "most", "Write whole numbers such as 70 30."),
        ("pool_shares_1", "62,5 37,5", "Write whole numbers such as 70 30."),
        ("added", "ten", "Write the amount as a number, such as 12 or 12.50."),
    ):
        assert sentence in str(form_of(paid, **{field: value}).errors)


def test_prizes_are_rounded_to_the_smallest_coin_of_a_currency(browser, paid, owner):
    change_fees(paid, FeeSchedule("CHF", Fee(25_00)), owner)
    page = browser.open("prizes", paid.event.slug, paid.slug).press("Save prizes", unit="0.05")
    assert (page.says("Prizes saved."), structure(paid).unit) == (True, 5)


def test_an_own_template_is_kept_used_and_removed(browser, paid):
    page = browser.open("prizes", paid.event.slug, paid.slug)
    page = page.press("Save template", own_name="House", line_share_1="9", added="6666")
    assert page.says('value="6666"')
    assert Organizer.objects.get().prize_templates["House"]["parts"][0]["share"] == 9
    page = browser.open("prizes", paid.event.slug, paid.slug, query="?template=own:House")
    assert page.says('value="9"')
    page.press("Remove template House")
    assert Organizer.objects.get().prize_templates == {}


def test_every_template_of_the_page_can_be_saved(browser, paid, owner):
    paid.format = Format(Kind.LIVES, lives=2).as_json()
    paid.save()
    field = field_of_tournament(paid, "EUR")
    for template in templates_for(field):
        form = sent_form(paid, PrizeStructure("EUR", template.parts(field), bubble=template.bubble))
        assert form.is_valid(), template.key
        set_structure(paid.pk, form.structure, owner)
        assert preview_prizes(paid, form.structure, schedule_of(paid)) is not None, template.key
    keep_template(paid, "Three", [Part("main", 1, 2, 1, feat=Feat.PAIR_OF_THREE)], "EUR", owner)
    page = browser.open("prizes", paid.event.slug, paid.slug, query="?template=own:Three")
    keys = re.findall(r'<option value="(\w+)"', page.text.split('id="template"')[1].split("</select>")[0])
    assert keys == [template.key for template in templates_for(field)]
    assert "series" in keys
    assert page.press("Save prizes").says("Prizes saved.")
    assert structure(paid).parts[0].feat is Feat.PAIR_OF_THREE


@pytest.mark.parametrize("is_old", [False, True], ids=["with currency", "stored without currency"])
def test_an_own_template_opens_in_the_currency_of_the_tournament(browser, paid, owner, is_old):
    page = browser.open("prizes", paid.event.slug, paid.slug)
    page.press("Save template", own_name="House", line_share_1="", line_amount_1="50")
    organizer = Organizer.objects.get()
    if is_old:
        organizer.prize_templates = {"House": organizer.prize_templates["House"]["parts"]}
        organizer.save()
    fees.set_schedule(
        paid.pk, FeeSchedule("JPY"), owner, fees.preview_schedule(paid, FeeSchedule("JPY")).digest
    )
    page = browser.open("prizes", paid.event.slug, paid.slug, query="?template=own:House")
    assert page.fields("Save prizes")["line_amount_1"] == "50"
    assert page.press("Save prizes").says("Prizes saved.")
    assert structure(paid).parts[0].minor == 50


def test_prizes_that_stayed_in_another_currency_open_with_the_same_numbers(browser, paid):
    paid.prize_structure = structure_as_json(
        PrizeStructure("JPY", (Part("main", 1, 1, 1),), added=5_000, unit=5)
    )
    paid.save(update_fields=["prize_structure"])
    fields = browser.open("prizes", paid.event.slug, paid.slug).fields("Save prizes")
    assert (fields["added"], fields["unit"]) == ("5000", "5")
