"""`manage.py up --https`, with phones that trust the hall's certificate authority and phones that do not.

Second factors in a real browser: a passkey of a virtual authenticator, and an authenticator app.
"""

import base64
import hashlib
import http.client
import json
import os
import re
import shutil
import signal
import socket
import ssl
import struct
import subprocess
import time
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from playwright.sync_api import Page, expect, sync_playwright
from uvicorn import Config

from deploy.hall_https import HallHttps, NoHttps, environment, write_caddy_settings
from tests import apt, browsers, database_template
from tests.flows.page_checks import PHONE
from tests.laptop.running import PATIENCE, Up, free_port, stop_cleanly, until
from tests.tournament.pages.accounts.test_second_factor import code_of

NAME = "hall.test"
PERSONAL = "nobody-else-reads-this"
A_DAY_FAST = 2 * 24 * 3600
METRICS_TOKEN, CLIENTS = "metrics-token", 8
LEFT_BLANK = {"REDIS_URL": "", "COPY_DIR": " ", "LOG_LEVEL": ""}
PASSWORD = "five-point-prime-77"
AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture(scope="module")
def caddy() -> None:
    if not shutil.which("caddy"):
        apt.install("caddy", "Caddy")


@pytest.fixture(scope="module")
def over_https(tmp_path_factory, caddy) -> Iterator[Up]:
    """An installation on a PostgreSQL database that has all tables already. The last test stops it."""
    port, name = free_port(), f"https_{os.getpid()}"
    url = database_template.create(name, database_template.database_name(database_template.template_url()))
    folder = tmp_path_factory.mktemp("https") / "data"
    variables = {"DATABASE_URL": url, "METRICS_TOKEN": METRICS_TOKEN, **LEFT_BLANK}
    running = Up(folder, "--https", NAME, "--https-port", str(port), **variables)
    running.https_port = port
    try:
        yield running.ready()
    finally:
        running.stop()
        database_template.drop(name)


def test_trusting_phones_use_https_and_others_plain_http(over_https):
    key = over_https.data / "https" / "pki" / "authorities" / "local" / "root.key"
    assert until(key.exists, "the authority's key")
    assert (over_https.data / "https").stat().st_mode & 0o077 == 0
    assert f"Over HTTPS:              https://{NAME}:" in over_https.output
    authority = get_over_http(over_https, "/reach/certificate/")
    assert "BEGIN CERTIFICATE" in authority
    trusting = ssl.create_default_context(cadata=authority)
    status, output = until(lambda: get_over_https(over_https, "/reach/", trusting), "the page over HTTPS")
    assert status == 200
    assert f"https://{NAME}:{over_https.https_port}" in output
    disconnect_during_a_page(over_https, trusting)
    by_address = get_over_https(over_https, "/reach/", trusting, host="127.0.0.1")
    assert by_address is not None
    assert "the computer that runs the event" in by_address[1]
    expires_at = ssl.cert_time_to_seconds(connect(over_https, trusting).sock.getpeercert()["notAfter"])
    assert expires_at - time.time() > A_DAY_FAST, "valid for a phone whose clock is fast"
    cookie = cookie_over_https(over_https, trusting)
    assert "csrftoken" in cookie
    assert "secure" not in cookie.lower(), "the phone may return over plain HTTP"
    with pytest.raises(ssl.SSLCertVerificationError):
        connect(over_https, ssl.create_default_context())
    assert "aborting" not in over_https.output, "a disconnected phone is not an error"


def test_a_web_server_outage_is_logged_without_personal_links(tmp_path, caddy):
    hall, output = HallHttps(NAME, free_port()), tmp_path / "output"
    with (
        output.open("w") as out,
        subprocess.Popen(write_caddy_settings(hall, tmp_path, free_port()), stderr=out) as running,
    ):
        try:
            until(
                lambda: status_over_https(hall.port, f"/p/{PERSONAL}/") == HTTPStatus.BAD_GATEWAY,
                "its answer",
            )
            until(lambda: "connection refused" in output.read_text(), "the reason")
        finally:
            running.terminate()
    assert PERSONAL not in output.read_text()


def status_over_https(port: int, path: str) -> int:
    trust = ssl.create_default_context()
    trust.check_hostname, trust.verify_mode = False, ssl.CERT_NONE
    connection = http.client.HTTPSConnection("127.0.0.1", port, context=trust, timeout=PATIENCE)
    try:
        connection.request("GET", path, headers={"Host": f"{NAME}:{port}"})
        return connection.getresponse().status
    except OSError:
        return 0


