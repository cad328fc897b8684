"""The phone's page on which two players settle their match: one proposes, the other accepts."""

import uuid

from django import forms
from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from tournament.money import settling
from tournament.pages.cards.player_requests import PlayerRequest, player_view
from tournament.pages.director.actions import submit
from tournament.pages.money.settlement_forms import SettlementForm
from tournament.queries.money.settlements import amounts_of, load_settlement_page
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
    settlement = load_settlement_page(player.pairing)
    if settlement is None:
        raise Refused(PLAYERS_UNKNOWN)
    sent: QueryDict | None = player.request.POST if player.request.method == "POST" else None
    form = SettlementForm(settlement, sent)
    if sent is not None and submit(
        form, lambda: settling.propose(player.pairing, form.agreement(), player.actor)
    ):
        messages.success(player.request, _("Proposed. Your opponent accepts it on their own phone."))
        return player.redirect_to_card()
    proposal = settlement.proposal
    context = {
        "settlement": settlement,
        "proposal_amounts": amounts_of(proposal) if proposal else None,
        "is_own": proposal is not None and player.actor.entry == proposal.proposed_by,
        "form": form,
        "match_id": player.match_id,
        "tournament": player.pairing.round.bracket.tournament,
    }
    status = 422 if form.is_bound and form.errors else 200
    return render(player.request, "player/settlement.html", context, status=status)


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
