"""Phones with a failing, returning, slow or repeating network: every game is stored once and in order."""

import random
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from threading import Event
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, expect, sync_playwright

from deploy.bench.proxy import GOOD_NETWORK, NetworkConditions, NetworkProxy
from matches.card_totals import effective_rows
from matches.keepers import Keeper
from matches.models import CardRow
from matches.rows import NewRow
from rules.score import Game, Side, Win
from tests import browsers
from tests.flows.hall import Hall, OpenMatch, open_hall
from tests.flows.page_checks import nothing_grave
from tests.flows.pocket import KEEPS_NOTHING, SMALL, Pocket
from tests.flows.waiting import until
from tests.tournament import stories
from tournament.accounts import links
from tournament.models import Entry, Question
from tournament.results import desk

LAN = "hall.local"
BEFORE_THE_LAST_GAME = 7  # of a match to 5, won in turn
MINUTES_LATE, CUT = NetworkConditions(delay=600), NetworkConditions(is_cut=True)
HOURS_AGO = datetime(2026, 11, 21, 3, 0)


@pytest.fixture(scope="module")
def hall(shared_stage, django_db_blocker) -> Iterator[Hall]:
    """One hall for all of them, and a match of its own for each."""
    with django_db_blocker.unblock():
        yield open_hall(shared_stage.open(), entries=32, length=5)
        shared_stage.release()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """An invented host name stands for a laptop in the hall, which is no secure context."""
    with sync_playwright() as started:
        browser = browsers.launch(started, f"--host-resolver-rules=MAP {LAN} 127.0.0.1")
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def tables(hall) -> Iterator[OpenMatch]:
    return iter(hall.open_matches())


@pytest.fixture
def table(tables) -> OpenMatch:
    return next(tables)


@pytest.fixture
def phone(hall, browser, table) -> Iterator[Callable[..., Pocket]]:
    """Opens phones of the left player, in the hall's network or over a secure address."""
    opened: list[BrowserContext] = []

    def new(*, is_secure: bool = False, before: str = "", through: str = "", **more: Any) -> Pocket:
        there = through or hall.site.url
        url = there if is_secure else there.replace("127.0.0.1", LAN)
        opened.append(browser.new_context(viewport=SMALL, is_mobile=True, has_touch=True, **more))
        page = opened[-1].new_page()
        page.add_init_script(before)
        page.goto(f"{url}/p/{hall.tokens[table.left]}/")
        return Pocket(page, url, str(table.match)).open()

    yield new
    for context in opened:
        browsers.close(context)


def at_the_desk(hall: Hall, work: Callable[[], Any]) -> Any:
    """In the hall's database, from a thread of its own: a browser leaves no room for it here."""

    def inside() -> Any:
        with hall.site.database():
            return work()

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(inside).result()


def card_of(hall: Hall, table: OpenMatch) -> list[tuple[str, int, int]]:
    """What the left player's card says, each row after the one it names; a row taken back is told as ("", 0, 1)."""
    rows = at_the_desk(
        hall,
        lambda: list(
            CardRow.objects.filter(card__match_id=table.match, card__keeper="left").order_by("number")
        ),
    )
    assert [row.predecessor for row in rows] == [table.match, *(row.key for row in rows)][:-1]
    return [(row.winner, int(row.win or 0), row.cube) for row in rows]


def looks_right(pocket: Pocket) -> None:
    """axe finds nothing grave, and nothing makes the page wider than the phone."""
    nothing_grave(pocket.page)
    assert pocket.page.evaluate("document.documentElement.scrollWidth") <= SMALL["width"]


LEFT, RIGHT = ("left", 1, 1), ("right", 1, 1)


def test_games_entered_offline_are_sent_once_in_order(hall, table, phone):
    pocket = phone()
    pocket.page.clock.set_fixed_time(HOURS_AGO)
    pocket.cut_off()
    pocket.enter("left", "gammon", 2)
    pocket.says("Crawford game: played without the cube.")
    pocket.enter("right")
    pocket.enter("right")
    pocket.undo()
    assert pocket.score() == "4–1"
    pocket.says("2 games not sent yet")
    pocket.page.get_by_role("link", name="My matches").click()
    pocket.says("Stay on this page")
    expect(pocket.lines.last).to_contain_text("saved on this phone")
    looks_right(pocket)
    assert card_of(hall, table) == []
    pocket.context.clear_cookies(name="csrftoken")
    pocket.back()
    pocket.all_is_sent()
    assert card_of(hall, table) == [("left", 2, 2), RIGHT]
    pocket.undo()
    pocket.cut_off()
    pocket.enter("left")
    pocket.says("The result is saved on this phone and sent as soon as there is a connection.")
    with pytest.raises(Exception, match="ERR_INTERNET_DISCONNECTED"):
        pocket.page.reload()
    pocket.back()
    pocket.open()
    pocket.all_is_sent()
    pocket.says("You reported this result.")
    assert card_of(hall, table) == [("left", 2, 2), RIGHT, ("", 0, 1), LEFT]


