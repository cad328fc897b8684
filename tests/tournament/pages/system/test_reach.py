"""The network check and health checks."""

import socket
from contextlib import closing
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.tournament import stories
from tournament.access import permissions
from tournament.accounts import links
from tournament.models import Result
from tournament.queries.readiness import Readiness
from tournament.web import addresses

pytestmark = pytest.mark.django_db

PHONE = "192.168.7.23"


@pytest.fixture
def free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_on_the_laptop_the_page_asks_for_a_phone():
    page = Client(REMOTE_ADDR="127.0.0.1").get("/reach/").content.decode()
    assert "This is the computer that runs the event" in page
    assert "data-laptop" in page


def test_on_a_phone_the_page_confirms_the_connection():
    page = Client(REMOTE_ADDR=PHONE).get("/reach/").content.decode()
    assert "it can reach the computer that runs the event" in page
    assert PHONE in page
    assert "data-laptop" not in page


def test_the_laptop_shows_the_last_phone():
    laptop = Client(REMOTE_ADDR="127.0.0.1")
    assert laptop.get("/reach/check/").json() == {"you": "127.0.0.1", "seen": ""}
    Client(REMOTE_ADDR=PHONE).get("/reach/")
    assert laptop.get("/reach/check/").json()["seen"] == PHONE
    assert "Phones can reach it" in laptop.get("/reach/").content.decode()


@pytest.mark.parametrize("address", [PHONE, "127.0.0.1"])
def test_the_last_visitor_is_shown_at_the_laptop_alone_and_never_by_a_public_server(address, settings):
    Client(REMOTE_ADDR="192.168.7.99").get("/reach/")
    settings.PUBLIC_URL = "https://director.example" if address == "127.0.0.1" else ""
    client = Client(REMOTE_ADDR=address)
    assert client.get("/reach/check/").json()["seen"] == ""
    assert "192.168.7.99" not in client.get("/reach/").content.decode()


def test_only_the_own_port_is_checked_and_only_for_the_laptop(monkeypatch):
    tried = []
    monkeypatch.setattr(addresses, "_outgoing_address", lambda: ["10.20.30.40"])
    monkeypatch.setattr("tournament.pages.system.reach.listens_at", lambda address, port: tried.append(port))
    headers, port = {"Host": "localhost:22"}, {"SERVER_PORT": "8000"}
    Client(REMOTE_ADDR=PHONE, headers=headers).get("/reach/", **port)
    assert tried == []
    Client(REMOTE_ADDR="127.0.0.1", headers=headers).get("/reach/", **port)
    assert set(tried) == {8000}


def test_without_a_network_the_page_says_so(monkeypatch):
    monkeypatch.setattr(addresses, "_outgoing_address", list)
    monkeypatch.setattr(addresses, "_interface_addresses", list)
    page = Client(REMOTE_ADDR="127.0.0.1", SERVER_NAME="localhost").get("/reach/").content.decode()
    assert "This computer is on no network" in page


def test_the_page_names_a_server_that_listens_locally_only(monkeypatch, free_port):
    monkeypatch.setattr(addresses, "_outgoing_address", lambda: ["10.20.30.40"])
    client = Client(
        REMOTE_ADDR="127.0.0.1", headers={"Host": f"localhost:{free_port}"}, SERVER_PORT=str(free_port)
    )
    monkeypatch.setattr("tournament.pages.system.reach.listens_at", lambda address, port: False)
    page = client.get("/reach/", SERVER_PORT=str(free_port)).content.decode()
    assert "accepts connections from this computer only" in page
    assert f"http://10.20.30.40:{free_port}" in page


