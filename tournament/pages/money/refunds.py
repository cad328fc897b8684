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
from tournament.fees.amounts import Amount
from tournament.fees.refunds import RefundTier
from tournament.fees.schedule import FeeSchedule
from tournament.fees.stored import MOST_TIERS
from tournament.ledger.charging import schedule_of
from tournament.ledger.withdrawals import give_back, kept_charges, pending_withdrawals, take_back
from tournament.money.fees import set_refunds
from tournament.pages.director.actions import page, run, submit
from tournament.pages.director.context import event_context, tournament_context
from tournament.pages.money.amount_fields import read_amount
from tournament.refusals.money import NO_FEES
from tournament.runtime.errors import Refused
from tournament.web.sentences import refusal_sentence


class RefundsForm(forms.Form):
    """Tiers by day; a tier without a day is left out. Reading them fills `tiers`."""

    def __init__(self, currency: str, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.currency, self.tiers = currency, list[RefundTier]()
        for number in range(1, MOST_TIERS + 1):
            self.fields[f"until_{number}"] = forms.DateField(
                label=gettext_lazy("Until"), required=False,
                widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
                error_messages={"invalid": gettext_lazy("Enter the day as 2026-11-21.")},
            )  # fmt: skip
            self.fields[f"percent_{number}"] = forms.DecimalField(
                label=gettext_lazy("Refund, percent"), required=False, min_value=0, max_value=100,
                decimal_places=2,
            )  # fmt: skip
            self.fields[f"kept_{number}"] = forms.CharField(
                label=gettext_lazy("Deduction"), required=False, max_length=20,
                widget=forms.TextInput({"inputmode": "decimal", "autocomplete": "off"}),
            )  # fmt: skip
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
                self.tiers.append(
                    RefundTier(until, 100_00 if percent is None else int(percent * 100), kept, is_kept)
                )
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
        percent = f"{tier.percent // 100}.{tier.percent % 100:02d}".removesuffix(".00")
        kept = str(Amount(tier.kept, schedule.currency).decimal) if tier.kept else ""
        values |= {
            f"until_{number}": tier.until,
            f"percent_{number}": percent,
            f"kept_{number}": kept,
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
    if request.method == "POST" and submit(
        form,
        lambda: set_refunds(context.tournament.pk, form.tiers, context.actor),
    ):
        messages.success(request, _("The refund rules are saved."))
        return redirect("refund-tiers", *context.slugs)
    return context.render(request, "refund_tiers.html", "setup", form=form)


@page("GET")
def withdrawals(request: HttpRequest, event: str) -> HttpResponse:
    """Entries that withdrew and get something back."""
    context = event_context(request, event, Capability.MONEY)
    rows = pending_withdrawals(context.event)
    return context.render(
        request, "withdrawals.html", "cash-desk", withdrawals=rows, kept=kept_charges(context.event)
    )


class GiveBackForm(forms.Form):
    entry = forms.UUIDField()
    player = forms.UUIDField()
    minor = forms.IntegerField()


@page("POST")
def give_back_fees(request: HttpRequest, event: str) -> HttpResponse:
    context = event_context(request, event, Capability.MONEY)
    form = GiveBackForm(request.POST)
    if form.is_valid():
        data = form.cleaned_data
        if run(
            request,
            lambda: give_back(context.event, data["entry"], data["minor"], context.actor),
            _("The charge is lowered. Give back here what the player paid too much."),
        ):
            return redirect("player-money", event, data["player"])
    return redirect("withdrawals", event)


class TakeBackForm(forms.Form):
    entry = forms.UUIDField()
    shown = forms.CharField(max_length=100)
    reason = forms.CharField(required=False, max_length=200)


@page("POST")
def take_back_charges(request: HttpRequest, event: str) -> HttpResponse:
    context = event_context(request, event, Capability.MONEY)
    form = TakeBackForm(request.POST)
    if form.is_valid():
        data = form.cleaned_data
        run(
            request,
            lambda: take_back(context.event, data["entry"], data["shown"], data["reason"], context.actor),
            _("The charge is taken back."),
        )
    return redirect("withdrawals", event)
