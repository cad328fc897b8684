"""The page of the next round: pairs it as a preview, changes it by hand, releases it, and hides it again."""

import uuid
from collections.abc import Callable, Mapping

from django.contrib import messages
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.access import permissions
from tournament.access.actors import Actor
from tournament.access.permissions import Capability
from tournament.drawing import pair_rules, round_previews, round_release
from tournament.drawing.round_previews import ExpectedPreview
from tournament.models import RoundPreview, RoundRelease
from tournament.pages.director.actions import attempt, page, redirect_back, run, submit
from tournament.pages.director.audience import released_message
from tournament.pages.director.context import TournamentContext, tournament_context
from tournament.pages.draws.forms import ReasonForm
from tournament.pages.rounds.forms import JournalForm, PairForm, RoundReleaseForm, RuleForm, SwapForm
from tournament.queries.entries.names import list_active_entries
from tournament.queries.next_rounds import find_next_round
from tournament.queries.round_preview import load_round_preview, rules_from_round
from tournament.queries.rounds import paired_round
from tournament.refusals.rounds import ROUND_REASON_NEEDED
from tournament.runtime.errors import NotFound
from tournament.web.sentences import refusal_sentence

PairWork = Callable[[uuid.UUID, uuid.UUID, uuid.UUID, str, Actor], object]


