"""Signing in and out: by password, or by a one-time link that needs no mail."""

from typing import Any

from allauth.account.utils import perform_login
from django.contrib.auth import authenticate
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.mixins import LoginRequiredMixin
from django.contrib.auth.views import LoginView, LogoutView, RedirectURLMixin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from django.views.generic import FormView

from tournament.accounts import activity, directors, links
from tournament.live import subscriptions
from tournament.models import AccountEventKind
from tournament.pages.accounts.forms import ConfirmForm
from tournament.runtime import rate_limiter
from tournament.runtime.errors import Refused
from tournament.runtime.rate_limiter import Limit
from tournament.web import recent_sign_in
from tournament.web.page_rate_limits import client_network, too_many_requests, wait_after_wrong_link
from tournament.web.request import actor_of
from tournament.web.sentences import refusal_sentence

QUARTER_OF_AN_HOUR = 900
FROM_AN_ADDRESS = Limit("sign-ins from an address", 60, QUARTER_OF_AN_HOUR)
FOR_A_NAME = Limit("sign-ins for a name", 100, QUARTER_OF_AN_HOUR)
WRONG_PASSWORDS = Limit("wrong passwords for a name from an address", 7, QUARTER_OF_AN_HOUR)
LONGEST_NAME = 150


class SignIn(LoginView):
    """Limits attempts before the slow password hash: per client network, and per name.

    A user locked out by the attempts of others can sign in by a one-time link.
    """

    template_name = "accounts/sign_in.html"
    redirect_authenticated_user = True
    http_method_names = ["get", "head", "post", "options"]

    def post(self, request: HttpRequest, *args: str, **kwargs: Any) -> HttpResponse:
        name = request.POST.get("username", "")[:LONGEST_NAME].strip()
        seconds = rate_limiter.seconds_to_wait(
            (FROM_AN_ADDRESS, client_network(request)), (FOR_A_NAME, name.casefold())
        )
        seconds = seconds or rate_limiter.seconds_locked(WRONG_PASSWORDS, _attempt_key(request, name))
        return too_many_requests(request, seconds) if seconds else super().post(request, *args, **kwargs)

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        """allauth asks for the second factor, if any, and then signs in."""
        answer: HttpResponse = perform_login(
            self.request, form.get_user(), redirect_url=self.get_success_url()
        )
        return answer

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        name = str(form.data.get("username", ""))[:LONGEST_NAME].strip()
        seconds = _count_wrong_password(self.request, name)
        return too_many_requests(self.request, seconds) if seconds else super().form_invalid(form)


class ConfirmIdentity(LoginRequiredMixin, RedirectURLMixin, FormView):  # type: ignore[type-arg]
    """Asks a signed-in user for the password again. An account without one needs a new one-time link."""

    template_name = "accounts/confirm.html"
    form_class = ConfirmForm
    next_page = "password"
    http_method_names = ["get", "head", "post", "options"]

    def post(self, request: HttpRequest, *args: str, **kwargs: Any) -> HttpResponse:
        name = request.user.get_username()
        seconds = rate_limiter.seconds_to_wait((FOR_A_NAME, name.casefold()))
        seconds = seconds or rate_limiter.seconds_locked(WRONG_PASSWORDS, _attempt_key(request, name))
        return too_many_requests(request, seconds) if seconds else super().post(request, *args, **kwargs)

    def form_valid(self, form: ConfirmForm) -> HttpResponse:
        name, password = self.request.user.get_username(), form.cleaned_data["password"]
        if authenticate(self.request, username=name, password=password) is None:
            seconds = _count_wrong_password(self.request, name)
            if seconds:
                return too_many_requests(self.request, seconds)
            form.add_error("password", _("This is not your password. Check it and try again."))
            return self.form_invalid(form)
        recent_sign_in.confirm(self.request)
        return super().form_valid(form)

    def form_invalid(self, form: ConfirmForm) -> HttpResponse:
        return self.render_to_response(self.get_context_data(form=form), status=422)


class SignOut(LogoutView):
    http_method_names = ["post", "options"]

    def post(self, request: HttpRequest, *args: str, **kwargs: Any) -> HttpResponse:
        user = actor_of(request).user
        response = super().post(request, *args, **kwargs)
        if user is not None:
            subscriptions.close_streams_of_user(user)
        return response


sign_in: Any = SignIn.as_view()
sign_out: Any = SignOut.as_view()
confirm_identity: Any = never_cache(ConfirmIdentity.as_view())


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in_link(request: HttpRequest, token: str) -> HttpResponse:
    """Uses the link on POST only, so that link previews and scanners do not use it up."""
    if request.method != "POST":
        return render(request, "accounts/sign_in_link.html")
    try:
        user = links.use_sign_in_link(token)
    except Refused as refused:
        seconds = wait_after_wrong_link(request)
        if seconds:
            return too_many_requests(request, seconds)
        return render(
            request, "accounts/sign_in_link.html", {"problem": refusal_sentence(refused)}, status=409
        )
    answer: HttpResponse = perform_login(request, user, redirect_url=reverse("home"))
    return answer


@require_safe
def change_password(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """The address where password managers look for the page."""
    return redirect("password")


def _attempt_key(request: HttpRequest, name: str) -> str:
    return f"{name.casefold()} {client_network(request)}"


def _count_wrong_password(request: HttpRequest, name: str) -> int:
    """Counts a wrong password. Returns the seconds to wait after too many for this name and client network."""
    seconds = rate_limiter.seconds_to_wait((WRONG_PASSWORDS, _attempt_key(request, name)))
    user = directors.find_by_name(name) if seconds else None
    if user is not None:
        activity.record(user, AccountEventKind.LOCKED_OUT, address=client_network(request))
    return seconds
