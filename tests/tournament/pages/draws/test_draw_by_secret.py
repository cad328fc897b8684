"""A draw by secret and dice and the public page that verifies it."""

import json
import subprocess
import sys
from copy import deepcopy

import pytest

from tests.tournament import stories
from tests.tournament.pages.browser import Browser
from tests.tournament.pages.places import at
from tournament.access.actors import Actor
from tournament.draw.recipes.order_rules import Byes, OrderRules
from tournament.drawing import draw_secret, draws, swaps
from tournament.drawing.order import DrawRules
from tournament.drawing.swaps import Swap
from tournament.models import Commitment, Draw, Feed, Player, Tournament
from tournament.screens import display_links
from tournament.screens.plan import Plan

pytestmark = pytest.mark.django_db
VERIFIED = "Verified: the draw follows from what is published."
HOW_TO = "Check it yourself"


@pytest.fixture(scope="module")
def made_of_module(actor_of_module) -> Tournament:
    return stories.entered(actor_of_module, 6)


@pytest.fixture
def made(db, made_of_module) -> Tournament:
    return deepcopy(made_of_module)


def page(browser: Browser, made: Tournament) -> Browser:
    return browser.open("draw", *at(made))


def proof(reader: Browser, made: Tournament) -> Browser:
    return reader.open("draw-proof", *at(made))


def swapped_by_hand(made: Tournament) -> tuple[str, str]:
    """Swaps one seat of each of the first two matches of two; returns the names."""
    seats = Feed.objects.filter(target__round__bracket__tournament=made, entry__isnull=False, seat="left")
    first, second = seats.select_related("entry__player").order_by("target__line")[:2]
    swap = Swap(first.pk, second.pk, (first.entry_id, second.entry_id))
    swaps.swap(made.pk, swap, stories.director(), "They came in one car")
    return first.entry.name, second.entry.name


def drawn_in_public(made: Tournament, owner: Actor, dice: str = "31 52 66", reason: str = "") -> Draw:
    draw_secret.commit_to_secret(made.pk, owner)
    draw_secret.close_entries(made.pk, DrawRules(rules=OrderRules(byes=Byes.BALANCED_LOTTERY)), owner)
    draws.make(made.pk, draws.DrawPlan(public=dice, reason=reason), owner)
    draws.release(made.pk, owner)
    return Draw.objects.get(replaced_at=None)


def test_hashes_are_public_at_once_and_the_secret_only_with_the_released_draw(browser, made, stranger):
    assert proof(stranger, made).says("No draw yet")
    page(browser, made)
    assert not browser.has_button("Draw with these dice")
    browser.press("Make the secret")
    assert not browser.has_button("Draw with these dice")
    assert not browser.has_button("Draw")
    secret = Commitment.objects.get()
    assert proof(stranger, made).says(secret.secret_hash)
    assert stranger.says(HOW_TO)
    browser.press("Close entries", byes="balanced_lottery")
    assert browser.says("Entries are closed. Throw the dice in the hall, then enter them.")
    secret.refresh_from_db()
    assert proof(stranger, made).says(secret.entries_hash)
    browser.press("Draw with these dice")
    assert browser.status == 422
    assert browser.says("Throw dice in the hall and type them in first.")
    assert not Draw.objects.exists()
    browser.press("Draw with these dice", public=" 31  52 66 ")
    assert browser.says("Drawn from secret, entries and dice.")
    assert Draw.objects.get().public_dice == "31 52 66"
    assert Draw.objects.get().rules["byes"] == "balanced_lottery"
    assert not proof(stranger, made).says(secret.secret)
    assert not stranger.says(Draw.objects.get().seed_text)
    for number in (1, 2):
        assert stranger.open("draw-document", *at(made), number).status == 404
    browser.press("Release the draw")
    assert proof(stranger, made).says(secret.secret)
    assert stranger.says(VERIFIED)


def test_a_draw_that_was_tampered_with_is_not_verified(made, owner, stranger):
    draw = drawn_in_public(made, owner)
    draw.order = [draw.order[1], draw.order[0], *draw.order[2:]]
    draw.save()
    assert not proof(stranger, made).says(VERIFIED)
    assert stranger.says("The draw does not follow from what is published:")
    assert stranger.says("Position 1: drawn")


