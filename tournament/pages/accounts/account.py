"""A director's own account: the password, and tokens for programs."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.mixins import LoginRequiredMixin
from django.contrib.auth.views import PasswordChangeView
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournament.access import permissions
from tournament.accounts import links, sessions
from tournament.models import AccountEventKind
from tournament.pages.accounts.forms import TokenForm
from tournament.pages.director.actions import page, status_of, submit
from tournament.queries.accounts.tokens import events_of, token_of, tokens_of
from tournament.runtime.token_digest import digest
from tournament.web import recent_sign_in
from tournament.web.page_rate_limits import client_network
from tournament.web.request import actor_of


@page("GET", "POST")
def api_tokens(request: HttpRequest) -> HttpResponse:
    """GET lists the tokens. POST creates one and shows it once; it requires a recent sign-in."""
    actor = actor_of(request)
    user = permissions.require_user(actor)
    if request.method == "POST" and not recent_sign_in.is_recent(request):
        return redirect(recent_sign_in.confirm_address(request.path))
    events = events_of(actor)
    form = TokenForm(request.POST or None, events=events)
    token = ""
    if request.method == "POST":
        done = submit(form, lambda: links.make_api_token(user, form.cleaned_data["label"], form.plan()))
        token = done.value if done else ""
    context = {
        "form": TokenForm(events=events) if token else form,
        "tokens": tokens_of(user).order_by("-made_at"),
        "made": token,
        "confirm": "" if recent_sign_in.is_recent(request) else recent_sign_in.confirm_address(request.path),
        "now": timezone.now(),
        "current_tab": "tokens",
    }
    return render(request, "director/api_tokens.html", context, status=status_of(form))


@page("POST")
def api_token_revoke(request: HttpRequest, token: int) -> HttpResponse:
    user = permissions.require_user(actor_of(request))
    row = token_of(user.pk, token)
    links.revoke_api_token(row)
    messages.success(request, _("The token “{label}” is revoked.").format(label=row.label))
    return redirect("api-tokens")


@page("GET")
def session_list(request: HttpRequest) -> HttpResponse:
    user = permissions.require_user(actor_of(request))
    own = digest(request.session.session_key or "")
    listed = [
        (sessions.session_name(session), session, session.session_key == own)
        for session in sessions.sessions_of(user)
    ]
    return render(request, "director/sessions.html", {"sessions": listed, "current_tab": "sessions"})


@page("POST")
def session_end(request: HttpRequest, name: str) -> HttpResponse:
    sessions.end_session(permissions.require_user(actor_of(request)), name)
    messages.success(request, _("The session is ended."))
    return redirect("sessions")


@page("POST")
def sign_out_everywhere(request: HttpRequest) -> HttpResponse:
    user = permissions.require_user(actor_of(request))
    request.session.cycle_key()  # also ends the session of a copy of this browser's cookie
    sessions.sign_out_everywhere(user, request.session.session_key or "", address=client_network(request))
    messages.success(
        request, _("You are signed in here and nowhere else. No token and no earlier link works.")
    )
    return redirect("sessions")


class Password(LoginRequiredMixin, PasswordChangeView):
    """Asks for the old password; without one it requires a recent sign-in by a link."""

    template_name = "director/password.html"
    success_url = reverse_lazy("password")
    extra_context = {"current_tab": "password"}
    http_method_names = ["get", "head", "post", "options"]

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        user = actor_of(request).user
        if user is not None and not user.has_usable_password() and not recent_sign_in.is_recent(request):
            return redirect(recent_sign_in.confirm_address(request.path))
        return super().dispatch(request, *args, **kwargs)

    def get_form_class(self) -> Any:
        user = permissions.require_user(actor_of(self.request))
        return super().get_form_class() if user.has_usable_password() else SetPasswordForm

    def form_valid(self, form: Any) -> HttpResponse:
        messages.success(
            self.request,
            _(
                "The password is changed. You stay signed in here; other sessions, tokens and links are ended."
            ),
        )
        with transaction.atomic():
            response = super().form_valid(form)
            key = self.request.session.session_key or ""
            address = client_network(self.request)
            sessions.sign_out_everywhere(form.user, key, AccountEventKind.PASSWORD_CHANGED, address)
        return response


password: Any = never_cache(Password.as_view())
