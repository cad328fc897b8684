"""A director's browser without a screen: cookies, forms, and the text of pages."""

import urllib.request
from http.cookiejar import CookieJar
from urllib.parse import urlencode

from tests.flows.waiting import LONGEST_WAIT


class Browser:
    def __init__(self, url: str) -> None:
        self.url = url
        self.cookies = CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))

    def read(self, path: str) -> str:
        with self._opener.open(self.url + path, timeout=LONGEST_WAIT) as page:
            return str(page.read().decode())

    def submit(self, path: str, **fields: str) -> str:
        """Sends a form of a page that was read before."""
        token = next((cookie.value or "" for cookie in self.cookies if cookie.name == "csrftoken"), "")
        body = urlencode({"csrfmiddlewaretoken": token, **fields}).encode()
        with self._opener.open(self.url + path, body, timeout=LONGEST_WAIT) as page:
            return str(page.read().decode())

    def sign_in(self, link: str) -> None:
        """Uses a one-time sign-in link."""
        self.read(link)
        self.submit(link)
