"""The organizer of an event: name, bank account, address, payment link, and text on receipts."""

import uuid

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.access.permissions import Capability, require_user
from tournament.events import organizers
from tournament.events.organizers import OrganizerDetails
from tournament.models import Organizer
from tournament.pages.director.actions import page, run, submit
from tournament.pages.director.context import event_context
from tournament.pages.money.fee_confirmation import revision_for_form
from tournament.queries.money.organizers import organizers_of, yearly_pots

PLAIN = {"autocomplete": "off", "spellcheck": "false"}


class OrganizerForm(forms.Form):
    name = forms.CharField(
        label=gettext_lazy("Name"), max_length=120, help_text=gettext_lazy("Printed on receipts.")
    )
    account_holder = forms.CharField(label=gettext_lazy("Account holder"), max_length=70, required=False)
    iban = forms.CharField(
        label=gettext_lazy("IBAN"), max_length=42, required=False, widget=forms.TextInput(PLAIN),
        help_text=gettext_lazy("Players see it, also as a QR code."),
    )  # fmt: skip
    bic = forms.CharField(
        label=gettext_lazy("BIC"), max_length=14, required=False, widget=forms.TextInput(PLAIN)
    )
    street = forms.CharField(label=gettext_lazy("Street"), max_length=70, required=False)
    house_number = forms.CharField(label=gettext_lazy("House number"), max_length=16, required=False)
    postcode = forms.CharField(label=gettext_lazy("Postcode"), max_length=16, required=False)
    town = forms.CharField(label=gettext_lazy("Town"), max_length=35, required=False)
    country = forms.CharField(
        label=gettext_lazy("Country"), max_length=2, required=False, widget=forms.TextInput(PLAIN),
        help_text=gettext_lazy("Two letters, such as CH."),
    )  # fmt: skip
    payment_link = forms.CharField(
        label=gettext_lazy("Payment link"), max_length=300, required=False, widget=forms.URLInput(PLAIN),
        help_text=gettext_lazy(
            "Such as https://example.com/pay/{amount}. It may also contain {currency} and {reference}."
        ),
    )  # fmt: skip
    tax_text = forms.CharField(
        label=gettext_lazy("Text on receipts"), max_length=300, required=False, widget=forms.Textarea({"rows": 2}),
        help_text=gettext_lazy("For example about taxes. The program computes no tax."),
    )  # fmt: skip

    def details(self) -> OrganizerDetails:
        return OrganizerDetails(**self.cleaned_data)


class ChoiceForm(forms.Form):
    organizer = forms.UUIDField(required=False)


FIELDS = tuple(OrganizerForm.base_fields)


@page("GET", "POST")
def organizer(request: HttpRequest, event: str) -> HttpResponse:
    """Only owners: a wrong bank account sends the players' money to somebody else."""
    context = event_context(request, event, Capability.OWN)
    user = require_user(context.actor)
    row: Organizer | None = organizers.organizer_for(context.event, user)
    is_own = row is None or row.owner_id == user.pk
    initial = {name: getattr(row, name) for name in FIELDS} if row else {"name": context.event.name}
    form = OrganizerForm(request.POST or None, initial=initial)
    revision = revision_for_form(request, organizers.organizer_settings(row), is_saved=form.is_valid())
    if request.method == "POST" and submit(
        form,
        lambda: organizers.change_organizer(
            context.event.pk, form.details(), context.actor, revision=request.POST.get("revision", "")
        ),
    ):
        messages.success(request, _("The organizer is saved, for all events that it runs."))
        return redirect("organizer", event)
    return context.render(
        request, "organizer.html", "cash-desk", form=form, revision=revision, organizer=row, is_own=is_own,
        others=organizers_of(context.actor, context.event), tournaments=context.event.tournaments.all(),
        yearly_pots=yearly_pots(context.event, context.actor) if row and is_own else [],
    )  # fmt: skip


@page("POST")
def choose_organizer(request: HttpRequest, event: str) -> HttpResponse:
    context = event_context(request, event, Capability.OWN)
    form = ChoiceForm(request.POST)
    chosen: uuid.UUID | None = form.cleaned_data["organizer"] if form.is_valid() else uuid.UUID(int=0)
    run(
        request,
        lambda: organizers.choose_organizer(
            context.event.pk, chosen or uuid.uuid4(), context.actor, is_new=chosen is None
        ),
        _("The event has another organizer now. Check the bank account."),
    )
    return redirect("organizer", event)
