"""What the draw page does about the draw itself: makes it, releases it, takes it back, lengths, seeds by rating."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.drawing import draws, rounds, seeding
from tournament.pages.director.actions import run, submit
from tournament.pages.director.context import TournamentContext
from tournament.pages.draws.forms import ReasonForm, SeedingForm
from tournament.pages.draws.page import draw_form, shown
from tournament.pages.tournaments.length_forms import LengthForm
from tournament.queries.draws.preview import list_draws


def make(request: HttpRequest, context: TournamentContext) -> HttpResponse:
    form = draw_form(request, context, list_draws(context.tournament))
    if (
        submit(
            form, lambda: draws.make(context.tournament.pk, form.plan(), context.actor, form.expected_draw())
        )
        is None
    ):
        return shown(request, context, draw_form=form)
    messages.success(request, _("Drawn. Nobody but you sees it until you release it."))
    return redirect("draw", *context.slugs)


def release(request: HttpRequest, context: TournamentContext) -> HttpResponse:
    done = _("The draw is released: everybody sees it, and the first matches can be played.")
    run(request, lambda: draws.release(context.tournament.pk, context.actor), done)
    return redirect("draw", *context.slugs)


def undo(request: HttpRequest, context: TournamentContext) -> HttpResponse:
    form = ReasonForm(request.POST, prefix="undo")
    work = submit(form, lambda: draws.undo(context.tournament.pk, context.actor, form.cleaned_data["reason"]))
    if work is None:
        return shown(request, context, undo_form=form)
    messages.success(request, _("The draw is taken back. The entry list is open again."))
    return redirect("draw", *context.slugs)


def change_length(request: HttpRequest, context: TournamentContext) -> HttpResponse:
    form = LengthForm(request.POST, prefix=f"round-{request.POST.get('which', '')}")
    work = submit(
        form,
        lambda: rounds.change_round_length(
            form.cleaned_data["round"],
            context.tournament.pk,
            form.to(),
            context.actor,
            in_all_groups=True,
        ),
    )
    if work is None:
        return shown(request, context, length_form=form)
    messages.success(request, _("The round is changed."))
    return redirect("draw", *context.slugs)


def seed(request: HttpRequest, context: TournamentContext) -> HttpResponse:
    form = SeedingForm(request.POST)
    work = submit(
        form,
        lambda: seeding.seed_by_rating(context.tournament.pk, form.cleaned_data["how_many"], context.actor),
    )
    if work is None:
        return shown(request, context, seeding_form=form)
    words = ngettext("{count} entry is seeded.", "{count} entries are seeded.", work.value)
    messages.success(request, words.format(count=work.value))
    return redirect("draw", *context.slugs)
