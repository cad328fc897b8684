"""What the log makes of faults that are expected: one line, and not the path through forty files that led to them.

A crashed broker, a database that restarts or a killed worker is nothing to read code for. Everything else keeps its
traceback.
"""

import logging
import time
from collections.abc import Iterator

from billiard.exceptions import WorkerLostError
from django.core.exceptions import DisallowedHost
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from tournament.runtime import database_faults

EXPECTED_ERRORS = (RedisError, OperationalError, ConnectionError, WorkerLostError, DisallowedHost)
SERVICE_UNAVAILABLE = 503
REPEAT_SECONDS = 30.0


class ShortenExpectedErrors(logging.Filter):
    """For a handler. Shortens what expected faults say, and says it again only after a while; drops what is told once
    elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self._logged_at: dict[tuple[str, object], float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        if getattr(record, "status_code", 0) == SERVICE_UNAVAILABLE:
            return False
        error = record.exc_info[1] if record.exc_info else None
        if error is None or not is_expected(error):
            return True
        # A visitor chooses what a malformed host says: all of them are one template.
        template = type(error) if isinstance(error, DisallowedHost) else record.msg
        template, now = (record.name, template), time.monotonic()
        was_told = now - self._logged_at.get(template, -REPEAT_SECONDS) < REPEAT_SECONDS
        if not was_told:
            self._logged_at[template] = now
            record.msg = (
                f"{_first_line(record.getMessage())} ({type(error).__name__}: {_first_line(str(error))})"
            )
            record.args, record.exc_info, record.exc_text = (), None, None
        return not was_told


def is_expected(error: BaseException) -> bool:
    return any(
        isinstance(cause, EXPECTED_ERRORS) or database_faults.trouble_of(cause) for cause in _causes(error)
    )


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """What led to it, whether it was raised from that or while that was dealt with."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _first_line(text: str) -> str:
    return (text.strip().splitlines() or [""])[0]
