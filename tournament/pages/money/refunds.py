"""Pages of refunds for withdrawals: the tiers of a tournament, and the refunds at the cash desk."""

from typing import Any

from django import forms
from django.contrib import messages
from django.forms import BoundField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.access.permissions import Capability
from tournament.fees.refunds import RefundTier
from tournament.fees.schedule import FeeSchedule
from tournament.fees.shares import WHOLE
from tournament.fees.stored import MOST_TIERS
from tournament.ledger.charging import schedule_of
from tournament.money.fees import set_refunds
from tournament.money.revisions import refund_settings
from tournament.money.withdrawals import (
    pending_withdrawals,
    refund_withdrawal,
    remaining_charges,
    waive_charges,
)
from tournament.pages.director.actions import page, run, submit
from tournament.pages.director.context import event_context, tournament_context
from tournament.pages.money.amount_fields import AmountField, PercentField, amount_text, read_amount
from tournament.pages.money.fee_confirmation import revision_for_form
from tournament.refusals.money import NO_FEES
from tournament.runtime.errors import Refused
from tournament.web.sentences import refusal_sentence


class RefundsForm(forms.Form):
    """Tiers by day; an empty tier is left out. Reading them fills `tiers`."""

    def __init__(self, currency: str, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.currency, self.tiers = currency, list[RefundTier]()
        for number in range(1, MOST_TIERS + 1):
            self.fields[f"until_{number}"] = forms.DateField(
                label=gettext_lazy("Until"), required=False,
                widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
                error_messages={"invalid": gettext_lazy("Enter the day as 2026-11-21.")},
            )  # fmt: skip
            self.fields[f"percent_{number}"] = PercentField(label=gettext_lazy("Refund, percent"))
            self.fields[f"kept_{number}"] = AmountField(label=gettext_lazy("Deduction"))
            self.fields[f"registration_{number}"] = forms.BooleanField(
                label=gettext_lazy("Registration is kept"), required=False
            )

    @property
    def tier_fields(self) -> list[tuple[int, list[BoundField]]]:
        names = ("until", "percent", "kept", "registration")
        return [(number, [self[f"{name}_{number}"] for name in names]) for number in range(1, MOST_TIERS + 1)]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        for number in range(1, MOST_TIERS + 1):
            if until := data.get(f"until_{number}"):
                percent, kept = data.get(f"percent_{number}"), self._kept(number)
                is_kept = data[f"registration_{number}"]
                self.tiers.append(RefundTier(until, WHOLE if percent is None else percent, kept, is_kept))
            elif any(data.get(f"{name}_{number}") for name in ("percent", "kept", "registration")):
                self.add_error(f"until_{number}", _("Enter the last day of this rule."))
        if len({tier.until for tier in self.tiers}) < len(self.tiers):
            raise forms.ValidationError(
                _("Two refund rules end on the same day. Choose another day for one of them.")
            )
        return data

    def _kept(self, number: int) -> int:
        text = self.cleaned_data.get(f"kept_{number}", "").strip() or "0"
        try:
            return read_amount(text, self.currency, _("An amount cannot be negative.")).minor
        except forms.ValidationError as error:
            self.add_error(f"kept_{number}", error)
            return 0


def _initial(schedule: FeeSchedule) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for number, tier in enumerate(sorted(schedule.refunds, key=lambda tier: tier.until), 1):
        values |= {
            f"until_{number}": tier.until,
            f"percent_{number}": tier.percent,
            f"kept_{number}": amount_text(tier.kept, schedule.currency),
            f"registration_{number}": tier.keeps_registration,
        }
    return values


@page("GET", "POST")
def refund_tiers(request: HttpRequest, event: str, tournament: str) -> HttpResponse:
    context = tournament_context(request, event, tournament, Capability.DIRECT)
    schedule = schedule_of(context.tournament)
    if schedule is None:
        messages.error(request, refusal_sentence(Refused(NO_FEES)))
        return redirect("fees", *context.slugs)
    form = RefundsForm(schedule.currency, request.POST or None, initial=_initial(schedule))
    revision = revision_for_form(request, refund_settings(context.tournament.fees), is_saved=form.is_valid())
    if request.method == "POST" and submit(
        form,
        lambda: set_refunds(
            context.tournament.pk, form.tiers, context.actor, revision=request.POST.get("revision", "")
        ),
    ):
        messages.success(request, _("The refund rules are saved."))
        return redirect("refund-tiers", *context.slugs)
    return context.render(request, "refund_tiers.html", "setup", form=form, revision=revision)


@page("GET")
def withdrawals(request: HttpRequest, event: str) -> HttpResponse:
    context = event_context(request, event, Capability.MONEY)
    charges = remaining_charges(context.event)
    return context.render(
        request,
        "withdrawals.html",
        "cash-desk",
        withdrawals=pending_withdrawals(context.event),
        charges=[row for row in charges if row.is_owed],
        paid_charges=[row for row in charges if not row.is_owed],
        tournaments=context.event.tournaments.all(),
    )


class RefundForm(forms.Form):
    entry = forms.UUIDField()
    player = forms.UUIDField()
    minor = forms.IntegerField()


@page("POST")
def post_refund(request: HttpRequest, event: str) -> HttpResponse:
    context = event_context(request, event, Capability.MONEY)
    form = RefundForm(request.POST)
    if form.is_valid():
        data = form.cleaned_data
        if run(
            request,
            lambda: refund_withdrawal(context.event, data["entry"], data["minor"], context.actor),
            _("The charge is lowered. Give back here what the player paid too much."),
        ):
            return redirect("player-money", event, data["player"])
    return redirect("withdrawals", event)


class WaiverForm(forms.Form):
    entry = forms.UUIDField()
    revision = forms.CharField(max_length=100)
    reason = forms.CharField(required=False, max_length=200)


@page("POST")
def post_waiver(request: HttpRequest, event: str) -> HttpResponse:
    context = event_context(request, event, Capability.MONEY)
    form = WaiverForm(request.POST)
    if form.is_valid():
        data = form.cleaned_data
        run(
            request,
            lambda: waive_charges(
                context.event, data["entry"], data["revision"], data["reason"], context.actor
            ),
            _("Charge taken back."),
        )
    return redirect("withdrawals", event)
