"""The page that shows a tournament as of a given moment."""

from datetime import datetime
from zoneinfo import ZoneInfo

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournament.access.permissions import Capability
from tournament.pages.director.actions import page
from tournament.pages.director.context import tournament_context
from tournament.pages.director.local_times import FORMAT, LocalTimeField
from tournament.queries.brackets.history import tournament_then


class MomentForm(forms.Form):
    """A moment in the time zone of the event."""

    at = LocalTimeField(label=_("State at"), step=1)


@page("GET")
def as_at(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    context = tournament_context(request, event, tournament, Capability.DESK)
    with timezone.override(context.event.time_zone):
        now = timezone.localtime().replace(microsecond=0)
        form = MomentForm(request.GET if "at" in request.GET else {"at": now.strftime(FORMAT)})
        moment = form.cleaned_data["at"] if form.is_valid() else None
    variables = {"moment_form": form, "moment": moment}
    if moment is not None:
        whole = _whole_second(moment, context.event.time_zone)
        variables["then"] = tournament_then(context.tournament, whole)
    return context.render(request, "history.html", "journal", form=form, **variables)


def _whole_second(moment: datetime, time_zone: str) -> datetime:
    """The last microsecond of this second, so that everything in it is included."""
    return moment.astimezone(ZoneInfo(time_zone)).replace(microsecond=999_999)
