"""Signing in and out: by password, or by a one-time link that needs no mail."""

from typing import Any

from django.contrib.auth import login
from django.contrib.auth.views import LoginView, LogoutView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tournament import links
from tournament.errors import Refused
from tournament.pages.answers import sentence_of

BACKEND = "django.contrib.auth.backends.ModelBackend"


class SignIn(LoginView):
    template_name = "accounts/sign_in.html"
    redirect_authenticated_user = True
    http_method_names = ["get", "head", "post", "options"]


class SignOut(LogoutView):
    http_method_names = ["post", "options"]


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
        return render(request, "accounts/sign_in_link.html", {"problem": sentence_of(refused)}, status=409)
    login(request, user, backend=BACKEND)
    return redirect("home")