def test_two_tabs_and_a_second_phone_send_each_game_once(hall, table, phone):
    first, second = phone(), phone()
    tab = first.another_tab()
    for pocket in (first, second):
        pocket.cut_off()
    first.enter("left")
    expect(tab.lines).to_have_count(1)
    tab.enter("right", "gammon")
    expect(first.lines).to_have_count(2)
    second.enter("left")
    second.enter("right", "gammon")
    sent: list[str] = []
    first.context.on(
        "requestfinished",
        lambda request: sent.extend([request.post_data] if request.method == "POST" else []),
    )
    for pocket in (first, second):
        pocket.back()
    for pocket in (first, tab, second):
        pocket.all_is_sent()
    assert len(sent) == len(set(sent)) == 2
    assert card_of(hall, table) == [LEFT, ("right", 2, 1)]


def test_over_https_the_card_opens_offline_and_the_service_worker_sends_games(hall, table, phone):
    pocket = phone(is_secure=True)
    pocket.page.evaluate(UNTIL_A_WORKER_KEEPS_IT)
    pocket.context.add_init_script(THE_BROWSER_ONLY_NOTES_IT)
    pocket.cut_off()
    pocket.open()
    pocket.enter("left")
    pocket.open()
    pocket.enter("right")
    expect(pocket.lines).to_have_count(2)
    pocket.page.goto(f"{pocket.url}/me/")
    pocket.says("2 games not sent yet (against ")
    pocket.open()
    pocket.back()
    pocket.page.evaluate("""() => {
      for (let each = 0; each < 3; each += 1) navigator.serviceWorker.controller.postMessage("send");
      dispatchEvent(new Event("online"));
    }""")
    pocket.all_is_sent()
    assert card_of(hall, table) == [LEFT, RIGHT]
    cached = set(pocket.page.evaluate(KEPT_BY_THE_WORKER))
    assert {"/me/", f"/me/{table.match}/"} <= cached
    assert {path for path in cached if not path.startswith(("/me/", "/static/"))} <= {"/manifest.webmanifest"}
    leave_while_a_closed_tab_holds_the_lease(pocket)
    until(lambda: len(card_of(hall, table)) == 3, "the worker sends alone")
    pocket.open()
    leave_before_the_network_comes_back(pocket)
    assert len(card_of(hall, table)) == 3
    wake_service_worker(pocket)
    until(lambda: len(card_of(hall, table)) == 4, "the worker sends once it is woken")
    pocket.open()
    delete_card_of_revoked_player(hall, table, pocket)
    forget_this_phone(pocket)
    assert not any("/me/" in path for path in pocket.page.evaluate(KEPT_BY_THE_WORKER))


THE_BROWSER_ONLY_NOTES_IT = "SyncManager.prototype.register = async (tag) => void (self.left = tag);"
UNTIL_A_WORKER_KEEPS_IT = """async () => {
  const kept = async () => navigator.serviceWorker.controller && (await caches.match("/me/")) && caches.match(location);
  for (let tries = 0; tries < 1200; tries += 1) {
    if (await kept()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("no worker keeps this page");
}"""
KEPT_BY_THE_WORKER = """caches.keys().then((names) => Promise.all(names.map(async (name) =>
  (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)))).then((all) => all.flat())"""


STILL_KEPT = """() => new Promise((told) => {
  const opening = indexedDB.open("score-cards");
  opening.onsuccess = () => {
    const [cards, rows] = ["cards", "rows"].map((name) => opening.result.transaction(name).objectStore(name).count());
    rows.onsuccess = () => told(cards.result + rows.result);
  };
})"""


def leave_while_a_closed_tab_holds_the_lease(pocket: Pocket) -> None:
    """Only the service worker is left, and it finds the lease of a sender still held."""
    pocket.cut_off()
    pocket.enter("left")
    pocket.waits()
    pocket.page.evaluate("""() => self.cardStore.inTransaction("readwrite", async ({ lease }) =>
      lease.put({ name: "sender", holder: "gone", beat: 7 }))""")
    pocket.back()
    pocket.page.goto(f"{pocket.url}/")


