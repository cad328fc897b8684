"""What the log makes of faults that are expected: one line, and not the path through forty files that led to them.

A crashed broker, a database that restarts or a killed worker is nothing to read code for. Everything else keeps its
traceback.
"""

import logging
from collections.abc import Iterator

from billiard.exceptions import WorkerLostError
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from tournament import outages

EXPECTED = (RedisError, OperationalError, ConnectionError, WorkerLostError)
NOT_JUST_NOW = 503


class OneLine(logging.Filter):
    """For a handler. Shortens what expected faults say; drops what is told once elsewhere."""

    def filter(self, record: logging.LogRecord) -> bool:
        if getattr(record, "status_code", 0) == NOT_JUST_NOW:
            return False
        error = record.exc_info[1] if record.exc_info else None
        if error is not None and is_expected(error):
            record.msg = (
                f"{_first_line(record.getMessage())} ({type(error).__name__}: {_first_line(str(error))})"
            )
            record.args, record.exc_info, record.exc_text = (), None, None
        return True


def is_expected(error: BaseException) -> bool:
    return any(isinstance(one, EXPECTED) or outages.trouble_of(one) for one in _causes(error))


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__


def _first_line(text: str) -> str:
    return (text.strip().splitlines() or [""])[0]
