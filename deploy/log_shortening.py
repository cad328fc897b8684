"""Logs expected errors in one line without a traceback.

Expected are a broker that crashed, a database that restarts and a killed worker. Other errors keep their traceback.
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
    """A filter for log handlers. Repeats an expected error only after REPEAT_SECONDS.

    Drops 503 responses, because `database_faults` logs their cause once.
    """

    def __init__(self) -> None:
        super().__init__()
        self._logged_at: dict[tuple[str, object], float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        if getattr(record, "status_code", 0) == SERVICE_UNAVAILABLE:
            return False
        error = record.exc_info[1] if record.exc_info else None
        if error is None or not is_expected(error):
            return True
        # The client chooses the text of an invalid host, so all of them count as one message.
        template = type(error) if isinstance(error, DisallowedHost) else record.msg
        template, now = (record.name, template), time.monotonic()
        is_repeated = now - self._logged_at.get(template, -REPEAT_SECONDS) < REPEAT_SECONDS
        if not is_repeated:
            self._logged_at[template] = now
            record.msg = (
                f"{_first_line(record.getMessage())} ({type(error).__name__}: {_first_line(str(error))})"
            )
            record.args, record.exc_info, record.exc_text = (), None, None
        return not is_repeated


def is_expected(error: BaseException) -> bool:
    return any(
        isinstance(cause, EXPECTED_ERRORS) or database_faults.classify(cause) for cause in _causes(error)
    )


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _first_line(text: str) -> str:
    return (text.strip().splitlines() or [""])[0]
