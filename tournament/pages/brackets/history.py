"""The page that shows a tournament as of a given moment."""

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
# A time zone without daylight saving time.
FIXED_ZONE = ZoneInfo("Etc/UTC")


class LocalTimeField(forms.DateTimeField):
    """A local time. Of an hour that occurs twice it takes the later one, so that everything until then is included."""

    def clean(self, value: Any) -> datetime | None:
        zone = timezone.get_current_timezone()
        with timezone.override(FIXED_ZONE):
            parsed: datetime | None = super().clean(value)
        if parsed and parsed.year in (
            MINYEAR,
            MAXYEAR,
        ):  # converted to another zone the year would be out of range
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid")
        return parsed.replace(tzinfo=zone, fold=1) if parsed and parsed.tzinfo is FIXED_ZONE else parsed


class MomentForm(forms.Form):
    """A moment in the time zone of the event."""

    at = LocalTimeField(
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
