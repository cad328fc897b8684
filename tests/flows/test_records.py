"""A record's whole way: from a phone over HTTP through a real worker to the verdict on the page that is open."""

import json
import re
import urllib.request
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from playwright.sync_api import Page, expect

from matches.game_records import MOST_WAITING
from matches.models import GameRecord
from tests.flows.hall import Hall, OpenMatch, open_hall
from tests.flows.page_checks import PHONE, fits, nothing_grave
from tests.flows.waiting import LONGEST_WAIT, until
from tests.matches import files
from tests.tournament import stories
from tournament.models import Pairing, Question


def bring(hall: Hall, table: OpenMatch, data: bytes, name: str = "final.mat") -> dict[str, Any]:
    """The left player's phone sends the file as a form."""
    edge = uuid4().hex
    head = f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
    body = (
        f"{head}Content-Type: application/octet-stream\r\n\r\n".encode()
        + data
        + f"\r\n--{edge}--\r\n".encode()
    )
    return json.loads(ask(hall, table, f"/api/v1/matches/{table.match}/records/", body, edge))


def ask(hall: Hall, table: OpenMatch, path: str, body: bytes | None = None, edge: str = "") -> bytes:
    headers = {"Authorization": f"Bearer {hall.tokens[table.left]}"}
    if body is not None:
        headers["Content-Type"] = f"multipart/form-data; boundary={edge}"
    request = urllib.request.Request(hall.site.url + path, body, headers)
    with urllib.request.urlopen(request, timeout=LONGEST_WAIT) as answer:
        return bytes(answer.read())


def state_of(record: str) -> str:
    return GameRecord.objects.values_list("state", flat=True).get(pk=record)


def test_a_record_is_checked_by_a_worker_and_a_difference_reaches_the_desk(stage):
    hall = open_hall(stage, entries=2)
    table = hall.open_matches()[0]
    with stage.database():
        pairing = Pairing.objects.get(match_id=table.match)
        stories.post(pairing, stories.director(), "left", (3, 1))
    answer = bring(hall, table, files.CLEAN)
    assert answer["state"] == "waiting"
    with stage.database():
        until(lambda: state_of(answer["id"]) == "checked", "the record is checked", stage)
        until(lambda: Question.objects.filter(kind="record").count() == 1, "the desk is asked", stage)
    verdict = json.loads(ask(hall, table, f"/api/v1/records/{answer['id']}/"))
    assert (verdict["score"]["left"], verdict["score"]["right"], verdict["score"]["agrees"]) == (3, 0, False)
    assert ask(hall, table, f"/api/v1/records/{answer['id']}/file/") == files.CLEAN


def test_hostile_files_delay_neither_other_records_nor_results(stage):
    hall = open_hall(stage, entries=16)
    tables = [table for table in hall.open_matches() for _ in range(MOST_WAITING)]
    assert len(tables) >= len(files.HOSTILE)
    brought = [
        bring(hall, table, data, f"{name}.mat")["id"]
        for table, (name, data) in zip(tables, files.HOSTILE.items(), strict=False)
    ]
    hall.play(tables[0])
    with stage.database():
        until(
            lambda: "waiting" not in {state_of(record) for record in brought},
            "every file has a verdict",
            stage,
        )
        stored = {bytes(row.data) for row in GameRecord.objects.all()}
    assert stored == set(files.HOSTILE.values())


def open_card(page: Page, hall: Hall, table: OpenMatch) -> None:
    page.goto(f"/p/{hall.tokens[table.left]}/")
    page.goto(f"/me/{table.match}/")


def choose(page: Page, data: bytes, name: str) -> None:
    page.get_by_text("Upload a game record").click()
    page.locator("input[name=file]").set_input_files({"name": name, "mimeType": "text/plain", "buffer": data})
    page.get_by_role("button", name="Upload the record").click()


def states_of(hall: Hall, table: OpenMatch) -> list[str]:
    rows = json.loads(ask(hall, table, f"/api/v1/matches/{table.match}/records/"))
    return [record["state"] for record in rows["results"]]


def aside(work: Callable[..., Any], *arguments: Any) -> Any:
    """Runs in another thread, because Django refuses database access in a thread that runs Playwright."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(work, *arguments).result()


def test_an_open_phone_page_updates_when_the_verdict_arrives(stage, new_page):
    hall = aside(open_hall, stage, 2)
    table = hall.open_matches()[0]
    phone, watching = new_page(PHONE, is_mobile=True, has_touch=True), new_page()
    for page in (phone, watching):
        open_card(page, hall, table)
    watching.evaluate("window.notReloaded = true")
    choose(phone, files.WRONG, "wrong.mat")
    for page in (phone, watching):
        expect(page.locator("#records")).to_contain_text("rule MOVE")
        page.get_by_text("The board there").first.click()
        board = page.locator(".problems__board").first
        expect(board).to_be_visible()
        page.wait_for_function(
            "image => image.complete && image.naturalWidth > 0", arg=board.element_handle()
        )
    nothing_grave(phone)
    fits(watching, "with a board")
    assert watching.evaluate("window.notReloaded") is True
    phone.get_by_role("link", name=re.compile("Game by game|findings")).first.click()
    expect(phone.locator("main")).to_contain_text("SHA-256")
    nothing_grave(phone)


def test_a_phone_without_javascript_uploads_a_record_and_shows_the_verdict(stage, new_page):
    hall = aside(open_hall, stage, 2)
    table = hall.open_matches()[0]
    phone = new_page(PHONE, java_script_enabled=False)
    open_card(phone, hall, table)
    choose(phone, files.WRONG, "wrong.mat")
    expect(phone.locator("#records")).to_contain_text("wrong.mat")
    until(lambda: states_of(hall, table) == ["checked"], "the record is checked", stage)
    phone.reload()
    expect(phone.locator("#records")).to_contain_text("rule MOVE")


def test_the_desk_page_shows_a_verdict_on_narrow_and_wide_screens(stage, new_page):
    hall = aside(open_hall, stage, 2)
    table = hall.open_matches()[0]
    answer = bring(hall, table, files.WRONG)
    until(lambda: states_of(hall, table) == ["checked"], "the record is checked", stage)
    director = new_page()
    director.goto(urlsplit(hall.sign_in_link).path)
    director.locator("main").get_by_role("button").click()
    director.wait_for_url(lambda url: "/sign-in/" not in url)
    state = director.context.storage_state()
    for width, check in ((360, nothing_grave), (1440, lambda page: fits(page, "on a wide screen"))):
        page = new_page({"width": width, "height": 800}, storage_state=state)
        page.goto("/e/friday-night/open/desk/")
        page.locator(".match-table a.pair").first.click()
        expect(page.locator("#records")).to_contain_text("rule MOVE")
        check(page)
        page.goto(f"/records/{answer['id']}/")
        expect(page.locator("main")).to_contain_text("rule MOVE")
        check(page)
