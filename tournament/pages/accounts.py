"""Signing in and out: by password, or by a one-time link that needs no mail."""

from typing import Any

from django.contrib.auth import login
from django.contrib.auth.views import LoginView, LogoutView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tournament import hearing, links, tries
from tournament.errors import Refused
from tournament.pages.answers import sentence_of
from tournament.pages.request import actor_of
from tournament.pages.too_often import address_of, too_many, wait_after_wrong_link
from tournament.tries import Limit

QUARTER_OF_AN_HOUR = 900
FROM_AN_ADDRESS = Limit("sign-ins from an address", 60, QUARTER_OF_AN_HOUR)
FOR_A_NAME = Limit("sign-ins for a name", 100, QUARTER_OF_AN_HOUR)
LONGEST_NAME = 150
BACKEND = "django.contrib.auth.backends.ModelBackend"


class SignIn(LoginView):
    """Each try costs a slow hash, so tries are counted before: by address, and by name from wherever they come.

    Who knows the password and is kept out by somebody else's tries comes in by a one-time link.
    """

    template_name = "accounts/sign_in.html"
    redirect_authenticated_user = True
    http_method_names = ["get", "head", "post", "options"]

    def post(self, request: HttpRequest, *args: str, **kwargs: Any) -> HttpResponse:
        name = request.POST.get("username", "")[:LONGEST_NAME].strip().casefold()
        seconds = tries.wait((FROM_AN_ADDRESS, address_of(request)), (FOR_A_NAME, name))
        return too_many(request, seconds) if seconds else super().post(request, *args, **kwargs)


class SignOut(LogoutView):
    http_method_names = ["post", "options"]

    def post(self, request: HttpRequest, *args: str, **kwargs: Any) -> HttpResponse:
        user = actor_of(request).user
        response = super().post(request, *args, **kwargs)
        if user is not None:
            hearing.hang_up_on_user(user)
        return response


sign_in: Any = SignIn.as_view()
sign_out: Any = SignOut.as_view()


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in_link(request: HttpRequest, token: str) -> HttpResponse:
    """A link is used by pressing the button only: whatever merely looks at addresses cannot use it up."""
    if request.method != "POST":
        return render(request, "accounts/sign_in_link.html")
    try:
        user = links.use_sign_in_link(token)
    except Refused as refused:
        seconds = wait_after_wrong_link(request)
        if seconds:
            return too_many(request, seconds)
        return render(request, "accounts/sign_in_link.html", {"problem": sentence_of(refused)}, status=409)
    login(request, user, backend=BACKEND)
    return redirect("home")
