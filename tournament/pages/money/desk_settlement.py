"""The desk's page that records how two players settled their match."""

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tournament.access import permissions
from tournament.access.permissions import Capability
from tournament.fees.amounts import Amount, format_amount
from tournament.models import Pairing
from tournament.money import settling
from tournament.money.settling import Agreement
from tournament.pages.director.actions import page, submit
from tournament.pages.director.context import tournament_context
from tournament.pages.director.pairing import names_in, pairing_in
from tournament.pages.money.settlement_forms import SettlementForm
from tournament.queries.money.settlements import amounts_of, load_settlement_page
from tournament.refusals.results import PLAYERS_UNKNOWN
from tournament.results.awards import ExpectedResult
from tournament.results.posting import find_current_result
from tournament.runtime.errors import Refused


class ExpectedResultForm(forms.Form):
    """`seen` is the result that the desk saw."""

    seen = forms.UUIDField(required=False)


def _settled_sentence(pairing: Pairing, agreement: Agreement) -> str:
    """Names the amounts, so that the desk can read them to both players."""
    stakes = settling.shared_stakes(pairing)
    if stakes is None or agreement.amounts is None:
        return _("Settlement saved. The result is posted.")
    left, right = (
        format_amount(Amount(minor, stakes.currency), get_language() or "en") for minor in agreement.amounts
    )
    first, second = names_in(pairing)
    sentence = _("Settlement saved: {first} gets {left}, {second} gets {right}.")
    return sentence.format(first=first, second=second, left=left, right=right)


@page("GET", "POST")
def desk_settlement(request: HttpRequest, event: str, tournament: str, pairing: int) -> HttpResponse:
    context = tournament_context(request, event, tournament, Capability.DESK)
    permissions.require(context.actor, context.tournament, Capability.MONEY)
    current_pairing = pairing_in(context, pairing)
    settlement = load_settlement_page(current_pairing)
    if settlement is None:
        raise Refused(PLAYERS_UNKNOWN)
    form = SettlementForm(settlement, request.POST if request.method == "POST" else None)
    result_form = ExpectedResultForm(request.POST)
    expected = ExpectedResult(result_form.cleaned_data["seen"] if result_form.is_valid() else None)
    if form.is_bound and submit(
        form,
        lambda: settling.settle_at_desk(
            current_pairing, form.agreement(), "", context.actor, expected=expected
        ),
    ):
        messages.success(request, _settled_sentence(current_pairing, form.agreement()))
        return redirect("desk-match", event, tournament, pairing)
    proposal = settlement.proposal
    return context.render(
        request,
        "settlement.html",
        "desk",
        pairing=current_pairing,
        names=names_in(current_pairing),
        result=find_current_result(current_pairing.pk),
        settlement=settlement,
        proposal_amounts=amounts_of(proposal) if proposal else None,
        form=form,
    )