def test_the_offered_file_and_script_verify_the_draw(made, owner, stranger, tmp_path):
    drawn_in_public(made, owner)
    document = stranger.open("draw-document", *at(made), 1).text
    assert json.loads(document)["public"] == "31 52 66"
    script = b"".join(stranger.client.get("/verify-draw/").streaming_content)
    (tmp_path / "draw.json").write_text(document)
    (tmp_path / "verify_draw.py").write_bytes(script)
    command = [sys.executable, tmp_path / "verify_draw.py", tmp_path / "draw.json"]
    run = subprocess.run(command, check=False, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def test_a_second_draw_by_secret_needs_a_reason_and_both_are_shown(browser, made, owner, stranger):
    drawn_in_public(made, owner)
    draws.undo(made.pk, owner, "The hall was dark")
    draw_secret.commit_to_secret(made.pk, owner)
    draw_secret.close_entries(made.pk, DrawRules(), owner)
    page(browser, made).press("Draw with these dice", public="11 22 33")
    assert browser.status == 422
    browser.press("Draw with these dice", public="11 22 33", reason="A player was missing")
    draws.release(made.pk, owner)
    assert proof(stranger, made).text.count(VERIFIED) == 2
    assert stranger.says("A player was missing")
    assert stranger.says("The hall was dark")


def test_a_draw_from_a_seed_text_says_that_it_has_no_secret_and_lists_earlier_swaps(made, owner, stranger):
    draws.make(made.pk, draws.DrawPlan(seed_text="dice of Friday"), owner)
    swapped_by_hand(made)
    assert not proof(stranger, made).says("dice of Friday")
    assert not stranger.says("They came in one car")
    draws.release(made.pk, owner)
    assert proof(stranger, made).says("dice of Friday")
    assert stranger.says("It was made without a secret")
    assert not stranger.says(HOW_TO)
    assert stranger.says("They came in one car")


def test_swapped_seats_and_changed_names_are_listed_and_the_bracket_says_so(made, owner, stranger):
    drawn_in_public(made, owner)
    bracket = stranger.open("bracket", *at(made))
    assert not bracket.says("Seats were swapped by hand after the draw:")
    first, second = swapped_by_hand(made)
    assert stranger.open("bracket", *at(made)).says("Seats were swapped by hand after the draw:")
    Player.objects.filter(name="Βασίλης 1").update(name="Somebody else")
    page_of_draw = proof(stranger, made)
    assert page_of_draw.says("Seats changed by hand since the draw")
    assert page_of_draw.says("They came in one car")
    assert page_of_draw.says(first)
    assert page_of_draw.says(second)
    assert page_of_draw.says("Names changed since entries were closed")
    assert page_of_draw.says("Somebody else")
    assert page_of_draw.says(VERIFIED)


def test_entries_are_reopened_and_a_secret_is_discarded_with_a_public_reason(browser, made, stranger):
    page(browser, made).press("Make the secret").press("Close entries")
    closed = Commitment.objects.get().entries_hash
    browser.press("Reopen entries")
    assert browser.status == 422
    browser.press("Reopen entries", **{"reopen-reason": "A player was missing"})
    assert browser.has_button("Close entries")
    assert not browser.has_button("Draw with these dice")
    browser.press("Close entries", throws="2")
    proof(stranger, made)
    for sentence in (closed, "A player was missing", "2 throws of two dice count."):
        assert stranger.says(sentence)
    browser.press("Discard")
    assert browser.says("Discarding the secret needs a reason")
    browser.press("Discard", **{"give-up-reason": "No dice at hand"})
    assert browser.has_button("Make the secret")
    assert proof(stranger, made).says("No dice at hand")


def test_both_hashes_are_a_qr_code_for_the_hall_and_on_paper(made, owner, stranger):
    draw_secret.commit_to_secret(made.pk, owner)
    waiting = draw_secret.close_entries(made.pk, DrawRules(), owner)
    _, token = display_links.create_display(made.event, "Hall", Plan(), stories.director("screens"))
    screen = stranger.client.get(f"/d/{token}/").text
    proof(stranger, made)
    for sentence in ("QR code of both hashes", waiting.secret_hash, waiting.entries_hash):
        assert stranger.text.count(sentence) == 1
        assert sentence in screen
    draws.make(made.pk, draws.DrawPlan(public="31 52 66"), owner)
    assert waiting.entries_hash in stranger.client.get(f"/d/{token}/").text
    draws.release(made.pk, owner)
    assert "QR code of both hashes" not in stranger.client.get(f"/d/{token}/").text
    assert stranger.open("bracket-print", *at(made)).says(waiting.entries_hash)
    assert "QR code of both hashes" in stranger.text
