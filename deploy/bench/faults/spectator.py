"""A page that is opened once and updated as `updates.js` updates it: after a change it requests the live part."""

import threading
from http.client import HTTPException
from typing import Self
from urllib.request import urlopen

RECONNECT_SECONDS = 2.0
RETRY_SECONDS = 5.0
TIMEOUT = 20.0


class Spectator:
    """Follows a bracket in its own thread within the block. `page` is the path of the page's live part."""

    def __init__(self, url: str, bracket: str, page: str) -> None:
        self._stream = f"{url}/live/?bracket={bracket}"
        self._page = f"{url}{page}"
        self._shown = ""
        self._is_over = threading.Event()

    def __enter__(self) -> Self:
        threading.Thread(target=self._follow, daemon=True).start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._is_over.set()

    def page_is_current(self) -> bool:
        """Compares the page with a new request for it. False when that is not answered."""
        current = self._shown
        try:
            return bool(current) and self._request_page() == current
        except (OSError, HTTPException):
            return False

    def _follow(self) -> None:
        while not self._is_over.is_set():
            try:
                with urlopen(self._stream, timeout=TIMEOUT) as stream:  # noqa: S310 (our own)
                    for line in stream:
                        if self._is_over.is_set():
                            return
                        if line.startswith(b"data:"):
                            self._update()
            except (OSError, HTTPException):
                pass
            self._is_over.wait(RECONNECT_SECONDS)

    def _update(self) -> None:
        """Retries until the request is answered."""
        while not self._is_over.is_set():
            try:
                self._shown = self._request_page()
            except (OSError, HTTPException):
                self._is_over.wait(RETRY_SECONDS)
            else:
                return

    def _request_page(self) -> str:
        """The ETag of the answer, or its text where it has none."""
        with urlopen(self._page, timeout=TIMEOUT) as answer:  # noqa: S310 (our own)
            return str(answer.headers["ETag"] or answer.read().decode())
