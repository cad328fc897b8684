"""The draw page. GET shows the draw; POST runs the action that its button names."""

from collections.abc import Callable, Mapping

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.access import permissions
from tournament.access.permissions import Capability
from tournament.drawing import draw_secret, draws, rounds, seeding
from tournament.pages.director.actions import attempt, page, redirect_back, run, submit
from tournament.pages.director.audience import released_message
from tournament.pages.director.context import TournamentContext, tournament_context
from tournament.pages.draws.forms import ReleaseForm, SeedingForm
from tournament.pages.draws.page import (
    closing_form,
    dice_form,
    draw_form,
    length_forms,
    reason_form,
    render_page,
    undo_form,
)
from tournament.queries.draws.preview import list_draws
from tournament.refusals.draws import REOPENING_REASON_NEEDED, SECRET_REASON_NEEDED


@page("GET", "POST")
def draw(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    context = tournament_context(request, event, tournament, Capability.DESK)
    if request.method != "POST":
        return render_page(request, context)
    permissions.require(context.actor, context.event, Capability.DIRECT)
    action = ACTIONS.get(request.POST.get("do", ""))
    return render_page(request, context) if action is None else action(request, context)


def _make(request: HttpRequest, context: TournamentContext) -> HttpResponse:
    form = draw_form(request, context, list_draws(context.tournament))
    done = submit(
        form, lambda: draws.make(context.tournament.pk, form.plan(), context.actor, form.expected_draw())
    )
    if done is None:
        return render_page(request, context, draw_form=form)
    messages.success(request, _("The draw is made."))
    return redirect("draw", *context.slugs)


def _release(request: HttpRequest, context: TournamentContext) -> HttpResponse:
    success = released_message(_("The draw is released, and the first matches can be played."), context.event)
    expected = ReleaseForm(request.POST if "seen" in request.POST else request.GET).expected_draw()
    run(request, lambda: draws.release(context.tournament.pk, context.actor, expected), success)
    return redirect_back(request, "draw", *context.slugs)


def _undo(request: HttpRequest, context: TournamentContext) -> HttpResponse:
    form = undo_form(request, list_draws(context.tournament))
    done = submit(form, lambda: draws.undo(context.tournament.pk, context.actor, form.cleaned_data["reason"]))
    if done is None:
        return render_page(request, context, undo_form=form)
    messages.success(request, _("The draw is taken back. The entry list is open again."))
    return redirect("draw", *context.slugs)


def _change_lengths(request: HttpRequest, context: TournamentContext) -> HttpResponse:
    """Saves the lengths of all rounds, all or none."""
    changed = {pk: form for pk, form in length_forms(request, context).items() if form.is_changed}
    if not all(form.is_valid() for form in changed.values()):
        messages.error(request, _("Not saved. Fix the marked rounds."))
        return _render_unsaved(request, context)
    lengths = {pk: form.to() for pk, form in changed.items()}
    done = attempt(
        request,
        lambda: rounds.change_rounds(context.tournament.pk, lengths, {}, context.actor, in_all_groups=True),
    )
    if done is None:
        return _render_unsaved(request, context)
    sentence = ngettext("{count} round changed.", "{count} rounds changed.", len(lengths))
    messages.success(request, sentence.format(count=len(lengths)) if lengths else _("Nothing to change."))
    return redirect("draw", *context.slugs)


def _render_unsaved(request: HttpRequest, context: TournamentContext) -> HttpResponse:
    response = render_page(request, context)
    response.status_code = 422
    return response


def _seed(request: HttpRequest, context: TournamentContext) -> HttpResponse:
    form = SeedingForm(request.POST)
    done = submit(
        form,
        lambda: seeding.seed_by_rating(context.tournament.pk, form.cleaned_data["how_many"], context.actor),
    )
    if done is None:
        return render_page(request, context, seeding_form=form)
    sentence = ngettext("{count} entry is seeded.", "{count} entries are seeded.", done.value)
    messages.success(request, sentence.format(count=done.value))
    return redirect("draw", *context.slugs)


def _commit(request: HttpRequest, context: TournamentContext) -> HttpResponse:
    success = _("The secret is made. Its hash is on the public page: show it before entries close.")
    run(request, lambda: draw_secret.commit_to_secret(context.tournament.pk, context.actor), success)
    return redirect("draw", *context.slugs)


def _close_entries(request: HttpRequest, context: TournamentContext) -> HttpResponse:
    form = closing_form(request, context)
    done = submit(
        form,
        lambda: draw_secret.close_entries(
            context.tournament.pk, form.draw_rules(), context.actor, form.public()
        ),
    )
    if done is None:
        return render_page(request, context, closing_form=form)
    messages.success(request, _("The entries are closed. Show the hash, then throw the dice."))
    return redirect("draw", *context.slugs)


def _reopen_entries(request: HttpRequest, context: TournamentContext) -> HttpResponse:
    form = reason_form(request, "reopen", REOPENING_REASON_NEEDED)
    done = submit(
        form,
        lambda: draw_secret.reopen_entries(context.tournament.pk, form.cleaned_data["reason"], context.actor),
    )
    if done is None:
        return render_page(request, context, reopen_form=form)
    messages.success(
        request,
        _("The entries are open again. Close them when they are right; the page of the draw shows both."),
    )
    return redirect("draw", *context.slugs)


def _throw_dice(request: HttpRequest, context: TournamentContext) -> HttpResponse:
    form = dice_form(request, context, list_draws(context.tournament))
    if submit(form, lambda: draws.make(context.tournament.pk, form.plan(), context.actor)) is None:
        return render_page(request, context, dice_form=form)
    messages.success(request, _("Drawn from secret, entries and dice. Release it, and anybody can check it."))
    return redirect("draw", *context.slugs)


def _give_up_secret(request: HttpRequest, context: TournamentContext) -> HttpResponse:
    form = reason_form(request, "give-up", SECRET_REASON_NEEDED)
    done = submit(
        form,
        lambda: draw_secret.give_up_secret(context.tournament.pk, form.cleaned_data["reason"], context.actor),
    )
    if done is None:
        return render_page(request, context, give_up_form=form)
    messages.success(request, _("The secret has been discarded."))
    return redirect("draw", *context.slugs)


def _pair_free_players(request: HttpRequest, context: TournamentContext) -> HttpResponse:
    success = _("The free players are paired, and their matches can be played.")
    run(request, lambda: rounds.pair_free_players(context.tournament.pk, context.actor), success)
    return redirect("draw", *context.slugs)


ACTIONS: Mapping[str, Callable[[HttpRequest, TournamentContext], HttpResponse]] = {
    "draw": _make,
    "release": _release,
    "undo": _undo,
    "lengths": _change_lengths,
    "seed": _seed,
    "commit": _commit,
    "close": _close_entries,
    "reopen": _reopen_entries,
    "dice": _throw_dice,
    "give-up": _give_up_secret,
    "pair-free": _pair_free_players,
}
