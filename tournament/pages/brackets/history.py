"""A tournament as it stood at a moment that the director names."""

from datetime import MAXYEAR, MINYEAR, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournament.access.permissions import Capability
from tournament.pages.director.actions import page
from tournament.pages.director.context import tournament_context
from tournament.queries.brackets.history import tournament_then

FORMAT = "%Y-%m-%dT%H:%M:%S"
# Where they are never changed.
NOWHERE = ZoneInfo("Etc/UTC")


class ByTheClocks(forms.DateTimeField):
    """Of an hour that the clocks show twice it is the later one, so that all that happened until then is in it."""

    def clean(self, value: Any) -> datetime | None:
        clocks = timezone.get_current_timezone()
        with timezone.override(NOWHERE):
            shown: datetime | None = super().clean(value)
        if shown and shown.year in (MINYEAR, MAXYEAR):  # by the clocks elsewhere there is no such year
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid")
        return shown.replace(tzinfo=clocks, fold=1) if shown and shown.tzinfo is NOWHERE else shown


class MomentForm(forms.Form):
    """A moment by the clocks of the event."""

    at = ByTheClocks(
        label=_("As it stood at"),
        input_formats=[FORMAT, "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S"],
        widget=forms.DateTimeInput(format=FORMAT, attrs={"type": "datetime-local", "step": 1}),
        error_messages=dict.fromkeys(("required", "invalid"), _("Give a day and a time.")),
    )


@page("GET")
def as_at(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    context = tournament_context(request, event, tournament, Capability.DESK)
    with timezone.override(context.event.time_zone):
        now = timezone.localtime().replace(microsecond=0)
        asked = "at" in request.GET
        form = MomentForm(request.GET if asked else {"at": now.strftime(FORMAT)})
        moment = form.cleaned_data["at"] if form.is_valid() else None
    more = {"moment_form": form, "moment": moment}
    if moment is not None:
        whole = _whole_second(moment, context.event.time_zone)
        more["then"] = tournament_then(context.tournament, whole)
    return context.render(request, "as_at.html", "journal", form=form, **more)


def _whole_second(moment: datetime, time_zone: str) -> datetime:
    """A second counts with all that happened in it."""
    return moment.astimezone(ZoneInfo(time_zone)).replace(microsecond=999_999)
