"""Every page of a running event: axe, widths, keyboard, right-to-left layout and long names.

On the first run only: pages look the same on every database.
"""

import re
from collections.abc import Callable
from functools import partial

from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import RequestFactory
from playwright.sync_api import Page, Route, expect

from tests.flows.page_checks import fits, look_at, nothing_grave
from tests.flows.test_browser import sign_in
from tests.flows.test_two_phones import apart
from tests.tournament import stories
from tests.tournament.images import image_file
from tournament.access.actors import Actor
from tournament.accounts import links
from tournament.draw.formats import Format, Kind
from tournament.drawing import round_previews
from tournament.entries import kiosk
from tournament.events import logos
from tournament.models import Entry, Event, Pairing, Tournament
from tournament.runtime.database_faults import DatabaseFault
from tournament.web.page_rate_limits import too_many_requests
from tournament.web.unavailable import unavailable

EVENT = "/e/harbour-weekend"
OPEN = f"{EVENT}/open"
SECOND_FACTOR = "/account/second-factor/"
BY_EVENT = [
    "overview",
    "desk",
    "edit",
    "new",
    "people",
    "journal",
    "forecast",
    "room",
    "tables",
    "poster",
    "screens",
    "kiosk",
    "cash",
    "cash/tills",
    "cash/books",
    "payouts",
]
BY_TOURNAMENT = [
    "setup", "entries", "entries/copy", "entries/import", "draw", "seats", "late", "reentry", "rounds", "jackpots",
    "as-at", "desk", "slips", "cards", "times", "prizes", "fees", "fees/choices",
]  # fmt: skip
FOR_ALL = [
    "",
    "standings/",
    "results/",
    "players/",
    "bracket/consolation/",
    "sheet/",
    "rules/",
    "print/",
    "draw-proof/",
]
OF_ONE_MATCH = re.compile(r"/desk/\d+/$")


def linked(page: Page, path: str, to: str) -> list[str]:
    """The addresses on the page that lead there, each once."""
    page.goto(path)
    links = page.locator("main a").evaluate_all("links => links.map((link) => new URL(link.href).pathname)")
    return [link for link in dict.fromkeys(links) if to in link]


def matches_at(page: Page, desk: str) -> list[str]:
    return [path for path in linked(page, desk, "/desk/") if OF_ONE_MATCH.search(path)]


def test_every_page_is_accessible_and_fits_its_screen(stage, new_page):
    stage.manage("demo")
    apart(stage, store_the_logo)
    window = partial(new_page, service_workers="block")  # it would stand between, and changes no look
    page = window()
    matches = linked(page, f"{EVENT}/friday-evening/", "/match/")[-1:]
    players = linked(page, f"{OPEN}/players/", "/players/")[-1:]
    assert len(matches) == 1
    look_at(
        page, "/", "/reach/", "/help/", "/sign-in/", f"{EVENT}/", f"{EVENT}/join/", f"{EVENT}/find/",
        *(f"{OPEN}/{path}" for path in FOR_ALL), *matches, *players,
    )  # fmt: skip
    for path in ("", "print/", "standings/", "results/"):
        fits_on_paper(page, f"{OPEN}/{path}")
    look_at_refused_requests(window())
    look_at(window(), *apart(stage, a_kiosk))
    directors_pages(stage, window(), window())
    players_pages(window(), apart(stage, phones_of_the_weekend))


def fits_on_paper(page: Page, path: str) -> None:
    """A4, landscape, with margins of 10 mm."""
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 1047, "height": 718})
    page.goto(path)
    fits(page, "on paper")
    expect(page.get_by_role("search")).to_have_count(0)
    page.emulate_media(media="screen")


def look_at_refused_requests(page: Page) -> None:
    """These pages are rendered here instead of exhausting a rate limit or stopping the database."""
    request = RequestFactory().get("/wait/")
    for answer in (too_many_requests(request, 900), unavailable(request, DatabaseFault.AWAY)):
        page.route("**/wait/", fulfilled_with(answer))
        look_at(page, "/wait/", status=answer.status_code)
        page.unroute("**/wait/")


def fulfilled_with(answer: HttpResponse) -> Callable[[Route], None]:
    return lambda route: route.fulfill(
        status=answer.status_code, body=answer.content.decode(), content_type="text/html"
    )


def store_the_logo() -> None:
    logos.store_logo(Event.objects.get(slug="harbour-weekend"), image_file(), Actor(user=the_director()))


