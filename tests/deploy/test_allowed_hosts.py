"""Host names: a hall without a domain name accepts IP addresses, localhost and local names only."""

import pytest
from django.test import Client

HALL = ["*", "localhost", ".local"]


@pytest.fixture(autouse=True)
def _in_a_hall(settings):
    settings.ALLOWED_HOSTS, settings.ADDRESSES_AND_NAMES = HALL, True
    settings.HALL_HTTPS = "https://hall.example.org:8443"


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1:8000", "192.168.0.7", "10.1.2.3:80", "[::1]:8000", "[fe80::1]", "localhost:8000", "hall.local",
     "HALL.local:8000", "hall.local.", "hall.example.org:8443"],
)  # fmt: skip
def test_ip_addresses_and_local_names_are_allowed(host):
    assert Client().get("/robots.txt", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example.org", "local.example.org", "127.0.0.1.example.org", "hall", "x.localhost.example.org",
     "1.2.3.4.5", "nothall.example.org", "x.hall.example.org", "hall.example.org.evil.com", "a b", "[x]"],
)  # fmt: skip
@pytest.mark.parametrize("path", ["/robots.txt", "/", "/api/v1/events/", "/reach/check/"])
def test_other_host_names_get_400(host, path):
    answer = Client().get(path, headers={"host": host})
    assert (answer.status_code, answer["Content-Type"]) == (400, "text/plain; charset=utf-8")
    assert answer.content.count(b"\n") == 1
    assert host not in answer.content.decode()


def test_health_checks_accept_any_host_name():
    assert Client().get("/healthz", headers={"host": "evil.example.org"}).status_code == 200


def test_only_the_names_in_allowed_hosts_are_allowed(settings):
    settings.ALLOWED_HOSTS, settings.ADDRESSES_AND_NAMES = ["play.example.org"], False
    assert Client().get("/robots.txt", headers={"host": "play.example.org"}).status_code == 200
    assert Client().get("/robots.txt", headers={"host": "192.168.0.7"}).status_code == 400
