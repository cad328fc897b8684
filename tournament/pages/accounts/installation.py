"""Pages of an administrator of the installation: all accounts and all events."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournament.access import account_permissions
from tournament.access.actors import Actor
from tournament.accounts import lifecycle, links, second_factors, sessions
from tournament.events import visibility
from tournament.pages.director.actions import page, run
from tournament.queries.accounts.activity import activity_of
from tournament.queries.accounts.installation import (
    account_page,
    accounts_of_installation,
    events_of_installation,
    user_by_id,
)
from tournament.queries.accounts.tokens import token_of
from tournament.queries.events.events import find_event
from tournament.runtime.errors import NotFound
from tournament.web import recent_sign_in
from tournament.web.request import actor_of

ON_A_PAGE = 50
LONGEST_SEARCH = 150
AFTER_A_RECENT_SIGN_IN = frozenset({"close", "make-administrator"})
Work = Callable[[User, User], object]
ACTIONS: dict[str, tuple[Work, Promise]] = {
    "close": (lifecycle.close, _("The account {name} is closed.")),
    "reopen": (lifecycle.reopen, _("The account {name} is open again.")),
    "end-sessions": (
        lambda user, by: sessions.sign_out_everywhere(user, except_key="", by=by),
        _("{name} is signed out everywhere. Tokens and unused links are void."),
    ),
    "allow-events": (
        lambda user, by: lifecycle.set_event_right(user, may_create=True, by=by),
        _("{name} may create events."),
    ),
    "forbid-events": (
        lambda user, by: lifecycle.set_event_right(user, may_create=False, by=by),
        _("{name} may no longer create events."),
    ),
    "make-administrator": (
        lambda user, by: lifecycle.set_administrator(user, is_administrator=True, by=by),
        _("{name} is an administrator."),
    ),
    "remove-administrator": (
        lambda user, by: lifecycle.set_administrator(user, is_administrator=False, by=by),
        _("{name} is no longer an administrator."),
    ),
}


@page("GET")
def installation_accounts(request: HttpRequest) -> HttpResponse:
    account_permissions.require_administrator(actor_of(request))
    name = _searched(request)
    users = Paginator(accounts_of_installation(name), ON_A_PAGE).get_page(request.GET.get("page"))
    secured = second_factors.users_with_second_factor(user.pk for user in users)
    context = {"users": users, "name": name, "secured": secured, "current_tab": "accounts"}
    return render(request, "director/installation_accounts.html", context)


@page("GET")
def installation_account(request: HttpRequest, user: int) -> HttpResponse:
    account_permissions.require_administrator(actor_of(request))
    shown_user = user_by_id(user)
    lines = Paginator(activity_of(shown_user), ON_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "account": account_page(shown_user),
        "lines": lines,
        "current_tab": "accounts",
        "confirm": "" if recent_sign_in.is_recent(request) else _confirm_address(shown_user),
    }
    return render(request, "director/installation_account.html", context)


@page("POST")
def installation_account_action(request: HttpRequest, user: int, action: str) -> HttpResponse:
    by = account_permissions.require_administrator(actor_of(request))
    target = user_by_id(user)
    if action not in ACTIONS:
        raise NotFound
    if action in AFTER_A_RECENT_SIGN_IN and not recent_sign_in.is_recent(request):
        return redirect(_confirm_address(target))
    work, success = ACTIONS[action]
    run(request, lambda: work(target, by), str(success).format(name=target.username))
    is_allowed = account_permissions.is_administrator(Actor(user=user_by_id(by.pk)))
    return redirect("installation-account", user) if is_allowed else redirect("home")


@page("POST")
def installation_session_end(request: HttpRequest, user: int, name: str) -> HttpResponse:
    by = account_permissions.require_administrator(actor_of(request))
    sessions.end_session(user_by_id(user), name, by)
    messages.success(request, gettext("The session is ended."))
    return redirect("installation-account", user)


@page("POST")
def installation_token_revoke(request: HttpRequest, user: int, token: int) -> HttpResponse:
    by = account_permissions.require_administrator(actor_of(request))
    row = token_of(user, token)
    links.revoke_api_token(row, by)
    messages.success(request, gettext("The token “{label}” is revoked.").format(label=row.label))
    return redirect("installation-account", user)


@page("GET")
def installation_events(request: HttpRequest) -> HttpResponse:
    account_permissions.require_administrator(actor_of(request))
    name = _searched(request)
    events = Paginator(events_of_installation(name), ON_A_PAGE).get_page(request.GET.get("page"))
    return render(
        request,
        "director/installation_events.html",
        {"events": events, "name": name, "current_tab": "events"},
    )


@page("POST")
def installation_event_action(request: HttpRequest, event: str, action: str) -> HttpResponse:
    actor = actor_of(request)
    account_permissions.require_administrator(actor)
    row = find_event(event)
    if row is None:
        raise NotFound
    successes = {
        "hide": _("“{name}” is hidden from public lists. Its address still works."),
        "list": _("“{name}” is in public lists again."),
    }
    if action not in successes:
        raise NotFound
    run(
        request,
        lambda: visibility.set_listed(row, is_listed=action == "list", actor=actor),
        str(successes[action]).format(name=row.name),
    )
    return redirect("installation-events")


def _searched(request: HttpRequest) -> str:
    """Returns the search text without NUL, which PostgreSQL rejects."""
    return request.GET.get("name", "").replace("\0", "").strip()[:LONGEST_SEARCH]


def _confirm_address(account: User) -> str:
    return recent_sign_in.confirm_address(reverse("installation-account", args=[account.pk]))
