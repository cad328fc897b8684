"""The page of planned times: when each round starts."""

from datetime import datetime
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.access.permissions import Capability
from tournament.events.planned_times import plan_times
from tournament.pages.director.actions import page, submit
from tournament.pages.director.context import tournament_context
from tournament.pages.director.local_times import LocalTimeField
from tournament.queries.rounds import count_rounds

MINUTE = 60


class TimesForm(forms.Form):
    """One field for each of the first `rounds` rounds."""

    def __init__(self, *args: Any, rounds: int, **more: Any) -> None:
        super().__init__(*args, **more)
        for number in range(1, rounds + 1):
            label = _("Round {number}").format(number=number)
            self.fields[f"round_{number}"] = LocalTimeField(label=label, step=MINUTE, required=False)

    def times(self) -> dict[int, datetime]:
        return {
            int(name.removeprefix("round_")): at for name, at in self.cleaned_data.items() if at is not None
        }


@page("GET", "POST")
def times(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    context = tournament_context(request, event, tournament, Capability.DIRECT)
    row = context.tournament
    initial = {f"round_{number}": at for number, at in row.planned_times.items()}
    with timezone.override(context.event.time_zone):
        form = TimesForm(request.POST or None, rounds=count_rounds(row), initial=initial)
        if request.method == "POST" and submit(form, lambda: plan_times(row.pk, form.times(), context.actor)):
            messages.success(request, _("Times saved. The pages of the event show them."))
            return redirect("times", *context.slugs)
    return context.render(request, "times.html", "setup", form=form)