def leave_before_the_network_comes_back(pocket: Pocket) -> None:
    """A phone that is put away: its page is closed and sends no message. The browser has to wake the service worker.

    A page that is only left may still send in the moment before it is gone.
    """
    pocket.page.evaluate("() => { ServiceWorker.prototype.postMessage = () => {}; }")
    pocket.cut_off()
    stop_service_worker(pocket)
    pocket.enter("right")
    pocket.waits()
    until(lambda: pocket.page.wait_for_timeout(20) or pocket.page.evaluate("self.left") == "send", "asked")
    pocket.page.close()
    pocket.page = pocket.context.new_page()
    pocket.back()
    pocket.page.goto(f"{pocket.url}/")


def stop_service_worker(pocket: Pocket) -> None:
    """As browsers do with an idle one. A message that it got before may still make it send, in five seconds."""
    session = pocket.context.new_cdp_session(pocket.page)
    session.send("ServiceWorker.enable")
    session.send("ServiceWorker.stopAllWorkers")
    session.detach()


def wake_service_worker(pocket: Pocket) -> None:
    """As it does when there is a network again."""
    session = pocket.context.new_cdp_session(pocket.page)
    registrations: list[dict[str, Any]] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated", lambda event: registrations.extend(event["registrations"])
    )
    session.send("ServiceWorker.enable")
    until(lambda: pocket.page.wait_for_timeout(20) or registrations, "the worker is known")
    woken = {"origin": pocket.url, "registrationId": registrations[-1]["registrationId"], "lastChance": False}
    session.send("ServiceWorker.dispatchSyncEvent", {**woken, "tag": "send"})


def delete_card_of_revoked_player(hall: Hall, table: OpenMatch, pocket: Pocket) -> None:
    """A phone of two players deletes the stored match of the player whose link is revoked."""
    pocket.page.goto("about:blank")  # where nothing is live, and nothing loads itself again
    cookies = pocket.context.cookies()
    pocket.context.add_cookies(
        [
            {
                "name": "link",
                "value": hall.tokens[
                    next(token for token in hall.tokens if token not in (table.left, table.right))
                ],
                "url": pocket.url,
            }
        ]
    )
    pocket.page.goto(f"{pocket.url}/me/{table.match}/")
    is_cached = f"caches.match('/me/{table.match}/').then(Boolean)"
    until(
        lambda: pocket.page.wait_for_timeout(50) or not pocket.page.evaluate(is_cached), "the card is let go"
    )
    pocket.context.add_cookies(cookies)
    pocket.open()


def forget_this_phone(pocket: Pocket) -> None:
    """Not while something waits, unless the player says so twice."""
    pocket.cut_off()
    pocket.enter("left")
    pocket.page.goto(f"{pocket.url}/me/")
    pocket.waits()
    pocket.page.get_by_text("Not your phone?").click()
    button = pocket.page.get_by_role("button", name="Sign out on this phone")
    button.click()
    pocket.says("not sent yet and would be lost")
    pocket.page.route("**/games/**", lambda route: route.abort())
    pocket.back()
    button.click()
    pocket.page.wait_for_url(f"{pocket.url}/")
    assert pocket.page.evaluate(STILL_KEPT) == 0


def desk_writes(hall: Hall, table: OpenMatch, winner: Side) -> None:
    """A game on the left player's card, by the desk."""
    pairing = next(row for row in stories.pairings(hall.tournament) if row.match_id == table.match)
    card = pairing.match.cards.filter(keeper="left").first()
    writing = NewRow(uuid.uuid4(), card.tail if card else table.match, Game(winner, Win.SINGLE))
    desk.enter_at_desk(pairing, Keeper.LEFT, writing, stories.director())


def test_the_player_chooses_between_conflicting_games_of_desk_and_phone(hall, table, phone):
    pocket = phone()
    pocket.cut_off()
    pocket.enter("left")
    pocket.enter("right")
    at_the_desk(hall, lambda: desk_writes(hall, table, Side.LEFT))
    pocket.back()
    pocket.is_in_trouble()
    pocket.says("Which version is right?")
    assert card_of(hall, table) == [LEFT]
    assert "is-different" in str(pocket.page.locator("#split tbody tr").nth(1).get_attribute("class"))
    looks_right(pocket)
    pocket.page.get_by_role("button", name="Both: add mine to the card → 2–1").click()
    pocket.all_is_sent()
    assert card_of(hall, table) == [LEFT, LEFT, RIGHT]
    pocket.cut_off()
    pocket.enter("right")
    at_the_desk(hall, lambda: desk_writes(hall, table, Side.LEFT))
    pocket.back()
    pocket.page.get_by_role("button", name="The card is right → 3–1").click()
    pocket.all_is_sent()
    pocket.says("You chose the version on the card. This was not sent.")
    assert card_of(hall, table) == [LEFT, LEFT, RIGHT, LEFT]
    pocket.cut_off()
    pocket.enter("right", "gammon")
    at_the_desk(hall, lambda: desk_writes(hall, table, Side.RIGHT))
    pocket.back()
    pocket.page.get_by_role("button", name="Mine is right → 3–3").click()
    pocket.all_is_sent()
    assert card_of(hall, table)[4:] == [RIGHT, ("", 0, 1), ("right", 2, 1)]


