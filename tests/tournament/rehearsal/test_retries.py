"""Simulated people repeat the same request while the server is unavailable."""

import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest

from tournament.rehearsal.counts import Counts, Stopped
from tournament.rehearsal.patience import Patience, PatientWire

GAME = {"key": "0b0f5a34-9c1c-4d3e-8a55-7a3f0f4c9c11"}
NOTHING = b""
HALF = b"HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n{"


def answer(status: int, *headers: str) -> bytes:
    return "\r\n".join(
        (f"HTTP/1.1 {status} So", "Content-Length: 0", "Connection: close", *headers, "", "")
    ).encode()


@contextmanager
def server(*answers: bytes) -> Iterator[tuple[str, Sequence[bytes]]]:
    """Sends each connection the next answer and closes it; yields the URL and the received requests."""
    requests: list[bytes] = []

    def serve() -> None:
        for answer_bytes in answers:
            client, _ = listening.accept()
            with client:
                requests.append(client.recv(65536).partition(b"\r\n\r\n")[2] or client.recv(65536))
                client.sendall(answer_bytes)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}", requests
        thread.join()


def test_an_identical_game_is_resent_until_it_is_accepted():
    later = answer(503, "Retry-After: 0"), answer(429, "retry-after: 0")
    counts = Counts(most=20)
    with server(answer(200), NOTHING, NOTHING, NOTHING, HALF, *later, answer(201)) as (url, requests):
        phone = PatientWire(url, "", Patience(counts))
        assert phone.post("/games/", GAME).status == 200
        assert phone.post("/games/", GAME).status == 201
    assert len(requests) == 8
    assert len(set(requests)) == 1
    assert counts.requests in (7, 8)  # an idle connection that was closed is no try of its own


def test_an_unanswered_first_request_is_not_retried_and_an_error_ends_the_rehearsal():
    away, failed = answer(503, "Retry-After: 0"), answer(500)
    with server(away, failed) as (url, requests):
        for status in (503, 500):
            with pytest.raises(Stopped, match=f"failed at /games/ with {status}"):
                PatientWire(url, "", Patience(Counts(most=20))).post("/games/", GAME)
    assert len(requests) == 2
    with pytest.raises(ConnectionRefusedError):
        PatientWire(url, "", Patience(Counts(most=20))).post("/games/", GAME)
