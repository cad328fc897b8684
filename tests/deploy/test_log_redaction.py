"""Secrets are removed from log lines, and nothing else."""

import logging
import sys

import pytest

from deploy.log_redaction import RedactSecrets, redact


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Not Found: /p/abc-DEF_1/", "Not Found: /p/…/"),
        ("Gone: /k/abc/check-in/ and /s/7KQ4M/", "Gone: /k/…/check-in/ and /s/…/"),
        ("Gone: /d/abc/picture/1/ and /sign-in/x/", "Gone: /d/…/picture/1/ and /sign-in/…/"),
        ("Authorization: Bearer abc, x", "Authorization: Bearer …, x"),
        ("Cookie: sessionid=abc; link=a.b; followed=1", "Cookie: sessionid=…; link=…; followed=1"),
        ("GET /e/open/?round=2&key=0123456789abcdef", "GET /e/open/?round=2&key=…"),
        ("postgres://director:word@host/db", "postgres://director:…@host/db"),
        ("host=here password=word dbname=x", "host=here password=… dbname=x"),
        ("Bad Request: /e/open/desk/", "Bad Request: /e/open/desk/"),
        ("at 12:30:11 ana@example.org", "at 12:30:11 ana@example.org"),
    ],
)
def test_secrets_and_nothing_else_are_redacted(text, expected):
    assert redact(text) == expected


def test_a_token_is_redacted_anywhere_in_the_text():
    token = "8YIIFRWE5gBmPKRabs3glg"
    assert redact(f"Not Found: /api/v1/matches/{token}/?{token}") == "Not Found: /api/v1/matches/…/?…"


def test_a_log_call_with_wrong_arguments_does_not_fail():
    record = logging.LogRecord("x", logging.ERROR, "", 1, "%d results", ("some",), None)
    assert RedactSecrets().filter(record)
    assert record.getMessage() == "%d results (its arguments do not match)"


def test_arguments_and_tracebacks_are_redacted():
    try:
        raise ValueError("no such link: /p/tell-nobody/")
    except ValueError:
        record = logging.LogRecord("x", logging.ERROR, "", 1, "at %s", ("/p/tell-nobody/",), sys.exc_info())
    assert RedactSecrets().filter(record)
    text = logging.Formatter().format(record)
    assert "at /p/…/" in text
    assert "ValueError" in text
    assert "tell-nobody" not in text
