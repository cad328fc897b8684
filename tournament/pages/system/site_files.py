"""Small files that programs look for at fixed addresses: `robots.txt` and `security.txt`."""

from datetime import timedelta

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

CACHE_SECONDS = 86_400
VALID_DAYS = 300  # RFC 9116 recommends less than a year
NOT_FOR_SEARCH_ENGINES = ("/account/", "/api/", "/installation/", "/me/", "/p/", "/reach/", "/sign-in/")


@require_safe
@cache_control(public=True, max_age=CACHE_SECONDS)
def robots_txt(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """Keeps search engines out of private pages; each event decides about its own pages in their heads."""
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in NOT_FOR_SEARCH_ENGINES)]
    return _text(lines)


@require_safe
@cache_control(public=True, max_age=CACHE_SECONDS)
def security_txt(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """Names the contact for reports of security problems (RFC 9116). 404 unless SECURITY_CONTACT is set."""
    if not settings.SECURITY_CONTACT:
        raise Http404
    expires = (timezone.now() + timedelta(days=VALID_DAYS)).strftime("%Y-%m-%dT00:00:00Z")
    lines = [f"Contact: {settings.SECURITY_CONTACT}", f"Expires: {expires}"]
    if settings.PUBLIC_URL:
        lines.append(f"Canonical: {settings.PUBLIC_URL}/.well-known/security.txt")
    return _text(lines)


def _text(lines: list[str]) -> HttpResponse:
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")
