"""HTTPS in the hall, for phones that trust its own certificate authority: the certificate and a redirect."""

from pathlib import Path
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournament.access import permissions
from tournament.web.addresses import listens_at, network_addresses
from tournament.web.qr_codes import qr_picture
from tournament.web.request import tokens_of


def hall_context() -> dict[str, str]:
    """Template variables about HTTPS for the page of the network check; empty if it is not offered."""
    if not settings.HALL_HTTPS:
        return {}
    return {"https": settings.HALL_HTTPS, "https_picture": qr_picture(f"{settings.HALL_HTTPS}/reach/")}


def base_address(request: HttpRequest) -> SplitResult:
    """Returns scheme, host and port that phones should use: those of this request.

    Few phones trust the hall's own HTTPS, so a request over HTTPS gets the plain HTTP address if there is one.
    """
    if settings.HALL_HTTPS and request.is_secure():
        port = int(request.META["SERVER_PORT"])
        for address in network_addresses():
            if listens_at(address, port):
                return urlsplit(f"http://{address}:{port}")
    return urlsplit(f"{request.scheme}://{request.get_host()}")


@never_cache
@require_safe
def hall_https(request: HttpRequest) -> HttpResponse:
    """Redirects to the hall's HTTPS, with the phone's newest personal link: its cookie is not sent to that address."""
    if not settings.HALL_HTTPS:
        raise Http404
    newest = next((token for token in tokens_of(request) if permissions.open_link(token)), "")
    path = reverse("personal-link", args=[newest]) if newest else reverse("reach")
    return redirect(f"{settings.HALL_HTTPS}{path}")


@never_cache
@require_safe
def hall_certificate(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """Sends the public certificate of the authority, for installation on phones. Its key is never served."""
    if not settings.HALL_AUTHORITY:
        raise Http404
    try:
        certificate = Path(settings.HALL_AUTHORITY).read_bytes()
    except OSError:
        raise Http404 from None
    return HttpResponse(
        certificate,
        content_type="application/x-x509-ca-cert",
        headers={"Content-Disposition": 'attachment; filename="hall.crt"'},
    )