def test_impossible_https_options_give_one_sentence(tmp_path):
    running = Up(tmp_path / "data", "--https", "not a name")
    assert running.process.wait(PATIENCE) == 2
    assert "is not a valid host name" in running.output
    assert "Traceback" not in running.output


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (HallHttps(NAME, 8443, Path("nowhere.pem")), "give both"),
        (HallHttps(NAME, 8443, Path("nowhere.pem"), Path("nowhere.key")), "There is no file nowhere.pem"),
        (HallHttps("Hall.test", 8443), "not a valid host name"),
        (HallHttps(NAME, 8443), "apt install caddy"),
    ],
)
def test_invalid_https_options_write_no_settings(tmp_path, monkeypatch, options, sentence):
    monkeypatch.setenv("PATH", str(tmp_path))  # an empty folder
    with pytest.raises(NoHttps, match=sentence):
        write_caddy_settings(options, tmp_path, 8000)
    assert list(tmp_path.iterdir()) == []


def test_a_real_certificate_makes_the_name_the_public_address(tmp_path, caddy):
    files = [tmp_path / "hall.pem", tmp_path / "hall.key"]
    for file in files:
        file.write_text("not looked at here")
    hall = HallHttps("play.example.org", 443, *files)
    settings = json.loads(Path(write_caddy_settings(hall, tmp_path, 8000)[-1]).read_text())
    loaded = settings["apps"]["tls"]["certificates"]["load_files"]
    assert loaded == [{"certificate": str(files[0]), "key": str(files[1])}]
    assert "pki" not in settings["apps"]
    proxy = settings["apps"]["http"]["servers"]["hall"]["routes"][0]["handle"][0]
    idle = int(proxy["transport"]["keep_alive"]["idle_timeout"].removesuffix("s"))
    assert idle < Config("").timeout_keep_alive, "Caddy closes idle connections first"
    assert environment(hall, tmp_path)["PUBLIC_URL"] == "https://play.example.org"


def connect(running: Up, trust: ssl.SSLContext) -> http.client.HTTPSConnection:
    """Connects to this machine under the test name, used in the handshake and in the header."""
    connection = _NamedConnection("127.0.0.1", running.https_port, context=trust, timeout=PATIENCE)
    connection.connect()
    return connection


class _NamedConnection(http.client.HTTPSConnection):
    def connect(self) -> None:
        http.client.HTTPConnection.connect(self)
        self.sock = self._context.wrap_socket(self.sock, server_hostname=NAME)


def get_over_https(running: Up, path: str, trust: ssl.SSLContext, host: str = NAME) -> tuple[int, str] | None:
    try:
        connection = connect(running, trust)
    except OSError:
        return None
    connection.request("GET", path, headers={"Host": f"{host}:{running.https_port}"})
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def disconnect_during_a_page(running: Up, trust: ssl.SSLContext) -> None:
    """Resets the connection during the largest response, as a sleeping phone does."""
    connection = connect(running, trust)
    connection.request("GET", "/api/v1/schema/?format=json", headers={"Host": f"{NAME}:{running.https_port}"})
    connection.sock.recv(100)
    connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def cookie_over_https(running: Up, trust: ssl.SSLContext) -> str:
    """Returns the cookie of a form that was requested over HTTPS."""
    connection = connect(running, trust)
    connection.request("GET", "/sign-in/", headers={"Host": f"{NAME}:{running.https_port}"})
    answer = connection.getresponse()
    answer.read()
    return answer.headers.get("Set-Cookie", "")


def get_over_http(running: Up, path: str) -> str:
    connection = http.client.HTTPConnection("127.0.0.1", running.port, timeout=PATIENCE)
    connection.request("GET", path)
    answer = connection.getresponse()
    assert answer.status == 200, path
    return answer.read().decode()


@pytest.fixture
def page(over_https: Up) -> Iterator[Page]:
    """Opens a page that trusts the certificate, because browsers refuse passkeys after a certificate warning."""
    with sync_playwright() as started:
        window = browsers.launch(
            started,
            f"--host-resolver-rules=MAP {NAME} 127.0.0.1",
            f"--ignore-certificate-errors-spki-list={fingerprint(over_https.https_port)}",
        )
        page = window.new_context(
            viewport=PHONE, base_url=f"https://{NAME}:{over_https.https_port}"
        ).new_page()
        page.goto(re.search(r"/sign-in/[^/\s]+/", over_https.output)[0])
        page.get_by_role("button", name="Sign in").click()
        page.wait_for_url("**/")
        [session] = [cookie for cookie in page.context.cookies() if cookie["name"] == "sessionid"]
        assert session["secure"], "accounts use HTTPS only"
        yield page
        window.close()


