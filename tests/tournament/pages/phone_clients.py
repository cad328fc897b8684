"""A phone without scripts: opens pages, reads the hidden fields of a form and sends it."""

import re
from html import unescape

from django.test import Client
from django.urls import reverse

HIDDEN = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)"')


def phone(*tokens: str) -> Client:
    """A phone that has scanned these codes, the last one last."""
    client = Client()
    for token in tokens:
        client.get(reverse("personal-link", args=[token]))
    return client


def fields(page, address: str) -> dict[str, str]:
    """The hidden fields of the form on the page that sends to this address."""
    form = next(text for text in page.content.decode().split("<form")[1:] if f'action="{address}"' in text)
    hidden = {name: unescape(value) for name, value in HIDDEN.findall(form.split("</form>")[0])}
    return {name: value for name, value in hidden.items() if name != "csrfmiddlewaretoken"}


class Card:
    """A player's own score card, used as the page offers it: only fields that stand on the page are sent."""

    def __init__(self, client: Client, match_id) -> None:
        self.client = client
        self.match_id = match_id
        self.address = reverse("my-match", args=[match_id])

    def at(self, name: str) -> str:
        return reverse(name, args=[self.match_id])

    def page(self):
        return self.client.get(self.address)

    def text(self) -> str:
        return self.page().content.decode()

    def look(self, winner: str, kind: str = "single", cube: int = 1, **more):
        """What the page says of a game before it is saved."""
        sent = {
            **fields(self.page(), self.at("my-row")),
            "winner": winner,
            "kind": kind,
            "cube": cube,
            **more,
        }
        return self.client.post(self.at("my-row"), {**sent, "step": "look"})

    def save(self, looked_at):
        """Presses “Save” on the page that was looked at."""
        sent = fields(looked_at, self.at("my-row"))
        return self.client.post(self.at("my-row"), {**sent, "step": "save"})

    def game(self, winner: str, kind: str = "single", cube: int = 1, **more):
        return self.save(self.look(winner, kind, cube, **more))

    def undo(self):
        return self.client.post(self.at("my-undo"), fields(self.page(), self.at("my-undo")))

    def stop(self):
        return self.client.post(self.at("my-stop"), fields(self.page(), self.at("my-stop")))

    def final(self, left: int, right: int, step: str = "save"):
        sent = {**fields(self.page(), self.at("my-final")), "left": left, "right": right}
        return self.client.post(self.at("my-final"), {**sent, "step": step})

    def confirm(self):
        return self.client.post(self.at("my-confirm"), fields(self.page(), self.at("my-confirm")))

    def disagree(self, note: str = ""):
        return self.client.post(self.at("my-dispute"), {"note": note})
