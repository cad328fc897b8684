"""Actions of one tap on the page of a match: a no-show with or without withdrawal, and its undo."""

import uuid

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from rules.score import Side
from tournament.access.permissions import Capability
from tournament.pages.director.actions import attempt, page, run
from tournament.pages.director.context import tournament_context
from tournament.pages.director.pairing import names_in, pairing_in
from tournament.results import absence
from tournament.results.awards import ExpectedResult


class NoShowForm(forms.Form):
    """`seen` is the result that the desk saw."""

    absent = forms.ChoiceField(choices=[(side.value, side.value) for side in Side])
    withdraw = forms.BooleanField(required=False)
    seen = forms.UUIDField(required=False)


@page("POST")
def desk_no_show(request: HttpRequest, event: str, tournament: str, pairing: int) -> HttpResponse:
    context = tournament_context(request, event, tournament, Capability.DESK)
    current_pairing = pairing_in(context, pairing)
    form = NoShowForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Choose the player who did not appear."))
        return redirect("desk-match", event, tournament, pairing)
    absent, values = Side(form.cleaned_data["absent"]), form.cleaned_data
    done = attempt(
        request,
        lambda: absence.post_no_show(
            current_pairing,
            absent,
            context.actor,
            withdraws=values["withdraw"],
            expected=ExpectedResult(values["seen"]),
        ),
    )
    if done is not None:
        names = dict(zip(Side, names_in(current_pairing), strict=True))
        undo = reverse("desk-no-show-undo", args=[event, tournament, pairing, done.value])
        sentence = _no_show_sentence(names[absent], names[absent.other], withdraws=values["withdraw"])
        messages.success(request, sentence, extra_tags=undo)
    return redirect("desk-match", event, tournament, pairing)


@page("POST")
def desk_no_show_undo(
    request: HttpRequest, event: str, tournament: str, pairing: int, result: uuid.UUID
) -> HttpResponse:
    context = tournament_context(request, event, tournament, Capability.DESK)
    current_pairing = pairing_in(context, pairing)
    sentence = _("The no-show is undone. The match is open again.")
    run(request, lambda: absence.undo_no_show(current_pairing, result, context.actor), sentence)
    return redirect("desk-match", event, tournament, pairing)


def _no_show_sentence(absent: str, winner: str, *, withdraws: bool) -> str:
    if withdraws:
        sentence = _("{absent} did not appear and has been withdrawn. {winner} advances.")
    else:
        sentence = _("{absent} did not appear. {winner} advances.")
    return sentence.format(absent=absent, winner=winner)
