"""Forms of an account."""

from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from tournament.accounts.links import DEFAULT_TOKEN_DAYS, MAX_TOKEN_DAYS, TokenPlan
from tournament.models import Event, Scope


class TokenForm(forms.Form):
    label = forms.CharField(
        label=_("What is it for?"), max_length=60, help_text=_("Such as “scoreboard” or “my script”.")
    )
    scope = forms.ChoiceField(
        label=_("What may it do?"), choices=Scope.choices, initial=Scope.READ, widget=forms.RadioSelect
    )
    event: "forms.ModelChoiceField[Event]" = forms.ModelChoiceField(
        label=_("Event"),
        queryset=None,
        required=False,
        empty_label=_("All my events"),
    )
    days = forms.IntegerField(
        label=_("Ends after how many days?"),
        min_value=1,
        max_value=MAX_TOKEN_DAYS,
        initial=DEFAULT_TOKEN_DAYS,
        help_text=_("At most a year."),
    )

    def __init__(self, *args: Any, events: QuerySet[Event], **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["event"].queryset = events  # type: ignore[attr-defined]
        self.fields["event"].label_from_instance = lambda event: event.name  # type: ignore[attr-defined]

    def plan(self) -> TokenPlan:
        data = self.cleaned_data
        return TokenPlan(data["scope"], data["days"], data["event"])


class ConfirmForm(forms.Form):
    password = forms.CharField(
        label=_("Password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password", "autofocus": True}),
    )
