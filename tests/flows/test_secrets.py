"""Links, tokens and passwords appear in no log and in no refusal."""

import re

import requests

from deploy.security_headers import SECURITY_HEADERS
from tests.flows.databases import PASSWORD
from tests.flows.hall import open_hall
from tests.flows.waiting import LONGEST_WAIT
from tests.tournament.images import image_file

OPENED = "five-point-prime-77"
WRONG = "six-point-prime-88"


class Visitor:
    """A browser or a program; keeps every page that was not meant to show a secret."""

    def __init__(self, url: str, token: str = "") -> None:
        self.url, self.session, self.refusals = url, requests.Session(), []
        if token:
            self.session.headers["Authorization"] = f"Bearer {token}"

    def ask(self, verb: str, path: str, **more) -> requests.Response:
        answer = self.session.request(
            verb, self.url + path, timeout=LONGEST_WAIT, allow_redirects=False, **more
        )
        assert set(SECURITY_HEADERS) <= {name for name in SECURITY_HEADERS if name in answer.headers}, path
        if answer.status_code >= 400:
            self.refusals.append(f"{answer.status_code} {answer.headers} {answer.text}")
        return answer

    def press(self, path: str, **fields) -> requests.Response:
        self.ask("GET", "/sign-in/")
        token = self.session.cookies.get("csrftoken", "")
        return self.ask("POST", path, data={"csrfmiddlewaretoken": token, **fields})


def test_logs_and_refusals_contain_no_secrets(stage):
    """The processes of the stage log at the most detailed level from their start."""
    hall = open_hall(stage, entries=4)
    sign_in = re.search(r"/sign-in/([\w-]+)/", stage.manage("director")).group(1)
    director, thief = Visitor(stage.url), Visitor(stage.url)
    assert director.press(f"/sign-in/{sign_in}/").status_code == 302
    assert thief.press(f"/sign-in/{sign_in}/").status_code == 409
    assert thief.ask("GET", f"/sign-in/{sign_in}/more/").status_code == 404
    assert director.press("/account/password/", new_password1=OPENED, new_password2=OPENED).status_code == 302
    for password in (WRONG, OPENED):
        thief.press("/sign-in/", username="director", password=password)
    secret = {"session": director.session.cookies["sessionid"], "stolen": thief.session.cookies["sessionid"]}
    token = made_token(director)
    link = next(iter(hall.tokens.values()))
    phone = Visitor(stage.url)
    phone.ask("GET", f"/p/{link}/")
    assert "link" in phone.session.cookies
    everything_wrong(stage.url, link, token)
    assert director.press(
        "/account/password/", old_password=OPENED, new_password1=WRONG, new_password2=WRONG
    ).ok
    assert thief.ask("GET", "/account/password/").status_code == 302, "signed out wherever else they were"
    secret |= {
        "sign-in": sign_in, "token": token, "link": link, "database": PASSWORD,
        "key": (stage.folder / "secret.key").read_text(),
        "opened": OPENED, "wrong": WRONG, "again": director.session.cookies["sessionid"],
    }  # fmt: skip
    text = collected_texts(stage, director, thief, phone)
    assert "Not Found: /p/…/none/" in text, "the log tells of what was asked all the same"
    leaks = {
        name: text[text.find(value) - 80 : text.find(value) + 80]
        for name, value in secret.items()
        if value in text
    }
    assert leaks == {}
    assert {file.stat().st_mode & 0o077 for file in stage.folder.rglob("secret*")} == {0}


def collected_texts(stage, *visitors: Visitor) -> str:
    """All logs, and all refusals that they got."""
    logs = [log.read_text(errors="replace") for log in stage.folder.rglob("*.log")]
    return "\n".join([*logs, *(refusal for visitor in visitors for refusal in visitor.refusals)])


def made_token(director: Visitor) -> str:
    text = director.press("/account/tokens/", label="Scoreboard", scope="full", days="90").text
    return re.search(r'class="code token">([\w-]+)<', text).group(1)


def everything_wrong(url: str, link: str, token: str) -> None:
    """Good secrets at wrong places, and too much of everything."""
    for client in (Visitor(url, token), Visitor(url, link)):
        for path in ("none/", "events/none/", f"matches/{link}/", f"?token={token}"):
            client.ask("GET", f"/api/v1/{path}")
        client.ask("POST", "/api/v1/events/", data=b"{" + image_file("PNG"))
        client.ask("PUT", "/api/v1/account/tokens/", json={"token": token})
    visitor = Visitor(url)
    for path in (
        f"/p/{link}/none/",
        f"/d/{link}/",
        f"/d/{link}/picture/x/",
        f"/sign-in/{link}/",
        f"/p/{token}/",
    ):
        visitor.ask("GET", path)
        visitor.ask("DELETE", path)
