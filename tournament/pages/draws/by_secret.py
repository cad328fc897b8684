"""A draw by secret and dice, in the order that is its proof: secret, closed entries, dice; or given up for a reason."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from tournament.drawing import commitments, draws
from tournament.pages.director.actions import run, submit
from tournament.pages.director.context import TournamentContext
from tournament.pages.draws.forms import ReasonForm
from tournament.pages.draws.page import closing_form, dice_form, shown
from tournament.queries.draws.preview import list_draws


def commit(request: HttpRequest, context: TournamentContext) -> HttpResponse:
    done = _("The secret is made. Its hash is on the public page: show it before entries close.")
    run(request, lambda: commitments.commit_to_secret(context.tournament.pk, context.actor), done)
    return redirect("draw", *context.slugs)


def close(request: HttpRequest, context: TournamentContext) -> HttpResponse:
    form = closing_form(request, context)
    work = submit(
        form,
        lambda: commitments.close_entries(
            context.tournament.pk, form.draw_rules(), context.actor, form.public()
        ),
    )
    if work is None:
        return shown(request, context, closing_form=form)
    messages.success(request, _("The entries are closed. Show the hash, then throw the dice."))
    return redirect("draw", *context.slugs)


def reopen(request: HttpRequest, context: TournamentContext) -> HttpResponse:
    form = ReasonForm(request.POST, prefix="reopen")
    work = submit(
        form,
        lambda: commitments.reopen_entries(context.tournament.pk, form.cleaned_data["reason"], context.actor),
    )
    if work is None:
        return shown(request, context, reopen_form=form)
    messages.success(
        request,
        _("The entries are open again. Close them when they are right; the page of the draw shows both."),
    )
    return redirect("draw", *context.slugs)


def throw(request: HttpRequest, context: TournamentContext) -> HttpResponse:
    form = dice_form(request, context, list_draws(context.tournament))
    if submit(form, lambda: draws.make(context.tournament.pk, form.plan(), context.actor)) is None:
        return shown(request, context, dice_form=form)
    messages.success(request, _("Drawn from secret, entries and dice. Release it, and anybody can check it."))
    return redirect("draw", *context.slugs)


def give_up(request: HttpRequest, context: TournamentContext) -> HttpResponse:
    form = ReasonForm(request.POST, prefix="give-up")
    work = submit(
        form,
        lambda: commitments.give_up_secret(context.tournament.pk, form.cleaned_data["reason"], context.actor),
    )
    if work is None:
        return shown(request, context, give_up_form=form)
    messages.success(request, _("The secret is given up."))
    return redirect("draw", *context.slugs)
