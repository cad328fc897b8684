"""HTTPS in the hall: the certificate of the hall's own authority, for phones that choose to trust it."""

from pathlib import Path

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournament.pages.qr import qr_picture


def hall_context() -> dict[str, str]:
    """What the page of the hall's network says of HTTPS; nothing where it is not offered."""
    if not settings.HALL_HTTPS:
        return {}
    return {"https": settings.HALL_HTTPS, "https_picture": qr_picture(f"{settings.HALL_HTTPS}/reach/")}


@never_cache
@require_safe
def hall_certificate(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """The authority's public certificate, as phones take it in; its key is never served."""
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