def fingerprint(port: int) -> str:
    """Waits for HTTPS and returns the digest of the certificate's public key."""
    certificate = x509.load_der_x509_certificate(until(lambda: certificate_of(port), "HTTPS"))
    key = certificate.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return base64.b64encode(hashlib.sha256(key).digest()).decode()


def certificate_of(port: int) -> bytes | None:
    trust = ssl.create_default_context()
    trust.check_hostname, trust.verify_mode = False, ssl.CERT_NONE
    try:
        with (
            socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as plain,
            trust.wrap_socket(plain, server_hostname=NAME) as secure,
        ):
            return secure.getpeercert(binary_form=True)
    except OSError:
        return None


def sign_out(page: Page) -> None:
    page.goto("/account/second-factor/")
    page.get_by_role("button", name="Sign out", exact=True).click()
    expect(page.get_by_role("navigation").get_by_role("link", name="Sign in")).to_be_visible()
    page.goto("/account/second-factor/")
    expect(page).to_have_url(re.compile("/sign-in/"))


def test_a_passkey_signs_in_alone_and_an_app_as_second_factor(page):
    phone = page.context.new_cdp_session(page)
    phone.send("WebAuthn.enable")
    phone.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
    add_a_passkey(page)
    sign_out(page)
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("heading", name="Second factor")).to_be_visible()
    secret = add_a_password_and_an_app(page)
    sign_out(page)
    page.get_by_label("User name").fill("director")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", name="Enter your code")).to_be_visible()
    page.get_by_label("Code").fill(code_of(secret))
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", name="Second factor")).to_be_visible()


def add_a_passkey(page: Page) -> None:
    page.goto("/account/second-factor/")
    page.get_by_role("link", name="Add a passkey").click()
    page.get_by_label("Name").fill("Laptop")
    page.locator("main input[type=checkbox]").check()
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    page.goto("/account/second-factor/")
    expect(page.locator("bdi", has_text="Laptop")).to_be_visible()


def add_a_password_and_an_app(page: Page) -> str:
    page.goto("/account/second-factor/totp/activate/")
    secret = page.locator(".code").first.inner_text()
    page.get_by_label("Code").fill(code_of(secret))
    page.get_by_role("button", name="Activate").click()
    page.goto("/account/password/")
    for field in page.locator("main input[type=password]").all():
        field.fill(PASSWORD)
    page.locator("main form button[type=submit]").click()
    expect(page.get_by_text("The password is changed.")).to_be_visible()
    return secret


def test_with_postgresql_a_killed_web_process_restarts_while_others_answer(over_https):
    [victim, survivor] = over_https.child("web_processes").children()
    before = answered_requests(over_https)
    assert all(over_https.answers("/api/v1/events/") for _ in range(CLIENTS))
    until(lambda: answered_requests(over_https) == before + CLIENTS, "metrics of both processes")
    victim.kill()
    until(
        lambda: victim.pid not in web_pids(over_https) and len(web_pids(over_https)) == 2,
        "another process",
    )
    assert survivor.pid in web_pids(over_https)
    assert answered_requests(over_https) == before + CLIENTS, "includes the killed process"
    killed = {words: over_https.child(words) for words in ("web_processes", "broker")}
    for child in killed.values():
        child.kill()
    for words, child in killed.items():
        until(lambda pid=child.pid, words=words: over_https.child(words).pid != pid, f"another {words}")
    until(lambda: all(over_https.answers("/readyz") for _ in range(CLIENTS)), "all services")
    output = stop_cleanly(over_https, signal.SIGINT)
    assert "did not stop within" not in output
    assert "Traceback" not in output


def answered_requests(running: Up) -> int:
    """Returns the number of API requests in the metrics."""
    address = f"http://127.0.0.1:{running.port}/metrics"
    request = Request(address, headers={"Authorization": f"Bearer {METRICS_TOKEN}"})
    with urlopen(request, timeout=PATIENCE) as answer:
        counts = re.findall(r'^director_requests_total{.*kind="api".*} (\S+)$', answer.read().decode(), re.M)
    return sum(round(float(count)) for count in counts)


def web_pids(running: Up) -> set[int]:
    return {child.pid for child in running.child("web_processes").children()}
