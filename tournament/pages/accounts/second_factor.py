"""Adapts django-allauth's second factors to our accounts, and enforces REQUIRE_SECOND_FACTOR.

allauth stores the secrets, asks for codes and passkeys at sign-in, and limits wrong codes.
"""

import base64
import hashlib
import secrets
from collections.abc import Callable
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.accounts import activity, second_factors
from tournament.models import AccountEventKind
from tournament.runtime import rate_limiter
from tournament.runtime.rate_limiter import Limit
from tournament.web import recent_sign_in
from tournament.web.page_rate_limits import client_network, too_many_requests

METHODS = ("GET", "HEAD", "POST")
READ_METHODS = ("GET", "HEAD")
READ_ONLY = {"mfa_view_recovery_codes", "mfa_download_recovery_codes"}
PASSKEY_SIGN_IN = "mfa_login_webauthn"
BEFORE_SIGN_IN = ("mfa_authenticate", PASSKEY_SIGN_IN)
OPEN_PATHS = (
    "/account/second-factor/", "/account/confirm/", "/account/password/", "/account/sessions/",
    "/account/sign-out-everywhere/", "/sign-in/", "/sign-out/", "/static/", "/live/",
)  # fmt: skip
PASSKEY_SIGN_INS = Limit("passkey sign-ins from an address", 60, 900)
LOGGED = {
    "mfa/email/totp_activated": (AccountEventKind.SECOND_FACTOR_ADDED, _("authenticator app")),
    "mfa/email/totp_deactivated": (AccountEventKind.SECOND_FACTOR_REMOVED, _("authenticator app")),
    "mfa/email/webauthn_added": (AccountEventKind.SECOND_FACTOR_ADDED, _("passkey")),
    "mfa/email/webauthn_removed": (AccountEventKind.SECOND_FACTOR_REMOVED, _("passkey")),
    "mfa/email/recovery_codes_generated": (AccountEventKind.SECOND_FACTOR_ADDED, _("recovery codes")),
}


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # it comes without types
    """No sign-up and no mail; our own page confirms identities."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:  # noqa: ARG002
        return False

    def get_login_stages(self) -> list[str]:
        return ["allauth.mfa.stages.AuthenticateStage"]

    def login(self, request: HttpRequest, user: User) -> None:
        wrong_codes = sum(int(line.detail) for line in activity.wrong_codes_since_sign_in(user))
        super().login(request, user)
        if wrong_codes:
            messages.warning(request, _wrong_codes_sentence(wrong_codes))
        activity.record(user, AccountEventKind.SIGNED_IN, address=client_network(request))

    def is_reauthentication_required(self, *, app: str, **_options: Any) -> bool:  # noqa: ARG002
        return self.request is None or not recent_sign_in.is_recent(self.request)

    def get_reauthentication_methods(self, user: User | AnonymousUser) -> list[dict[str, str]]:
        if not user.is_authenticated:
            return []
        return [{"id": "confirm", "description": _("Confirm"), "url": reverse("confirm-identity")}]

    def respond_user_inactive(self, request: HttpRequest, user: User) -> HttpResponse:  # noqa: ARG002
        return redirect("sign-in")

    def send_notification_mail(self, template_prefix: str, user: User, *_args: Any, **_options: Any) -> None:
        """Adds a line to the activity log instead of sending mail."""
        if template_prefix in LOGGED:
            kind, detail = LOGGED[template_prefix]
            address = client_network(self.request) if self.request else ""
            activity.record(user, kind, address=address, detail=detail)


class SecondFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]  # it comes without types
    """Encrypts secrets with a key derived from SECRET_KEY. After a change of the key no code is accepted."""

    def encrypt(self, text: str) -> str:
        return _cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        try:
            return _cipher().decrypt(encrypted_text.encode()).decode()
        except InvalidToken:
            return base64.b32encode(secrets.token_bytes(20)).decode()

    def can_delete_authenticator(self, authenticator: Authenticator) -> bool:
        """Refuses to delete the last second factor of a user who must have one."""
        is_last = second_factors.is_last_second_factor(authenticator)
        return not (is_last and second_factors.is_second_factor_required(authenticator.user))


class RequiredSecondFactor:
    """Middleware: redirects directors without a required second factor to its page."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if (
            settings.REQUIRE_SECOND_FACTOR
            and not request.path.startswith(OPEN_PATHS)
            and _lacks_second_factor(request)
        ):
            return redirect("mfa_index")
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, *_: Any) -> HttpResponse | None:
        """Restricts allauth's views to the methods that they need and to signed-in users.

        Each passkey challenge stores a session, so the number per client network is limited.
        """
        if not view.__module__.startswith("allauth."):
            return None
        name = request.resolver_match.url_name if request.resolver_match else None
        allowed = READ_METHODS if name in READ_ONLY else METHODS
        if request.method not in allowed:
            return HttpResponseNotAllowed(allowed)
        if name == PASSKEY_SIGN_IN and (
            seconds := rate_limiter.seconds_to_wait((PASSKEY_SIGN_INS, client_network(request)))
        ):
            return too_many_requests(request, seconds)
        if not request.user.is_authenticated and name not in BEFORE_SIGN_IN:
            return redirect_to_login(request.path)
        return None


def _lacks_second_factor(request: HttpRequest) -> bool:
    if settings.SESSION_COOKIE_NAME not in request.COOKIES or not isinstance(request.user, User):
        return False
    return second_factors.is_second_factor_required(request.user) and not second_factors.has_second_factor(
        request.user
    )


def _wrong_codes_sentence(count: int) -> str:
    return ngettext(
        "{count} wrong code was entered for your account since your last sign-in. If that was not you, somebody knows "
        "your password: change it.",
        "{count} wrong codes were entered for your account since your last sign-in. If that was not you, somebody "
        "knows your password: change it.",
        count,
    ).format(count=count)


def _cipher() -> Fernet:
    key = hashlib.sha256(b"second factors:" + settings.SECRET_KEY.encode()).digest()
    return Fernet(base64.urlsafe_b64encode(key))