def test_a_revoked_link_sends_nothing_and_its_queued_games_stay_readable(hall, table, phone):
    pocket = phone()
    pocket.cut_off()
    pocket.enter("right", "gammon")
    director = at_the_desk(hall, stories.director)
    token = at_the_desk(hall, lambda: links.reissue(Entry.objects.get(pk=table.left), director))
    pocket.back()
    pocket.says("Scan the code on your slip again")
    pocket.is_in_trouble()
    pocket.says("Read it to the desk.")
    expect(pocket.lines_kept).to_contain_text("0–2")
    looks_right(pocket)
    assert card_of(hall, table) == []
    pocket.page.goto(f"{pocket.url}/p/{hall.tokens[table.right]}/")
    pocket.says("This match is not yours")
    pocket.page.goto(f"{pocket.url}/p/{token}/")
    pocket.open()
    pocket.all_is_sent()
    assert card_of(hall, table) == [("right", 2, 1)]


def test_games_sent_after_the_result_open_a_question_for_the_desk(hall, table, phone):
    pocket = phone()
    pocket.cut_off()
    pocket.enter("left")
    pocket.enter("right")
    connected, sent = Event(), []

    def let_one_row_through(route) -> None:
        """Rows that are tried before the connection is back do not count."""
        if not connected.is_set() or sent:
            route.abort()
            return
        sent.append(route.request.url)
        route.continue_()

    pocket.page.route("**/games/**", let_one_row_through)
    at_the_desk(
        hall,
        lambda: stories.post(
            next(row for row in stories.pairings(hall.tournament) if row.match_id == table.match),
            stories.director(),
            "right",
        ),
    )
    pocket.back()
    connected.set()
    pocket.says("The desk has what you sent")
    pocket.waits()
    pocket.page.unroute_all()
    pocket.page.reload()
    pocket.all_is_sent()
    assert card_of(hall, table) == []
    questions = at_the_desk(
        hall, lambda: list(Question.objects.filter(match_id=table.match).order_by("opened_at"))
    )
    details = [(question.kind, question.asked_by, question.detail["winner"]) for question in questions]
    assert details == [("late_card", "left", "left"), ("late_card", "left", "right")]


def test_a_hanging_response_does_not_stop_a_live_page(hall, table, phone):
    pocket, is_requested = phone(), Event()
    pocket.page.clock.install()
    pocket.open()
    pocket.page.route("**/fragment/", lambda _never_answered: is_requested.set(), times=1)
    pocket.page.evaluate("document.dispatchEvent(new Event('live:ask'))")
    until(lambda: pocket.page.wait_for_timeout(50) or is_requested.is_set(), "the page asks")
    at_the_desk(hall, lambda: desk_writes(hall, table, Side.LEFT))
    pocket.page.clock.fast_forward(60_000)
    expect(pocket.lines).to_have_count(1)


def test_a_tap_is_not_lost_while_its_form_is_refreshed(phone):
    pocket = phone(is_secure=True, service_workers="block")

    def answer_with_another_form(route) -> None:
        response = route.fetch(headers={**route.request.headers, "if-none-match": ""})
        old, new = 'data-part="entry" data-stamp="', 'data-part="entry" data-stamp="other '
        route.fulfill(response=response, body=response.text().replace(old, new))

    pocket.page.route("**/fragment/", answer_with_another_form)
    key = pocket.page.locator("form.card label:has([name=winner][value=left])")
    key.hover()
    pocket.page.mouse.down()
    with pocket.page.expect_response("**/fragment/") as answer:
        pocket.page.evaluate("document.dispatchEvent(new Event('live:ask'))")
    answer.value.finished()
    pocket.page.wait_for_timeout(100)
    pocket.page.mouse.up()
    expect(key.locator("input")).to_be_checked()
    pocket.page.unroute_all(behavior="ignoreErrors")


