"""The phone's page on which two players settle or hedge their match: one proposes, the other accepts."""

import uuid

from django import forms
from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from tournament.money import hedging, settling
from tournament.pages.cards.player_requests import PlayerRequest, player_view
from tournament.pages.director.actions import submit
from tournament.pages.money.settlement_forms import HedgeForm, SettlementForm
from tournament.queries.money.settlements import SettlementPage, amounts_of, load_settlement_page
from tournament.refusals.results import NO_PROPOSAL, PLAYERS_UNKNOWN
from tournament.runtime.errors import Refused


class ProposalForm(forms.Form):
    """`proposal` is the one that the player saw."""

    proposal = forms.UUIDField()


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@player_view
def my_settlement(player: PlayerRequest) -> HttpResponse:
    """Shows what a settlement would be, and takes a proposal."""
    settlement = _settlement_of(player)
    sent: QueryDict | None = player.request.POST if player.request.method == "POST" else None
    form = SettlementForm(settlement, sent)
    if sent is not None and submit(
        form, lambda: settling.propose(player.pairing, form.agreement(), player.actor)
    ):
        messages.success(player.request, _("Proposed. Your opponent accepts it on their own phone."))
        return player.redirect_to_card()
    return _settlement_page(player, settlement, form, HedgeForm(settlement))


@never_cache
@require_POST
@player_view
def my_hedge(player: PlayerRequest) -> HttpResponse:
    """Takes the proposal of a hedge."""
    settlement = _settlement_of(player)
    form = HedgeForm(settlement, player.request.POST)
    if submit(form, lambda: hedging.propose(player.pairing, form.amounts(), player.actor)):
        messages.success(player.request, _("Hedge proposed. Your opponent accepts it on their own phone."))
        return player.redirect_to_card()
    return _settlement_page(player, settlement, SettlementForm(settlement), form)


@never_cache
@require_POST
@player_view
def my_hedge_accept(player: PlayerRequest) -> HttpResponse:
    hedging.accept(player.pairing, _proposal(player), player.actor)
    messages.success(player.request, _("The hedge is agreed. It is paid with the prizes. Play continues."))
    return player.redirect_to_card()


@never_cache
@require_POST
@player_view
def my_hedge_close(player: PlayerRequest) -> HttpResponse:
    """Declines or withdraws a proposed hedge, or asks to cancel an agreed one."""
    if hedging.close(player.pairing, _proposal(player), player.actor):
        messages.success(player.request, _("The hedge has ended. Play continues."))
    else:
        messages.success(
            player.request, _("Your opponent has to cancel the hedge too. It counts until then.")
        )
    return player.redirect_to_card()


def _settlement_of(player: PlayerRequest) -> SettlementPage:
    settlement = load_settlement_page(player.pairing, player.actor.entry.pk if player.actor.entry else None)
    if settlement is None:
        raise Refused(PLAYERS_UNKNOWN)
    return settlement


def _settlement_page(
    player: PlayerRequest, settlement: SettlementPage, form: SettlementForm, hedge_form: HedgeForm
) -> HttpResponse:
    proposal = settlement.proposal
    context = {
        "settlement": settlement,
        "proposal_amounts": amounts_of(proposal) if proposal else None,
        "is_own": proposal is not None and player.actor.entry == proposal.proposed_by,
        "form": form,
        "hedge_form": hedge_form,
        "player": player.actor.entry,
        "match_id": player.match_id,
        "tournament": player.pairing.round.bracket.tournament,
    }
    has_errors = any(row.is_bound and row.errors for row in (form, hedge_form))
    return render(player.request, "player/settlement.html", context, status=422 if has_errors else 200)


@never_cache
@require_POST
@player_view
def my_settlement_accept(player: PlayerRequest) -> HttpResponse:
    settling.confirm(player.pairing, _proposal(player), player.keeper, player.actor)
    undo = reverse("my-settlement-undo", args=[player.match_id])
    messages.success(
        player.request, _("You have settled the match. The desk sees the result."), extra_tags=undo
    )
    return redirect("my-matches")


@never_cache
@require_POST
@player_view
def my_settlement_undo(player: PlayerRequest) -> HttpResponse:
    settling.undo_acceptance(player.pairing, player.keeper, player.actor)
    messages.success(player.request, _("The settlement is undone. Play continues."))
    return player.redirect_to_card()


@never_cache
@require_POST
@player_view
def my_settlement_close(player: PlayerRequest) -> HttpResponse:
    """Declines the opponent's proposal, or withdraws the player's own."""
    settling.close(player.pairing, _proposal(player), player.actor)
    messages.success(player.request, _("The proposal to settle is no longer open. Play continues."))
    return player.redirect_to_card()


def _proposal(player: PlayerRequest) -> uuid.UUID:
    form = ProposalForm(player.request.POST)
    if not form.is_valid():
        raise Refused(NO_PROPOSAL)
    proposal: uuid.UUID = form.cleaned_data["proposal"]
    return proposal