def test_over_hall_https_the_page_shows_the_plain_http_address(settings, monkeypatch):
    """A phone that trusts nobody yet meets no warning, whoever shows it the way."""
    settings.HALL_HTTPS = "https://hall.test:8443"
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    monkeypatch.setattr(addresses, "_outgoing_address", lambda: ["10.20.30.40"])
    monkeypatch.setattr(addresses, "_interface_addresses", list)
    come = {"HTTP_HOST": "hall.test:8443", "HTTP_X_FORWARDED_PROTO": "https"}
    port = {"SERVER_PORT": "8000"}
    owner = stories.director()
    event = stories.event(owner)
    laptop = Client(REMOTE_ADDR="127.0.0.1", **come)
    laptop.force_login(owner.user)
    for listens, way in ((True, "http://10.20.30.40:8000"), (False, "https://hall.test:8443")):
        monkeypatch.setattr(
            "tournament.pages.system.hall_https.listens_at", lambda address, port, listens=listens: listens
        )
        printed = laptop.get(reverse("poster-print", args=[event.slug]), **port).content.decode()
        assert f"{way}{reverse('poster', args=[event.slug])}" in printed
        assert f"{way}<" in laptop.get("/reach/", **port).content.decode()
    assert "https://10.20.30.40" not in laptop.get("/reach/", **port).content.decode()


def test_a_phone_that_changes_to_https_keeps_its_player(settings, hall):
    settings.HALL_HTTPS = "https://hall.test:8443"
    phone, token = Client(), links.make_link(hall.pairing.left, hall.owner)
    assert phone.get("/reach/https/")["Location"] == "https://hall.test:8443/reach/"
    phone.get(f"/p/{token}/")
    assert 'href="/reach/https/"' in phone.get("/reach/").content.decode()
    assert phone.get("/reach/https/")["Location"] == f"https://hall.test:8443/p/{token}/"
    links.revoke(permissions.open_link(token), hall.owner)
    assert phone.get("/reach/https/")["Location"] == "https://hall.test:8443/reach/"
    settings.HALL_HTTPS = ""
    assert phone.get("/reach/https/").status_code == 404


def test_the_public_address_from_the_settings_is_shown(settings):
    settings.PUBLIC_URL = "https://director.example"
    page = Client(REMOTE_ADDR="127.0.0.1").get("/reach/").content.decode()
    assert "https://director.example" in page
    assert "If the phone cannot open the page" not in page


def test_listens_at_detects_a_listening_port(free_port):
    assert not addresses.listens_at("127.0.0.1", free_port)
    with closing(socket.socket()) as server:
        server.bind(("127.0.0.1", free_port))
        server.listen()
        assert addresses.listens_at("127.0.0.1", free_port)


def test_addresses_that_phones_cannot_use_are_left_out(monkeypatch):
    monkeypatch.setattr(addresses, "_outgoing_address", lambda: ["169.254.3.4", "192.168.1.5"])
    monkeypatch.setattr(addresses, "_interface_addresses", lambda: ["127.0.0.1", "192.168.1.5", "0.0.0.0"])
    assert addresses.network_addresses() == ["192.168.1.5"]


def test_the_process_answers_without_asking_anything(django_assert_num_queries):
    with django_assert_num_queries(0):
        assert Client().get("/healthz").content == b"ok\n"


def test_readiness_names_the_age_of_the_oldest_result_that_waits(hall):
    calm = Client().get("/readyz")
    assert calm.status_code == 200
    assert calm.json()["oldest_result_waiting_seconds"] is None
    result = stories.post(hall.pairing, hall.owner)
    Result.objects.filter(pk=result.pk).update(posted_at=timezone.now() - timedelta(minutes=2))
    waiting = Client().get("/readyz").json()
    assert waiting["ready"]
    assert waiting["oldest_result_waiting_seconds"] >= 120
    assert (calm.json()["says"], waiting["says"][:29]) == ("All is well.", "A result waits to be advanced")


def test_without_its_database_it_is_not_ready_and_without_its_broker_it_is():
    no_database, no_broker = Readiness(database=False, broker=True), Readiness(database=True, broker=False)
    assert (no_database.is_ready, no_broker.is_ready) == (False, True)
    assert no_database.says.startswith("The database does not answer")
    assert no_broker.says.startswith("Redis does not answer")
