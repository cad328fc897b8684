"""Rounds paired by records, on the draw page: the next one, those who are free, and back again while unplayed."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from tournament.drawing import rounds
from tournament.pages.director.actions import accepted, told
from tournament.pages.director.context import TournamentPlace
from tournament.pages.draws.forms import ReasonForm
from tournament.pages.draws.page import shown


def pair(request: HttpRequest, place: TournamentPlace) -> HttpResponse:
    done = _("The round is paired, and its matches can be played.")
    told(request, lambda: rounds.pair_next_round(place.tournament.pk, place.actor), done)
    return redirect("draw", *place.slugs)


def pair_free(request: HttpRequest, place: TournamentPlace) -> HttpResponse:
    done = _("Those who were free are paired, and their matches can be played.")
    told(request, lambda: rounds.pair_free_players(place.tournament.pk, place.actor), done)
    return redirect("draw", *place.slugs)


def take_back(request: HttpRequest, place: TournamentPlace) -> HttpResponse:
    form = ReasonForm(request.POST, prefix="take-back")
    work = accepted(
        form, lambda: rounds.take_back_round(place.tournament.pk, form.cleaned_data["reason"], place.actor)
    )
    if work is None:
        return shown(request, place, take_back_form=form)
    messages.success(request, _("The round is taken back."))
    return redirect("draw", *place.slugs)
