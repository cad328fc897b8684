"""A director's own account: the password, and tokens for programs."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.mixins import LoginRequiredMixin
from django.contrib.auth.views import PasswordChangeView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournament import access, hearing, links, sessions
from tournament.errors import NotFound
from tournament.models import ApiToken
from tournament.pages.director.doing import accepted, page, status_of
from tournament.pages.director.forms.account import TokenForm
from tournament.pages.request import actor_of


@page("GET", "POST")
def api_tokens(request: HttpRequest) -> HttpResponse:
    """GET lists the tokens; POST makes one and shows it, once."""
    user = access.require_user(actor_of(request))
    form = TokenForm(request.POST or None)
    made = ""
    if request.method == "POST":
        done = accepted(form, lambda: links.make_api_token(user, form.cleaned_data["label"]))
        made = done.value if done else ""
    tokens = ApiToken.objects.filter(user=user).order_by("-made_at")
    context = {"form": TokenForm() if made else form, "tokens": tokens, "made": made, "here": "tokens"}
    return render(request, "director/api_tokens.html", context, status=status_of(form))


@page("POST")
def api_token_revoke(request: HttpRequest, token: int) -> HttpResponse:
    user = access.require_user(actor_of(request))
    found = ApiToken.objects.filter(pk=token, user=user).first()
    if found is None:
        raise NotFound
    links.revoke_api_token(found)
    messages.success(request, _("The token “{label}” works no longer.").format(label=found.label))
    return redirect("api-tokens")


@page("POST")
def end_everywhere(request: HttpRequest) -> HttpResponse:
    user = access.require_user(actor_of(request))
    request.session.cycle_key()  # a copy of this browser's cookie is another place too
    sessions.end_everywhere(user, request.session.session_key or "")
    messages.success(
        request, _("You are signed in here and nowhere else. No token and no earlier link works.")
    )
    return redirect("password")


class Password(LoginRequiredMixin, PasswordChangeView):
    """Asks for the old password where there is one: whoever came in by a link may have none yet."""

    template_name = "director/password.html"
    success_url = reverse_lazy("password")
    extra_context = {"here": "password"}
    http_method_names = ["get", "head", "post", "options"]

    def get_form_class(self) -> Any:
        user = access.require_user(actor_of(self.request))
        return super().get_form_class() if user.has_usable_password() else SetPasswordForm

    def form_valid(self, form: Any) -> HttpResponse:
        messages.success(
            self.request, _("The password is changed. You stay signed in here, and nowhere else.")
        )
        response = super().form_valid(form)
        hearing.hang_up_on_user(form.user)
        return response


password: Any = never_cache(Password.as_view())