def a_kiosk() -> tuple[str, str]:
    """The page where players find their name, and the page of one of them."""
    entry = Entry.objects.filter(tournament__slug="open")[0]
    start = f"/k/{kiosk.turn_on(entry.tournament.event, Actor(user=the_director()))}/"
    return start, f"{start}{entry.pk}/"


def phones_of_the_weekend() -> list[tuple[str, str]]:
    """Links of a called player, of one with an open dispute, and of a pair whose card lacks a game."""
    open_ones = Pairing.objects.filter(match__state="open").select_related("match", "left", "right")
    called = open_ones.filter(match__calls__ended_at=None, match__calls__isnull=False, match__began_at=None)[
        0
    ]
    lacking = open_ones.get(round__bracket__tournament__name="Doubles", match__began_at__isnull=False)
    disputed = Pairing.objects.filter(match__state="disputed", match__cards__rows_written__gt=3)[0]
    director = Actor(user=the_director())
    entries = ((called, called.left), (disputed, disputed.right), (lacking, lacking.right))
    return [(links.make_link(entry, director), f"/me/{row.match_id}/") for row, entry in entries]


def players_pages(page: Page, phones: list[tuple[str, str]]) -> None:
    """One phone of three players."""
    for token, _match in phones:
        page.goto(f"/p/{token}/")
    look_at(page, "/me/", *(match for _token, match in phones), "/me/jackpots/", "/me/money/")
    page.goto(phones[-1][1])
    expect(page.get_by_role("button", name="Add this game to my card")).to_be_visible()


def second_factor_pages(stage, page: Page, new: Page) -> None:
    """Without a second factor, between password and session, and with all kinds of them."""
    look_at(page, *(f"{SECOND_FACTOR}{path}" for path in ("", "totp/activate/", "webauthn/add/")))
    apart(stage, an_app_and_codes)
    sign_in(new, stage)
    look_at(new, f"{SECOND_FACTOR}authenticate/")
    apart(stage, two_passkeys)
    look_at(page, *(f"{SECOND_FACTOR}{path}" for path in ("", "recovery-codes/", "webauthn/")))


def an_app_and_codes() -> None:
    """The director's, with secrets that fit no code."""
    for kind, data in (("totp", {"secret": ""}), ("recovery_codes", {"seed": "", "used_mask": 0})):
        Authenticator.objects.create(user=the_director(), type=kind, data=data)


def two_passkeys() -> None:
    """One that signs in alone and one that does not."""
    alone = {"clientExtensionResults": {"credProps": {"rk": True}}}
    for data in (
        {"name": "Phone", "credential": alone},
        {"name": "Key with a rather long name of its own"},
    ):
        Authenticator.objects.create(user=the_director(), type="webauthn", data=data)


def a_complete_round() -> str:
    """A Swiss tournament of the director whose first round is complete; its address."""
    director = Actor(user=the_director())
    made = stories.released(director, 5, format=Format(Kind.SWISS, rounds=3))
    for pairing in stories.playable(made):
        stories.play(pairing, director)
    return f"/e/{made.event.slug}/{made.slug}/"


def preview_round() -> None:
    made = Tournament.objects.get(event__slug="friday-night")
    round_previews.preview_next_round(made.pk, Actor(user=the_director()))


def the_director() -> User:
    return User.objects.get(memberships__event__slug="harbour-weekend")


def directors_pages(stage, page: Page, new: Page) -> None:
    sign_in(page, stage)
    desks = matches_at(page, f"{OPEN}/desk/")
    entries = linked(page, f"{OPEN}/entries/", "/entries/")
    corrected = f"{matches_at(page, f'{EVENT}/friday-evening/desk/')[-1]}correct/"
    assert desks
    look_at(
        page, "/", "/bin/", *(f"{EVENT}/{path}/" for path in BY_EVENT),
        *(f"{OPEN}/{path}/" for path in BY_TOURNAMENT), *desks[:2], entries[-1],
        "/account/tokens/", "/account/password/",
        "/account/activity/", "/account/sessions/", "/account/confirm/", "/installation/", "/installation/events/",
        *linked(page, "/installation/", "/installation/accounts/")[:1], f"{entries[-1]}person/",
        corrected,
    )  # fmt: skip
    swiss = apart(stage, a_complete_round)
    look_at(page, f"{swiss}draw/")
    apart(stage, preview_round)
    look_at(page, f"{swiss}rounds/next/")
    page.goto(linked(page, f"{EVENT}/tables/", "/overlay/")[0])
    nothing_grave(page)
    second_factor_pages(stage, page, new)
