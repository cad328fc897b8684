"""A browser without scripts: opens pages, fills in the forms that stand there, presses their buttons.

Only what a page offers can be sent: fields keep the values the page gave them, a button must be there to be pressed.
"""

import re
from dataclasses import dataclass, field
from html import unescape
from html.parser import HTMLParser
from urllib.parse import urljoin

from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse


@dataclass
class Button:
    text: str
    name: str = ""
    value: str = ""
    action: str = ""


@dataclass
class Form:
    action: str
    method: str
    id: str = ""
    fields: dict[str, str] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)
    buttons: list[Button] = field(default_factory=list)


class Forms(HTMLParser):
    """Every form of a page with its fields as they stand; buttons may stand outside and name their form."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.outside: list[tuple[str, Button]] = []
        self._form: Form | None = None
        self._button: Button | None = None
        self._select = self._area = ""
        self._select_form: Form | None = None
        self.feed(html)
        for form_id, button in self.outside:
            next(form for form in self.forms if form.id == form_id).buttons.append(button)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._form = Form(
                attributes.get("action", ""), attributes.get("method", "get"), attributes.get("id", "")
            )
            self.forms.append(self._form)
        elif tag == "button" and attributes.get("type") != "button":
            button = Button(
                "", attributes.get("name", ""), attributes.get("value", ""), attributes.get("formaction", "")
            )
            self._button = button
            if "form" in attributes:
                self.outside.append((attributes["form"], button))
            elif self._form:
                self._form.buttons.append(button)
        elif tag == "option":
            if self._select_form:
                self._option(self._select_form, attributes)
        elif form := self._form_of(attributes):
            self._field(form, tag, attributes)

    def _form_of(self, attributes: dict[str, str]) -> Form | None:
        return next(
            (form for form in self.forms if form.id and form.id == attributes.get("form")), self._form
        )

    def _field(self, form: Form, tag: str, attributes: dict[str, str]) -> None:
        name = attributes.get("name", "")
        if name and "disabled" not in attributes:
            form.names.add(name)
        if tag == "input" and name and "disabled" not in attributes:
            if attributes.get("type") not in ("checkbox", "radio") or "checked" in attributes:
                form.fields[name] = attributes.get(
                    "value", "on" if attributes.get("type") == "checkbox" else ""
                )
        elif tag == "select":
            self._select, self._select_form = name, form
        elif tag == "textarea":
            self._area = name
            form.fields[name] = ""

    def _option(self, form: Form, attributes: dict[str, str]) -> None:
        if self._select and ("selected" in attributes or self._select not in form.fields):
            form.fields[self._select] = attributes.get("value", "")

    def handle_data(self, data: str) -> None:
        if self._button is not None:
            self._button.text += data
        elif self._area and self._form:
            self._form.fields[self._area] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None
        elif tag == "button":
            self._button = None
        elif tag == "select":
            self._select, self._select_form = "", None
        elif tag == "textarea":
            self._area = ""


class Browser:
    """`text` is the open page, `status` how it was answered, `path` where it is, `fragment` the part in view."""

    def __init__(self, user: User | None = None) -> None:
        self.client = Client(headers={"referer": "http://testserver/"})
        if user is not None:
            self.client.force_login(user)
        self.text, self.status, self.path, self.fragment = "", 0, "", ""

    def open(self, name: str, *args: object, query: str = "") -> "Browser":
        return self.go(reverse(name, args=args) + query)

    def go(self, path: str) -> "Browser":
        return self._answered(self.client.get(path, follow=True), path)

    def press(self, words: str, /, *, nth: int = 0, **typed: object) -> "Browser":
        """Presses the button with these words, after typing into the fields of its form."""
        form, button = self.buttons(words)[nth]
        unknown = set(typed) - form.names
        assert not unknown, f"no field {unknown} beside “{words}”"
        sent = {**form.fields, **{name: value for name, value in typed.items() if value is not None}}
        if button.name:
            sent[button.name] = button.value
        path = button.action or form.action or self.path
        here = {"HTTP_REFERER": f"http://testserver{self.path}"}
        send = self.client.post if form.method == "post" else self.client.get
        return self._answered(send(path, sent, follow=True, **here), path)

    def follow(self, words: str, nth: int = 0) -> "Browser":
        """Follows the link with these words."""
        links = re.findall(r'<a [^>]*?href="([^"]*)"[^>]*>(.*?)</a>', self.text, re.DOTALL)
        addresses = [unescape(address) for address, text in links if words in text]
        assert addresses, f"no link “{words}” on {self.path}"
        return self.go(urljoin(self.path, addresses[nth]).partition("#")[0])

    def buttons(self, words: str) -> list[tuple[Form, Button]]:
        matching = [
            (form, button)
            for form in Forms(self.text).forms
            for button in form.buttons
            if words in " ".join(button.text.split())
        ]
        assert matching, f"no button “{words}” on {self.path}"
        return matching

    def has_button(self, words: str) -> bool:
        everything = [button for form in Forms(self.text).forms for button in form.buttons]
        return any(words in " ".join(button.text.split()) for button in everything)

    def fields(self, words: str, nth: int = 0) -> dict[str, str]:
        """The fields of the form of this button."""
        return self.buttons(words)[nth][0].fields

    def says(self, words: str) -> bool:
        return words in self.text

    def _answered(self, response, path: str) -> "Browser":
        self.text, self.status = response.content.decode(), response.status_code
        if response.redirect_chain:
            path = response.redirect_chain[-1][0].removeprefix("http://testserver")
        self.path, _, self.fragment = path.partition("#")
        return self
