"""Forms on pages that are the same for everybody: no secret stands in them, so where they were pressed is what counts.

Browsers say it with every form they send (`Origin`), and no page elsewhere can say otherwise. Who does not say it has
to show the secret as with any other form.
"""

from django.http import HttpRequest
from django.middleware.csrf import CsrfViewMiddleware
from django.utils.decorators import decorator_from_middleware


class _OriginCheck(CsrfViewMiddleware):
    """By the time the secret is asked for, an `Origin` that is not ours was refused."""

    def _check_token(self, request: HttpRequest) -> None:
        if "Origin" not in request.headers:
            super()._check_token(request)  # type: ignore[misc]  # the stubs leave it out


check_origin = decorator_from_middleware(_OriginCheck)
"""A view that Django's own guard leaves alone, with this one in its place."""
