"""If HTTPS is offered beside plain HTTP, sessions of users work over HTTPS only; players' links work over both.

Plain HTTP can be read by others on the same Wi-Fi. Requests from this computer itself are exempt.
"""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from tournament.web.addresses import is_this_computer


class StaffHttps:
    """Middleware, outside Django's session middleware."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not settings.STAFF_HTTPS:
            return self.get_response(request)
        if request.is_secure():
            return self._with_secure_session(request)
        signs_in, name = request.path.startswith("/sign-in/"), settings.SESSION_COOKIE_NAME
        if not (signs_in or name in request.COOKIES) or _is_local(request):
            return self.get_response(request)
        if signs_in:
            return redirect(settings.STAFF_HTTPS + request.get_full_path())
        del request.COOKIES[name]
        return self.get_response(request)

    def _with_secure_session(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if settings.SESSION_COOKIE_NAME in response.cookies:
            response.cookies[settings.SESSION_COOKIE_NAME]["secure"] = True
        return response


def _is_local(request: HttpRequest) -> bool:
    return is_this_computer(str(request.META.get("REMOTE_ADDR", "")))
