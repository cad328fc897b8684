"""Two phones play sessions of stake play: so many games, or until time is over, with and without the network."""

from concurrent.futures import ThreadPoolExecutor

from playwright.sync_api import Page, expect

from tests.flows.page_checks import PHONE, nothing_grave
from tests.flows.pocket import Pocket
from tests.flows.waiting import until
from tests.tournament import stories
from tournament.accounts import links
from tournament.brackets.lengths import StakePlay
from tournament.models import Result


def apart(stage, work):
    """Work with the rows of the stage in a thread of its own, for a browser leaves no room here."""

    def run():
        with stage.database():
            return work()

    with ThreadPoolExecutor(1) as threads:
        return threads.submit(run).result()


def two_sessions() -> list[tuple[str, str, str]]:
    """One of three games, one by time: the match, and the tokens of both players."""
    director = stories.director()
    ways = (StakePlay(games=3), StakePlay(minutes=60))
    pairings = [stories.playable(stories.released(director, 2, stake=stake))[0] for stake in ways]
    return [
        (
            str(pairing.match_id),
            *(links.make_link(entry, director) for entry in (pairing.left, pairing.right)),
        )
        for pairing in pairings
    ]


def open_card(stage, page: Page, match: str, token: str) -> Pocket:
    page.goto(f"/p/{token}/")
    return Pocket(page, stage.url, match).open()


def is_posted(stage, match: str, points: tuple[int, int]) -> bool:
    result = apart(stage, lambda: Result.objects.filter(pairing__match=match).first())
    return result is not None and (result.left_points, result.right_points) == points


def confirm(phone: Pocket) -> None:
    phone.page.get_by_role("button", name="Yes").click()
    phone.says("final result")


def test_sessions_are_played_to_a_confirmed_result(stage, new_page):
    by_games, by_time = apart(stage, two_sessions)
    left, right = new_page(PHONE, has_touch=True), new_page(PHONE, has_touch=True)

    mine, theirs = (
        open_card(stage, page, by_games[0], token)
        for page, token in zip((left, right), by_games[1:], strict=True)
    )
    mine.says("Game 1 of 3")
    mine.enter("left", cube=2)
    expect(right.locator(".board")).to_contain_text("Game 2 of 3")
    mine.cut_off()
    mine.enter("right")
    mine.enter("right")
    mine.says("Level after game 3: one more game decides")
    nothing_grave(left)
    mine.enter("right", "gammon")
    mine.says("The result is saved on this phone")
    mine.back()
    mine.all_is_sent()
    theirs.says("you win 4–2")
    confirm(theirs)
    until(lambda: is_posted(stage, by_games[0], (2, 4)), "the session of three games is posted")

    mine, theirs = (
        open_card(stage, page, by_time[0], token)
        for page, token in zip((left, right), by_time[1:], strict=True)
    )
    mine.enter("left")
    mine.cut_off()
    mine.enter("left", cube=4)
    mine.stop()
    mine.says("Time is over after game 2")
    mine.undo()
    mine.says("Game 3")
    mine.enter("right", "gammon", 2)
    mine.stop()
    nothing_grave(left)
    mine.back()
    mine.all_is_sent()
    theirs.says("wins 5–4")
    expect(right.locator("main")).to_contain_text("Time is over after game 3")
    confirm(theirs)
    until(lambda: is_posted(stage, by_time[0], (5, 4)), "the session by time is posted")
