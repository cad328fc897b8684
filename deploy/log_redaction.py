"""Removes secrets from log lines: tokens in URLs and headers, passwords in server URLs."""

import logging
import re

REDACTED = "…"
SECRETS = (
    re.compile(r"(?<=/p/)[^/\s\"'?]+|(?<=/d/)[^/\s\"'?]+|(?<=/[ks]/)[^/\s\"'?]+|(?<=/sign-in/)[^/\s\"'?]+"),
    re.compile(
        r"(?i)(?<=bearer )[^\s;,\"']+|(?<=sessionid=)[^\s;,\"']+|(?<=csrftoken=)[^\s;,\"']+|(?<=link=)[^\s;,\"']+"
    ),
    # Keys of events that are visible by link: in addresses, and in the cookie.
    re.compile(r"(?<=[?&]key=)[0-9a-f]+|(?<=visibility=)[0-9a-f.]{32,}"),
    re.compile(r"(?i)(?<=password=)[^\s&;,\"']+"),
    re.compile(r"(?<=:)[^/\s:@]+(?=@)"),
    # A token of this program anywhere in the text: 22 characters in mixed case. Ordinary words are rarely that long.
    re.compile(r"(?<![\w-])(?=[\w-]*[A-Z])(?=[\w-]*[a-z])[\w-]{22}(?![\w-])"),
)
_formatter = logging.Formatter()


class RedactSecrets(logging.Filter):
    """A filter for log handlers. Drops no lines."""

    def filter(self, record: logging.LogRecord) -> bool:
        message = _message(record)
        cleaned = redact(message)
        if cleaned != message:
            record.msg, record.args = cleaned, ()
        if record.exc_info and record.exc_info[0] is not None:
            record.exc_text = redact(_formatter.formatException(record.exc_info))
        return True


def _message(record: logging.LogRecord) -> str:
    """Returns the formatted message. A broken log call must not break the request that made it."""
    try:
        return record.getMessage()
    except Exception:  # noqa: BLE001 (formatting calls str() of arbitrary values)
        record.msg, record.args = f"{record.msg} (its arguments do not match)", ()
        return record.getMessage()


def redact(text: str) -> str:
    for secret in SECRETS:
        text = secret.sub(REDACTED, text)
    return text
