"""A draw by secret and dice and the public page that verifies it."""

import json
import subprocess
import sys
from copy import deepcopy

import pytest

from tests.tournament import stories
from tests.tournament.pages.browser import Browser
from tests.tournament.pages.places import at
from tournament.drawing import swaps
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


def drawn_in_public(browser: Browser, made: Tournament) -> Draw:
    page(browser, made).press("Make the secret").press("Close entries", byes="balanced_lottery")
    browser.press("Draw with these dice", public="31 52 66").press("Release the draw")
    return Draw.objects.get(replaced_at=None)


def test_hashes_are_public_at_once_and_the_secret_only_with_the_released_draw(browser, made, stranger):
    page(browser, made)
    assert not browser.has_button("Draw with these dice")
    browser.press("Make the secret")
    assert not browser.has_button("Draw with these dice")
    assert not browser.has_button("Draw")
    secret = Commitment.objects.get()
    assert proof(stranger, made).says(secret.secret_hash)
    assert stranger.says(HOW_TO)
    page(browser, made).press("Close entries")
    secret.refresh_from_db()
    assert proof(stranger, made).says(secret.entries_hash)
    browser.press("Draw with these dice", public=" 31  52 66 ")
    assert browser.says("Drawn from secret, entries and dice.")
    assert Draw.objects.get().public_dice == "31 52 66"
    assert not proof(stranger, made).says(secret.secret)
    assert not stranger.says(Draw.objects.get().seed_text)
    browser.press("Release the draw")
    assert proof(stranger, made).says(secret.secret)
    assert stranger.says(VERIFIED)


def test_a_draw_that_was_tampered_with_is_not_verified(browser, made, stranger):
    draw = drawn_in_public(browser, made)
    draw.order = [draw.order[1], draw.order[0], *draw.order[2:]]
    draw.save()
    assert not proof(stranger, made).says(VERIFIED)
    assert stranger.says("The draw does not follow from what is published:")
    assert stranger.says("Position 1: drawn")


def test_the_offered_file_and_script_verify_the_draw(browser, made, stranger, tmp_path):
    drawn_in_public(browser, made)
    document = stranger.open("draw-document", *at(made), 1).text
    assert json.loads(document)["public"] == "31 52 66"
    script = b"".join(stranger.client.get("/verify-draw/").streaming_content)
    (tmp_path / "draw.json").write_text(document)
    (tmp_path / "verify_draw.py").write_bytes(script)
    command = [sys.executable, tmp_path / "verify_draw.py", tmp_path / "draw.json"]
    run = subprocess.run(command, check=False, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def test_a_hidden_draw_has_no_file(browser, made, stranger):
    page(browser, made).press("Make the secret").press("Close entries")
    browser.press("Draw with these dice", public="31 52 66")
    assert stranger.open("draw-document", *at(made), 1).status == 404
    assert stranger.open("draw-document", *at(made), 2).status == 404


def test_missing_dice_are_requested(browser, made):
    page(browser, made).press("Make the secret").press("Close entries")
    assert browser.says("Entries are closed. Throw the dice in the hall, then enter them.")
    browser.press("Draw with these dice")
    assert browser.status == 422
    assert browser.says("Throw dice in the hall and type them in first.")
    assert not Draw.objects.exists()


def test_a_secret_is_discarded_with_a_public_reason(browser, made, stranger):
    page(browser, made).press("Make the secret").press("Discard")
    assert browser.says("Discarding the secret needs a reason")
    browser.press("Discard", **{"give-up-reason": "No dice at hand"})
    assert browser.has_button("Make the secret")
    assert proof(stranger, made).says("No dice at hand")


def test_a_second_draw_by_secret_needs_a_reason_and_both_are_shown(browser, made, stranger):
    drawn_in_public(browser, made)
    page(browser, made).press("Take it back", **{"undo-reason": "The hall was dark"})
    browser.press("Make the secret").press("Close entries")
    browser.press("Draw with these dice", public="11 22 33")
    assert browser.status == 422
    browser.press("Draw with these dice", public="11 22 33", reason="A player was missing")
    browser.press("Release the draw")
    assert proof(stranger, made).text.count(VERIFIED) == 2
    assert stranger.says("A player was missing")
    assert stranger.says("The hall was dark")


def test_a_draw_from_a_seed_text_says_that_it_has_no_secret(browser, made, stranger):
    page(browser, made).press("Draw", seed_text="dice of Friday")
    assert not proof(stranger, made).says("dice of Friday")
    browser.press("Release the draw")
    assert proof(stranger, made).says("dice of Friday")
    assert stranger.says("It was made without a secret")
    assert not stranger.says(HOW_TO)


def test_swapped_seats_are_listed_with_their_reason_and_the_bracket_says_so(browser, made, stranger):
    drawn_in_public(browser, made)
    bracket = stranger.open("bracket", *at(made))
    assert not bracket.says("Seats were swapped by hand after the draw:")
    first, second = swapped_by_hand(made)
    assert stranger.open("bracket", *at(made)).says("Seats were swapped by hand after the draw:")
    page_of_draw = proof(stranger, made)
    assert page_of_draw.says("Seats changed by hand since the draw")
    assert page_of_draw.says("They came in one car")
    assert page_of_draw.says(first)
    assert page_of_draw.says(second)


def test_a_swap_before_the_release_is_listed_after_it(browser, made, stranger):
    page(browser, made).press("Draw", seed_text="a")
    swapped_by_hand(made)
    assert not proof(stranger, made).says("They came in one car")
    page(browser, made).press("Release the draw")
    assert proof(stranger, made).says("They came in one car")


def test_entries_are_reopened_with_a_public_reason(browser, made, stranger):
    page(browser, made).press("Make the secret").press("Close entries")
    closed = Commitment.objects.get().entries_hash
    browser.press("Reopen entries")
    assert browser.status == 422
    browser.press("Reopen entries", **{"reopen-reason": "A player was missing"})
    assert browser.has_button("Close entries")
    assert not browser.has_button("Draw with these dice")
    browser.press("Close entries", throws="2")
    for sentence in (closed, "A player was missing", "2 throws of two dice count."):
        assert proof(stranger, made).says(sentence)


def test_a_name_changed_after_the_draw_is_listed(browser, made, stranger):
    drawn_in_public(browser, made)
    Player.objects.filter(name="Βασίλης 1").update(name="Somebody else")
    assert proof(stranger, made).says("Names changed since entries were closed")
    assert stranger.says("Somebody else")
    assert stranger.says(VERIFIED)


def test_both_hashes_are_a_qr_code_for_the_hall_and_on_paper(browser, made, stranger):
    page(browser, made).press("Make the secret").press("Close entries")
    _, token = display_links.create_display(made.event, "Hall", Plan(), stories.director("screens"))
    waiting = Commitment.objects.get()
    screen = stranger.client.get(f"/d/{token}/").text
    for sentence in ("QR code of both hashes", waiting.secret_hash, waiting.entries_hash):
        assert proof(stranger, made).text.count(sentence) == 1
        assert sentence in screen
    page(browser, made).press("Draw with these dice", public="31 52 66")
    assert waiting.entries_hash in stranger.client.get(f"/d/{token}/").text
    browser.press("Release the draw")
    assert "QR code of both hashes" not in stranger.client.get(f"/d/{token}/").text
    assert stranger.open("bracket-print", *at(made)).says(waiting.entries_hash)
    assert "QR code of both hashes" in stranger.text


def test_the_public_page_says_that_there_is_no_draw(made, stranger):
    assert proof(stranger, made).says("No draw yet")
