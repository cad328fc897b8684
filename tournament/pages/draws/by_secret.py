"""A draw by secret and dice, in the order that is its proof: secret, closed entries, dice; or given up for a reason."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from tournament.drawing import commitments, draws
from tournament.pages.director.actions import accepted, told
from tournament.pages.director.context import TournamentPlace
from tournament.pages.draws.forms import ReasonForm
from tournament.pages.draws.page import closing_form, dice_form, shown
from tournament.queries.draws.preview import draws_of


def commit(request: HttpRequest, place: TournamentPlace) -> HttpResponse:
    done = _("The secret is made. Its hash is on the public page: show it before entries close.")
    told(request, lambda: commitments.commit_to_secret(place.tournament.pk, place.actor), done)
    return redirect("draw", *place.slugs)


def close(request: HttpRequest, place: TournamentPlace) -> HttpResponse:
    form = closing_form(request, place)
    work = accepted(
        form,
        lambda: commitments.close_entries(place.tournament.pk, form.draw_rules(), place.actor, form.public()),
    )
    if work is None:
        return shown(request, place, closing_form=form)
    messages.success(request, _("The entries are closed. Show the hash, then throw the dice."))
    return redirect("draw", *place.slugs)


def reopen(request: HttpRequest, place: TournamentPlace) -> HttpResponse:
    form = ReasonForm(request.POST, prefix="reopen")
    work = accepted(
        form,
        lambda: commitments.reopen_entries(place.tournament.pk, form.cleaned_data["reason"], place.actor),
    )
    if work is None:
        return shown(request, place, reopen_form=form)
    messages.success(
        request,
        _("The entries are open again. Close them when they are right; the page of the draw shows both."),
    )
    return redirect("draw", *place.slugs)


def throw(request: HttpRequest, place: TournamentPlace) -> HttpResponse:
    form = dice_form(request, place, draws_of(place.tournament))
    if accepted(form, lambda: draws.make(place.tournament.pk, form.plan(), place.actor)) is None:
        return shown(request, place, dice_form=form)
    messages.success(request, _("Drawn from secret, entries and dice. Release it, and anybody can check it."))
    return redirect("draw", *place.slugs)


def give_up(request: HttpRequest, place: TournamentPlace) -> HttpResponse:
    form = ReasonForm(request.POST, prefix="give-up")
    work = accepted(
        form,
        lambda: commitments.give_up_secret(place.tournament.pk, form.cleaned_data["reason"], place.actor),
    )
    if work is None:
        return shown(request, place, give_up_form=form)
    messages.success(request, _("The secret is given up."))
    return redirect("draw", *place.slugs)
