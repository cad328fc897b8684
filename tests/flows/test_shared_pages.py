"""Public pages are served from the cache on a real stage and renewed after every change."""

import http.client
import uuid
from urllib.parse import urlsplit

from tests.flows.hall import open_hall
from tests.flows.waiting import LONGEST_WAIT, until, until_all_advanced
from tournament.accounts import links
from tournament.live.channels import private_channel
from tournament.models import Membership, Tournament
from tournament.rehearsal.wire import Wire

EVENT, BRACKET = "/e/friday-night/", "/e/friday-night/open/"
PAGES = ("/", EVENT, f"{EVENT}find/", f"{BRACKET}players/", f"{BRACKET}draw-proof/", f"{BRACKET}rules/")


def request(stage, path: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], str]:
    address = urlsplit(stage.url)
    wire = http.client.HTTPConnection(str(address.hostname), address.port)
    wire.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
    answer = wire.getresponse()
    response = (
        answer.status,
        {name.lower(): value for name, value in answer.getheaders()},
        answer.read().decode(),
    )
    wire.close()
    return response


def test_cached_public_pages_are_neither_personal_nor_stale(stage):
    with stage.database():
        hall = open_hall(stage, 4, length=1)
        owner = Membership.objects.get(event=hall.tournament.event).user
        desk = Wire(stage.url, links.make_api_token(owner, "desk"))
        table = hall.open_matches()[0]
        until_all_advanced(stage)
    player = f"{BRACKET}players/{table.right}/"
    api = f"/api/v1/tournaments/{hall.tournament.pk}/"
    of_scores = (
        EVENT, BRACKET, f"{BRACKET}standings/", f"{BRACKET}print/", player, f"{BRACKET}match/{table.match}/",
        f"{api}standings/", f"{api}results/", f"/api/v1/matches/{table.match}/",
    )  # fmt: skip
    etags = {path: request(stage, path)[1]["etag"] for path in (*PAGES, *of_scores)}
    for path, etag in etags.items():
        assert request(stage, path)[1]["etag"] == etag
        assert request(stage, path, if_none_match=etag)[0] == 304
        assert request(stage, path, "HEAD")[1]["etag"] == etag
        assert request(stage, path, cookie="_ga=abc", if_none_match=etag)[0] == 304
        assert "etag" not in request(stage, path, cookie="sessionid=abc", if_none_match=etag)[1]
    assert "You follow" in request(stage, BRACKET, cookie=f"followed={table.right.hex}")[2]
    assert "Followed" in request(stage, player, cookie=f"followed={table.right.hex}")[2]
    assert "Followed" not in request(stage, player)[2]
    assert "You follow" not in request(stage, BRACKET, cookie="csrftoken=abc")[2]
    assert "http://another.local/" in request(stage, BRACKET, host="another.local")[2]
    assert request(stage, BRACKET, host="no such host!")[0] == 400

    def is_new(path: str) -> bool:
        _, headers, page = request(stage, path, if_none_match=etags[path])
        if headers.get("etag", etags[path]) == etags[path]:
            return False
        etags[path] = headers["etag"]
        assert request(stage, path)[2] == page
        return True

    hall.play(table)
    with stage.database():
        until_all_advanced(stage)
    for path in of_scores:
        until(lambda path=path: is_new(path), f"{path} after a match", stage)
    event = hall.tournament.event
    revoked_visitors_receive_nothing(stage, desk, hall)
    plan = {"name": "Saturday morning", "starts_on": str(event.starts_on)}
    assert desk.put(f"/api/v1/events/{event.slug}/", plan).is_ok
    for path in (*PAGES, BRACKET, player, f"{BRACKET}match/{table.match}/"):
        until(lambda path=path: "Saturday morning" in request(stage, path)[2], f"{path} renamed", stage)


def revoked_visitors_receive_nothing(stage, desk: Wire, hall) -> None:
    """The other table's player hears of their match while scores are held back, until the desk shuts the phone out."""
    table = hall.open_matches()[-1]
    with stage.database():
        Tournament.objects.update(score_delay=None)
    cookie = f"link={hall.tokens[table.left]}"
    stranger, phone = (Stream(stage.url, table.match, cookies) for cookies in ("", cookie))
    assert (stranger.status, phone.status) == (403, 200)
    begun, taken_back = str(uuid.uuid4()), str(uuid.uuid4())
    game = {"key": begun, "predecessor": str(table.match), "winner": "left"}
    strike = {"key": taken_back, "predecessor": begun, "supersedes": begun}
    for what, row in (("games", game), ("strikes", strike)):
        assert (
            Wire(stage.url, hall.tokens[table.right])
            .post(f"/api/v1/matches/{table.match}/{what}/", row)
            .is_ok
        )
    assert private_channel(table.match) in phone.next_message()
    assert desk.put(f"/api/v1/entries/{table.left}/links/", {}).is_ok
    phone.until_over()
    assert Stream(stage.url, table.match, cookie).status == 403


class Stream:
    """The live stream of a match."""

    def __init__(self, url: str, match, cookie: str) -> None:
        address = urlsplit(url)
        self.wire = http.client.HTTPConnection(str(address.hostname), address.port, timeout=LONGEST_WAIT)
        self.wire.request("GET", f"/live/?bracket={private_channel(match)}", headers={"Cookie": cookie})
        self.answer = self.wire.getresponse()
        self.status = self.answer.status

    def next_message(self) -> str:
        received = b""
        while not received.endswith(b" 0\n\n"):
            more = self.answer.read(1)
            assert more, f"it ended after {received!r}"
            received += more
        return received.decode()

    def until_over(self) -> None:
        while self.answer.read(1):
            pass
        self.wire.close()