@page("GET", "POST")
def next_round(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    """GET shows the preview of the next round. POST runs the action that the button names."""
    context = tournament_context(request, event, tournament, Capability.DESK)
    if request.method != "POST":
        return _render(request, context)
    permissions.require(context.actor, context.event, Capability.DIRECT)
    action = ACTIONS.get(request.POST.get("do", ""))
    return _render(request, context) if action is None else action(request, context)


def _pair(request: HttpRequest, context: TournamentContext) -> HttpResponse:
    success = _("The round is paired. Check the pairs, then release it.")
    run(request, lambda: round_previews.preview_next_round(context.tournament.pk, context.actor), success)
    return redirect("next-round", *context.slugs)


def _release(request: HttpRequest, context: TournamentContext) -> HttpResponse:
    success = released_message(_("The round is released, and its matches can be played."), context.event)
    if run(
        request,
        lambda: round_previews.pair_and_release(context.tournament.pk, context.actor, _seen(request)),
        success,
    ):
        return redirect_back(request, "draw", *context.slugs)
    return redirect("next-round", *context.slugs)


@page("POST")
def automatic_pairing(
    request: HttpRequest, event: str, tournament: str, number: int, action: str
) -> HttpResponse:
    """Stops the automatic pairing of a round, or resumes it; each is the undo of the other."""
    context = tournament_context(request, event, tournament, Capability.DIRECT)
    if action == "stop":
        work, undo = round_release.stop_automatic_pairing, "resume"
        success = _("Round {number} is not paired automatically. Pair it when you are ready.")
    elif action == "resume":
        work, undo = round_release.resume_automatic_pairing, "stop"
        success = _("Round {number} is paired automatically again.")
    else:
        raise NotFound
    run(
        request,
        lambda: work(context.tournament.pk, number, context.actor),
        success.format(number=number),
        undo=reverse("automatic-pairing", args=(*context.slugs, number, undo)),
    )
    return redirect_back(request, "next-round", *context.slugs)


def _discard(request: HttpRequest, context: TournamentContext) -> HttpResponse:
    success = _("The preview is discarded. Pair the round when you are ready.")
    run(request, lambda: round_previews.discard_preview(context.tournament.pk, context.actor), success)
    return redirect("next-round", *context.slugs)


def _undo_swap(request: HttpRequest, context: TournamentContext) -> HttpResponse:
    form = SwapForm(request.POST)
    if not form.is_valid():
        raise NotFound
    number, pk = form.cleaned_data["number"], context.tournament.pk
    success = _("The last swap is undone.")
    run(request, lambda: round_previews.undo_swap(pk, context.actor, number=number), success)
    return redirect("next-round", *context.slugs)


def _seen(request: HttpRequest) -> ExpectedPreview:
    """The preview on the page with the button."""
    return ExpectedPreview(request.POST.get("seen", ""))


def _undo_release(request: HttpRequest, context: TournamentContext) -> HttpResponse:
    """From the journal, which names the round, a refusal leads back to the journal."""
    form = ReasonForm(request.POST, prefix="undo", needed=ROUND_REASON_NEEDED)
    journal_form = JournalForm(request.POST)
    if "round" in request.POST and not journal_form.is_valid():
        raise NotFound
    expected = journal_form.cleaned_data["round"] if journal_form.is_valid() else None

    def work() -> RoundPreview | None:
        reason = form.cleaned_data["reason"]
        return round_previews.undo_release(context.tournament.pk, reason, context.actor, expected)

    if expected is not None and form.is_valid():
        if attempt(request, work) is None:
            return redirect_back(request, "next-round", *context.slugs)
    elif submit(form, work) is None:
        return _render(request, context, undo_form=form)
    messages.success(request, _("The round is hidden again. Change it, or discard it."))
    return redirect("next-round", *context.slugs)


def _swap(request: HttpRequest, context: TournamentContext) -> HttpResponse:
    return _work_on_pair(request, context, round_previews.swap_players, _("The two players are swapped."))


def _pair_by_hand(request: HttpRequest, context: TournamentContext) -> HttpResponse:
    success = _("The two players are paired by hand.")
    return _work_on_pair(request, context, pair_rules.pair_by_hand, success, pairs_again=True)


def _keep_apart(request: HttpRequest, context: TournamentContext) -> HttpResponse:
    success = _("The two players are kept apart in this round and all later rounds.")
    return _work_on_pair(request, context, pair_rules.keep_apart, success, pairs_again=True)


def _work_on_pair(
    request: HttpRequest,
    context: TournamentContext,
    work: PairWork,
    success: str,
    *,
    pairs_again: bool = False,
) -> HttpResponse:
    form = _pair_form(request, context)
    actor, pk = context.actor, context.tournament.pk
    if submit(form, lambda: work(pk, *form.players(), form.cleaned_data["reason"], actor)) is None:
        return _render(request, context, pair_form=form)
    messages.success(request, success)
    if pairs_again:
        _pair_again(request, context)
    return redirect("next-round", *context.slugs)


def _remove_rule(request: HttpRequest, context: TournamentContext) -> HttpResponse:
    form = RuleForm(request.POST)
    if not form.is_valid():
        raise NotFound
    rule, pk = form.cleaned_data["rule"], context.tournament.pk
    if run(request, lambda: pair_rules.remove_rule(pk, rule, context.actor), _("The rule is removed.")):
        _pair_again(request, context)
    return redirect("next-round", *context.slugs)


def _pair_again(request: HttpRequest, context: TournamentContext) -> None:
    """Pairs the preview again after a change of the rules."""
    if round_previews.find_preview(context.tournament) is None:
        return
    done = attempt(request, lambda: round_previews.pair_again(context.tournament.pk, context.actor))
    if done is None:
        return
    messages.success(request, _("The round is paired again. Check the pairs, then release it."))
    if done.value:
        sentence = ngettext(
            "{count} swap was dropped, because it does not fit the new pairs. Make it again if you still need it.",
            "{count} swaps were dropped, because they do not fit the new pairs. Make them again if you still "
            "need them.",
            done.value,
        )
        messages.warning(request, sentence.format(count=done.value))


def _set_release(request: HttpRequest, context: TournamentContext) -> HttpResponse:
    form = RoundReleaseForm(request.POST)
    if not form.is_valid():
        return _render(request, context, release_form=form)
    success = _("Saved. It counts from the next round.")
    run(
        request,
        lambda: round_release.set_round_release(
            context.tournament.pk, form.choice(), context.actor, form.cleaned_data["release_grace"]
        ),
        success,
    )
    return redirect("next-round", *context.slugs)


def _pair_form(request: HttpRequest, context: TournamentContext) -> PairForm:
    names = [(str(entry.pk), entry.name) for entry in list_active_entries(context.tournament)]
    return PairForm(request.POST if request.method == "POST" else None, names=names)


def _render(request: HttpRequest, context: TournamentContext, **bound: BaseForm) -> HttpResponse:
    """Raises NotFound for a tournament that is not paired round by round."""
    tournament, following = context.tournament, find_next_round(context.tournament)
    paired, preview = paired_round(tournament, numbers={}), load_round_preview(tournament)
    if paired is None:
        raise NotFound
    names = [(str(entry.pk), entry.name) for entry in list_active_entries(tournament)]
    by_hand, apart = rules_from_round(tournament, paired.next_number)
    variables = {
        "paired": paired,
        "preview": preview,
        "next": following,
        "refusal": refusal_sentence(paired.refused) if paired.refused else "",
        "pairs_by_hand": by_hand,
        "pairs_apart": apart,
        "pair_form": PairForm(names=names),
        "undo_form": ReasonForm(prefix="undo", needed=ROUND_REASON_NEEDED),
        "release_form": RoundReleaseForm(
            initial={
                "round_release": tournament.round_release,
                "release_grace": tournament.release_grace,
            }
        ),
        "has_preview_first": tournament.round_release == RoundRelease.AFTER_PREVIEW,
        "wrong": set(bound),
        "next_step": None,
        **bound,
    }
    form = next(iter(bound.values()), None)
    return context.render(request, "next_round.html", "draw", form=form, **variables)


ACTIONS: Mapping[str, Callable[[HttpRequest, TournamentContext], HttpResponse]] = {
    "pair": _pair,
    "release": _release,
    "discard": _discard,
    "undo-swap": _undo_swap,
    "undo-release": _undo_release,
    "swap": _swap,
    "by-hand": _pair_by_hand,
    "apart": _keep_apart,
    "remove-rule": _remove_rule,
    "when": _set_release,
}
