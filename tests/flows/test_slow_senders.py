"""Slow senders outnumber the threads of the server, and other requests are still served."""

import socket
from contextlib import ExitStack
from urllib.parse import urlsplit

import requests

from tests.flows.waiting import LONGEST_WAIT

SLOW, LONG = 20, 1_200_000
"""More than the threads of a stage's web servers, and more than is handed to one in a piece."""
HEAD = (
    b"POST /sign-in/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    b"Cookie: csrftoken=" + b"x" * 32 + b"\r\nContent-Length: %d\r\n\r\nx" % LONG
)
"""With a secret, so that the form has to be read before anything can be said."""


def test_slow_senders_delay_no_other_request_and_are_answered(stage):
    address = urlsplit(stage.url)
    with ExitStack() as opened:
        slow = [
            opened.enter_context(socket.create_connection((address.hostname, address.port), LONGEST_WAIT))
            for _ in range(SLOW)
        ]
        for sender in slow:
            sender.sendall(HEAD)
        assert requests.get(f"{stage.url}/reach/", timeout=LONGEST_WAIT).status_code == 200
        assert requests.post(f"{stage.url}/api/v1/events/", json={}, timeout=LONGEST_WAIT).status_code == 401
        for sender in slow:
            sender.sendall(b"x" * (LONG - 1))
        assert {sender.recv(12) for sender in slow} == {b"HTTP/1.1 403"}, "a form with another secret"


def test_an_overlong_url_is_refused_with_the_usual_headers(stage):
    answer = requests.get(f"{stage.url}/reach/", params={"x": "y" * 9000}, timeout=LONGEST_WAIT)
    assert (answer.status_code, answer.headers["X-Content-Type-Options"]) == (414, "nosniff")
    assert requests.get(f"{stage.url}/reach/", timeout=LONGEST_WAIT).status_code == 200
