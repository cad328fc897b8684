"""Names that would be code if a page took them at their word: everywhere they are shown as what was typed."""

import io
import re
import uuid
import xml.etree.ElementTree as ET
from copy import deepcopy

import openpyxl
import pytest
from django.test import Client
from django.urls import reverse

from matches.keepers import Keeper
from matches.rows import FinalScore, NewRow
from tests.tournament import stories
from tests.tournament.access.screens import TOKEN
from tests.tournament.images import image_file
from tournament.access.permissions import digest
from tournament.accounts import links
from tournament.entries import kiosk, registration
from tournament.entries.registration import EntryDetails, PlayerDetails
from tournament.events import setup
from tournament.models import DisplayLink, KioskLink
from tournament.records import checking
from tournament.results import desk, disputes
from tournament.room import calls, tables
from tournament.screens.display_links import create_display
from tournament.screens.plan import Plan
from tournament.screens.slides import add_slide

pytestmark = pytest.mark.django_db
CODE = "<script>alert(1)</script>"
NAMES = (f"=A{CODE}", "\"onload='alert(1)'", "</title><img src=x>", "{{7*7}}{% now %}")
RAW = re.compile(r"<script>alert|<img src=x|\sonload='alert|>49<|javascript:alert")


@pytest.fixture(scope="module")
def made_of_module(rows_of_module):
    """An event and four players with hostile names in every text field."""
    owner = stories.director("owner")
    made = stories.tournament(owner, confirm_after=10)
    setup.change_event(made.event, setup.EventPlan(f"Open {CODE}", made.event.starts_on, CODE), owner)
    for name in NAMES:
        registration.enter(made.pk, EntryDetails(PlayerDetails(name, club=CODE, team=CODE)), owner)
    stories.draw_and_release(made, owner, 0)
    made.event.refresh_from_db()
    played, disputed = stories.playable(made)
    stories.play(played, owner)
    table, *_ = tables.add(made.event_id, "Bar<b>", owner)
    tables.pin(table, disputed, CODE, owner)
    calls.call(disputed.pk, table.pk, owner)
    desk.enter(disputed, Keeper.RIGHT, NewRow(uuid.uuid4(), disputed.match_id, FinalScore(1, 3)), owner)
    disputes.open_dispute(disputed, Keeper.LEFT, CODE, owner)
    checking.upload(disputed, Keeper.LEFT, CODE.encode(), f"{CODE}.mat", owner)
    add_slide(made.event, CODE, image_file("PNG"), owner)
    create_display(made.event, CODE, Plan(), owner)
    DisplayLink.objects.update(digest=digest(TOKEN))
    kiosk.turn_on(made.event, owner)
    KioskLink.objects.update(digest=digest(TOKEN))
    return owner, made, disputed


@pytest.fixture
def made(db, made_of_module):
    return deepcopy(made_of_module)


def pages_of(made, pairing) -> list[str]:
    event, here = [made.event.slug], [made.event.slug, made.slug]
    names = {
        "event find-player poster event-overview event-edit event-people event-journal forecast screens tables "
        "room poster-print tournament-new kiosk-setup": event,
        "bracket bracket-fragment bracket-print standings entry-list rules-page tournament-edit entries draw "
        "seats rounds desk jackpots score-cards as-at": here,
        "desk-match desk-correct": [*here, pairing.pk],
        "match-page overlay": [*here, pairing.match_id],
        "player-page entry-edit": [*here, pairing.left_id],
        "my-match": [pairing.match_id],
        "home my-matches api-tokens": [],
        "screen screen-deck kiosk": [TOKEN],
        "kiosk-entry": [TOKEN, pairing.left_id],
    }  # fmt: skip
    return [reverse(name, args=args) for some, args in names.items() for name in some.split()]


def test_every_page_escapes_names(made):
    owner, tournament, disputed = made
    client = Client()
    client.force_login(owner.user, backend="django.contrib.auth.backends.ModelBackend")
    client.cookies["link"] = links.make_link(disputed.left, owner)
    escaped = 0
    for address in pages_of(tournament, disputed):
        answer = client.get(address, {"find": CODE, "next": "//evil.example"})
        assert answer.status_code in (200, 409), (address, answer.status_code)
        text = answer.content.decode()
        assert RAW.findall(text) == [], address
        escaped += "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert escaped > 25


def test_a_bracket_picture_has_names_as_text_and_no_scripts(made):
    _, tournament, _ = made
    answer = Client().get(reverse("bracket-svg", args=[tournament.event.slug, tournament.slug]))
    drawn = ET.fromstring(answer.content)
    kinds = {element.tag.rpartition("}")[2] for element in drawn.iter()}
    assert kinds.isdisjoint({"script", "foreignObject", "image", "use", "a"})
    assert not [name for element in drawn.iter() for name in element.attrib if name.startswith("on")]
    assert NAMES[0] in "".join(drawn.itertext())


def test_exported_cells_contain_no_formulas(made):
    _, tournament, _ = made
    here = [tournament.event.slug, tournament.slug]
    for what in ("standings-export", "results-export"):
        text = Client().get(reverse(what, args=[*here, "csv"])).content.decode("utf-8-sig")
        cells = re.split(r"[\r\n,;\t]+", text)
        assert [cell for cell in cells if re.match(r'"?[=+@]', cell)] == []
        assert CODE in text or what == "results-export"  # which has those who have played
        book = openpyxl.load_workbook(io.BytesIO(Client().get(reverse(what, args=[*here, "xlsx"])).content))
        assert "f" not in {cell.data_type for sheet in book for row in sheet for cell in row}


def test_sign_in_does_not_redirect_to_another_site():
    owner = stories.director("somebody")
    owner.user.set_password("five-point-prime-77")
    owner.user.save()
    for place in ("//evil.example", "https://evil.example/", "/\\evil.example", "javascript:alert(1)"):
        form = {"username": "somebody", "password": "five-point-prime-77", "next": place}
        answer = Client().post("/sign-in/", form)
        assert (answer.status_code, answer["Location"]) == (302, "/"), place