def test_a_browser_without_storage_shows_a_notice_and_sends_directly(hall, table, phone):
    for before in KEEPS_NOTHING:
        pocket = phone(before=before)
        pocket.says("This browser saves nothing without a network")
        pocket.enter("left")
    assert card_of(hall, table) == [LEFT] * len(KEEPS_NOTHING)


def test_a_browser_without_storage_stays_on_its_page_offline(hall, table, phone):
    pocket = phone(before=KEEPS_NOTHING[0])
    pocket.says("This browser saves nothing without a network")
    pocket.cut_off()
    pocket.tap("left")
    pocket.save()
    expect(pocket.page.get_by_text("This needs a connection")).to_be_visible()
    pocket.back()
    pocket.save()
    expect(pocket.lines).to_have_count(1)
    assert card_of(hall, table) == [LEFT]


def test_a_request_is_retried_after_the_server_dies_before_answering(hall, table, phone):
    """Then the air gets bad: of what is sent a third never leaves the phone, and of a third the answer is lost."""
    pocket = phone(is_secure=True, service_workers="block")
    lost: list[int] = []

    def lose_the_answer(route) -> None:
        lost.append(route.fetch().status)
        route.abort()

    pocket.page.route("**/games/**", lose_the_answer, times=1)
    pocket.enter("left")
    pocket.waits()
    until(lambda: pocket.page.wait_for_timeout(50) or lost, "an answer is lost")
    hall.site.kill_webs()
    pocket.enter("right")
    hall.site.bring_webs_back()
    pocket.all_is_sent()
    assert lost == [201]
    assert card_of(hall, table) == [LEFT, RIGHT]
    expected = on_slow_network(pocket, ["left", "right"], random.Random(5))
    pocket.all_is_sent()
    assert counted(hall, table) == expected


def test_on_a_slow_network_games_show_at_once_and_are_sent_later(hall, table, phone):
    """Minutes late at first, then three in ten lost, by a proxy between the phone and the hall."""
    port = int(urlsplit(hall.site.url).port or 0)
    with NetworkProxy(port, seed=1) as proxy:  # which loses the first chunk on a bad network
        pocket = phone(through=proxy.url)
        proxy.change(MINUTES_LATE)
        for side in ("left", "right", "left"):
            pocket.enter(side)
        pocket.waits()
        assert card_of(hall, table) == [], "nothing has arrived yet"
        proxy.change(CUT)
        proxy.change(NetworkConditions(0.5, 0.3))
        until(
            lambda: comes_back(pocket) or len(card_of(hall, table)) == 3,
            "all three arrive over the bad network",
        )
        assert proxy.lost > 0
        proxy.change(GOOD_NETWORK)
        comes_back(pocket)
        pocket.all_is_sent()
    assert card_of(hall, table) == [LEFT, RIGHT, LEFT]


def comes_back(pocket: Pocket) -> None:
    """As a phone is told that it has a network, now and then, though not how good it is."""
    pocket.page.evaluate("dispatchEvent(new Event('online'))")
    pocket.page.wait_for_timeout(500)


def on_slow_network(pocket: Pocket, expected: list[str], chance: random.Random) -> list[str]:
    """Games entered and taken back faster than they can be sent; returns who won those that should count."""
    fates, air = Counter[str](), random.Random(6)

    def slow_network(route) -> None:
        fate = air.choice(["lost", "unanswered", "fine"])
        fates[fate] += 1
        if fate == "unanswered":
            route.fetch()
        if fate == "fine":
            route.continue_()
        else:
            route.abort()

    for path in ("**/games/**", "**/strikes/**", "**/own-card/**"):
        pocket.page.route(path, slow_network)
    for turn in range(14):
        expect(pocket.lines).to_have_count(len(expected))  # an answer may be arriving
        if len(expected) == BEFORE_THE_LAST_GAME or (expected and chance.random() < 0.45):
            pocket.undo()
            expected = expected[:-1]
        else:
            side = "left" if expected.count("left") <= expected.count("right") else "right"
            pocket.enter(side)
            expected = [*expected, side]
        if turn % 3 == 0:
            pocket.page.evaluate("dispatchEvent(new Event('online'))")
    pocket.page.unroute_all(behavior="wait")
    pocket.page.evaluate("dispatchEvent(new Event('online'))")
    assert min(fates["unanswered"], fates["lost"]) > 0
    return expected


def counted(hall: Hall, table: OpenMatch) -> list[str]:
    """Who won the games that count."""
    rows = at_the_desk(
        hall, lambda: effective_rows(CardRow.objects.filter(card__match_id=table.match, card__keeper="left"))
    )
    return [row.winner for row in rows]
