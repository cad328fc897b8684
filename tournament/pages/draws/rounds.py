"""Rounds paired by records, on the draw page: the next one, those who are free, and back again while unplayed."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from tournament.drawing import rounds
from tournament.pages.director.actions import run, submit
from tournament.pages.director.context import TournamentContext
from tournament.pages.draws.forms import ReasonForm
from tournament.pages.draws.page import shown


def pair(request: HttpRequest, context: TournamentContext) -> HttpResponse:
    done = _("The round is paired, and its matches can be played.")
    run(request, lambda: rounds.pair_next_round(context.tournament.pk, context.actor), done)
    return redirect("draw", *context.slugs)


def pair_free(request: HttpRequest, context: TournamentContext) -> HttpResponse:
    done = _("Those who were free are paired, and their matches can be played.")
    run(request, lambda: rounds.pair_free_players(context.tournament.pk, context.actor), done)
    return redirect("draw", *context.slugs)


def take_back(request: HttpRequest, context: TournamentContext) -> HttpResponse:
    form = ReasonForm(request.POST, prefix="take-back")
    work = submit(
        form,
        lambda: rounds.take_back_round(context.tournament.pk, form.cleaned_data["reason"], context.actor),
    )
    if work is None:
        return shown(request, context, take_back_form=form)
    messages.success(request, _("The round is taken back."))
    return redirect("draw", *context.slugs)
