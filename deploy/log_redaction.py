"""Keeps out of the log whatever opens something: tokens in addresses and headers, passwords in addresses of servers."""

import logging
import re

REDACTED = "…"
SECRETS = (
    re.compile(r"(?<=/p/)[^/\s\"'?]+|(?<=/d/)[^/\s\"'?]+|(?<=/sign-in/)[^/\s\"'?]+"),
    re.compile(
        r"(?i)(?<=bearer )[^\s;,\"']+|(?<=sessionid=)[^\s;,\"']+|(?<=csrftoken=)[^\s;,\"']+|(?<=link=)[^\s;,\"']+"
    ),
    re.compile(r"(?i)(?<=password=)[^\s&;,\"']+"),
    re.compile(r"(?<=:)[^/\s:@]+(?=@)"),
    # A token of ours, wherever somebody put it: 22 letters, large and small. A word of that length is no loss.
    re.compile(r"(?<![\w-])(?=[\w-]*[A-Z])(?=[\w-]*[a-z])[\w-]{22}(?![\w-])"),
)
_formatter = logging.Formatter()


class RedactSecrets(logging.Filter):
    """For a handler; changes what is said, drops nothing."""

    def filter(self, record: logging.LogRecord) -> bool:
        message = _message(record)
        cleaned = redact(message)
        if cleaned != message:
            record.msg, record.args = cleaned, ()
        if record.exc_info and record.exc_info[0] is not None:
            record.exc_text = redact(_formatter.formatException(record.exc_info))
        return True


def _message(record: logging.LogRecord) -> str:
    """A line whose words and values do not fit is no fault of whoever was just answered."""
    try:
        return record.getMessage()
    except Exception:  # noqa: BLE001 (whatever the values do when they are written)
        record.msg, record.args = f"{record.msg} (its values do not fit)", ()
        return record.getMessage()


def redact(text: str) -> str:
    for secret in SECRETS:
        text = secret.sub(REDACTED, text)
    return text
