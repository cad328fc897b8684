"""What the draw page does about the draw itself: makes it, releases it, takes it back, lengths, seeds by rating."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.drawing import draws, rounds, seeding
from tournament.pages.director.actions import accepted, told
from tournament.pages.director.context import TournamentPlace
from tournament.pages.draws.forms import ReasonForm, SeedingForm
from tournament.pages.draws.page import draw_form, shown
from tournament.pages.tournaments.length_forms import LengthForm
from tournament.queries.draws.preview import draws_of


def make(request: HttpRequest, place: TournamentPlace) -> HttpResponse:
    form = draw_form(request, place, draws_of(place.tournament))
    if (
        accepted(
            form, lambda: draws.make(place.tournament.pk, form.plan(), place.actor, form.expected_draw())
        )
        is None
    ):
        return shown(request, place, draw_form=form)
    messages.success(request, _("Drawn. Nobody but you sees it until you release it."))
    return redirect("draw", *place.slugs)


def release(request: HttpRequest, place: TournamentPlace) -> HttpResponse:
    done = _("The draw is released: everybody sees it, and the first matches can be played.")
    told(request, lambda: draws.release(place.tournament.pk, place.actor), done)
    return redirect("draw", *place.slugs)


def undo(request: HttpRequest, place: TournamentPlace) -> HttpResponse:
    form = ReasonForm(request.POST, prefix="undo")
    work = accepted(form, lambda: draws.undo(place.tournament.pk, place.actor, form.cleaned_data["reason"]))
    if work is None:
        return shown(request, place, undo_form=form)
    messages.success(request, _("The draw is taken back. The entry list is open again."))
    return redirect("draw", *place.slugs)


def change_length(request: HttpRequest, place: TournamentPlace) -> HttpResponse:
    form = LengthForm(request.POST, prefix=f"round-{request.POST.get('which', '')}")
    work = accepted(
        form,
        lambda: rounds.change_round_length(
            form.cleaned_data["round"],
            place.tournament.pk,
            form.to(),
            place.actor,
            in_all_groups=True,
        ),
    )
    if work is None:
        return shown(request, place, length_form=form)
    messages.success(request, _("The round is changed."))
    return redirect("draw", *place.slugs)


def seed(request: HttpRequest, place: TournamentPlace) -> HttpResponse:
    form = SeedingForm(request.POST)
    work = accepted(
        form, lambda: seeding.seed_by_rating(place.tournament.pk, form.cleaned_data["how_many"], place.actor)
    )
    if work is None:
        return shown(request, place, seeding_form=form)
    words = ngettext("{count} entry is seeded.", "{count} entries are seeded.", work.value)
    messages.success(request, words.format(count=work.value))
    return redirect("draw", *place.slugs)
