"""Second factors in a real browser over HTTPS: a passkey of a virtual authenticator, and an authenticator app."""

import base64
import hashlib
import re
import socket
import ssl
from collections.abc import Iterator

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from playwright.sync_api import Page, expect, sync_playwright

from tests import browsers
from tests.flows.page_checks import PHONE, nothing_grave
from tests.laptop.running import Up, until
from tests.laptop.test_hall_https import NAME, caddy, over_https  # noqa: F401 (fixtures)
from tests.tournament.pages.accounts.test_second_factor import code_of

PASSWORD = "five-point-prime-77"
AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture
def page(over_https: Up) -> Iterator[Page]:  # noqa: F811
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
            socket.create_connection(("127.0.0.1", port), timeout=10) as plain,
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
    nothing_grave(page)
    page.get_by_label("Code").fill(code_of(secret))
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", name="Second factor")).to_be_visible()


def add_a_passkey(page: Page) -> None:
    page.goto("/account/second-factor/")
    page.get_by_role("link", name="Add a passkey").click()
    nothing_grave(page)
    page.get_by_label("Name").fill("Laptop")
    page.locator("main input[type=checkbox]").check()
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    page.goto("/account/second-factor/")
    expect(page.locator("bdi", has_text="Laptop")).to_be_visible()
    nothing_grave(page)


def add_a_password_and_an_app(page: Page) -> str:
    page.goto("/account/second-factor/totp/activate/")
    secret = page.locator(".code").first.inner_text()
    nothing_grave(page)
    page.get_by_label("Code").fill(code_of(secret))
    page.get_by_role("button", name="Activate").click()
    page.goto("/account/password/")
    for field in page.locator("main input[type=password]").all():
        field.fill(PASSWORD)
    page.locator("main form button[type=submit]").click()
    expect(page.get_by_text("The password is changed.")).to_be_visible()
    return secret
