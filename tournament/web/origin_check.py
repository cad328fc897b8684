"""CSRF protection for forms on cached pages, which are the same for everybody and so cannot hold a CSRF token.

Checks the `Origin` header instead, which browsers send with every form and other sites cannot forge. A request without
it needs the CSRF token like any other form.
"""

from django.http import HttpRequest
from django.middleware.csrf import CsrfViewMiddleware
from django.utils.decorators import decorator_from_middleware


class _OriginCheck(CsrfViewMiddleware):
    """Django has refused a foreign `Origin` before it asks for the token."""

    def _check_token(self, request: HttpRequest) -> None:
        if "Origin" not in request.headers:
            super()._check_token(request)  # type: ignore[misc]  # the stubs leave it out


check_origin = decorator_from_middleware(_OriginCheck)
"""Decorator for a view that is exempt from Django's own CSRF check."""
