"""Actions on a tournament: hide, copy, archive, delete."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.access.permissions import Capability
from tournament.events import copying, recycle_bin, visibility
from tournament.models import Visibility
from tournament.pages.director.actions import attempt, page, run
from tournament.pages.director.context import TournamentContext, tournament_context
from tournament.pages.events.forms import VisibilityForm
from tournament.runtime.errors import NotFound

LONGEST_NAME = 80
VISIBLE = {
    Visibility.PRIVATE: gettext_lazy("The tournament is private. Only the staff and its players see it."),
    Visibility.BY_LINK: gettext_lazy("Visitors need the secret address. Copy it below."),
    Visibility.PUBLIC: gettext_lazy("Everybody who sees the event sees the tournament."),
}


@page("POST")
def tournament_action(request: HttpRequest, event: str, tournament: str, action: str) -> HttpResponse:
    context = tournament_context(request, event, tournament, Capability.DIRECT)
    if action not in ACTIONS:
        raise NotFound
    return ACTIONS[action](request, context)


def _set_visibility(request: HttpRequest, context: TournamentContext) -> HttpResponse:
    form = VisibilityForm(request.POST if "visibility" in request.POST else request.GET)
    if not form.is_valid():
        raise NotFound
    chosen, before = form.chosen(), context.tournament.visibility
    run(
        request,
        lambda: visibility.set_visibility(context.tournament, chosen, context.actor),
        str(VISIBLE[chosen]),
        undo=f"{request.path}?visibility={before}" if chosen != before else "",
    )
    return _to_setup(context)


def _make_new_key(request: HttpRequest, context: TournamentContext) -> HttpResponse:
    success = _("There is a new secret address. The old one stopped working.")
    run(request, lambda: visibility.make_new_key(context.tournament, context.actor), success)
    return _to_setup(context)


def _archive(request: HttpRequest, context: TournamentContext) -> HttpResponse:
    success = _("The tournament is in the archive. It left the room, the screens and the lists.")
    undo = reverse("tournament-action", args=[*context.slugs, "unarchive"])
    run(
        request,
        lambda: visibility.set_archived(context.tournament, is_archived=True, actor=context.actor),
        success,
        undo=undo,
    )
    return _to_setup(context)


def _unarchive(request: HttpRequest, context: TournamentContext) -> HttpResponse:
    success = _("The tournament is out of the archive.")
    run(
        request,
        lambda: visibility.set_archived(context.tournament, is_archived=False, actor=context.actor),
        success,
    )
    return _to_setup(context)


def _copy(request: HttpRequest, context: TournamentContext) -> HttpResponse:
    name = _("Copy of {name}").format(name=context.tournament.name)[:LONGEST_NAME]
    done = attempt(request, lambda: copying.copy_tournament(context.tournament, name, context.actor))
    if done is None:
        return _to_setup(context)
    messages.success(request, _("Tournament copied, without its players. Check the name."))
    return redirect("tournament-edit", context.event.slug, done.value.slug)


def _delete(request: HttpRequest, context: TournamentContext) -> HttpResponse:
    name = context.tournament.name
    success = _("“{name}” is in the bin. It is removed for good in 30 days.").format(name=name)
    undo = reverse("bin-tournament", args=[context.tournament.pk, "restore"])
    run(request, lambda: recycle_bin.delete_tournament(context.tournament, context.actor), success, undo=undo)
    return redirect("event-overview", context.event.slug)


def _to_setup(context: TournamentContext) -> HttpResponse:
    return redirect(f"{reverse('tournament-edit', args=context.slugs)}#visibility")


ACTIONS: dict[str, Callable[[HttpRequest, TournamentContext], HttpResponse]] = {
    "visibility": _set_visibility,
    "new-key": _make_new_key,
    "archive": _archive,
    "unarchive": _unarchive,
    "copy": _copy,
    "delete": _delete,
}
