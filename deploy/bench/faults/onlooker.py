"""Somebody who looks on at a page that was opened once, as `live.js` does: told of a change, it asks for that part."""

import threading
from http.client import HTTPException
from types import TracebackType
from typing import Self
from urllib.request import urlopen

RECONNECT_SECONDS = 2.0
ASK_AGAIN_SECONDS = 5.0
LONGEST_SILENCE = 20.0


class Onlooker:
    """Looks on, in a thread of its own, while the block runs."""

    def __init__(self, url: str, bracket: str, page: str) -> None:
        self._stream = f"{url}/live/?bracket={bracket}"
        self._page = f"{url}{page}"
        self._shown = ""
        self._is_over = threading.Event()

    def __enter__(self) -> Self:
        threading.Thread(target=self._look_on, daemon=True).start()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _where: TracebackType | None
    ) -> None:
        self._is_over.set()

    def sees_all(self) -> bool:
        """Whether what is shown is what whoever opens the page now would see."""
        shown = self._shown
        try:
            return bool(shown) and self._asked() == shown
        except (OSError, HTTPException):
            return False

    def _look_on(self) -> None:
        while not self._is_over.is_set():
            try:
                with urlopen(self._stream, timeout=LONGEST_SILENCE) as stream:  # noqa: S310 (our own)
                    for line in stream:
                        if self._is_over.is_set():
                            return
                        if line.startswith(b"data:"):
                            self._look()
            except (OSError, HTTPException):
                pass
            self._is_over.wait(RECONNECT_SECONDS)

    def _look(self) -> None:
        """Asks until it is answered."""
        while not self._is_over.is_set():
            try:
                self._shown = self._asked()
            except (OSError, HTTPException):
                self._is_over.wait(ASK_AGAIN_SECONDS)
            else:
                return

    def _asked(self) -> str:
        """What stands for the whole of the answer."""
        with urlopen(self._page, timeout=LONGEST_SILENCE) as answer:  # noqa: S310 (our own)
            return str(answer.headers["ETag"] or answer.read().decode())
