"""Forms of entries after the draw: a late player, and the terms of re-entry."""

from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournament.entries.late_entry import LateEntryRequest
from tournament.entries.reentry import HIGHEST_PRICE, LAST_ROUND, MOST_TIMES, ReentryTerms
from tournament.pages.entries.forms import EntryForm

BY_CHANCE = ""


def price_field(label: Any) -> forms.DecimalField:
    return forms.DecimalField(
        label=label,
        required=False,
        min_value=Decimal(0),
        max_value=HIGHEST_PRICE,
        decimal_places=2,
        widget=forms.NumberInput(attrs={"inputmode": "decimal", "min": 0, "step": "0.01"}),
        help_text=_("Charged only in a tournament with fees."),
    )


class LateForm(EntryForm):
    """A player who enters after the draw.

    `seats` are pairs of feed and label of the free seats. `most_losses` is the maximum of starting losses.
    """

    seat = forms.ChoiceField(label=_("Seat"), required=False)
    seed_text = forms.CharField(
        label=_("Seed text"),
        required=False,
        max_length=100,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        help_text=_("Only for a seat by chance. Leave it empty and one is made."),
    )
    given_losses = forms.IntegerField(
        label=_("Losses to start with"),
        required=False,
        min_value=0,
        help_text=_("For the rounds missed, as you decide. The player must have a life left."),
    )

    def __init__(self, *args: Any, seats: list[tuple[str, str]], most_losses: int = 0, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        del self.fields["seed"]
        if not most_losses:
            del self.fields["given_losses"]
        if not seats:
            del self.fields["seat"], self.fields["seed_text"]
        else:
            choices = [(BY_CHANCE, gettext("By chance, among the free ones")), *seats]
            self.fields["seat"].choices = choices  # type: ignore[attr-defined]

    def late(self) -> LateEntryRequest:
        self.cleaned_data["seed"] = None
        feed = self.cleaned_data.get("seat", BY_CHANCE)
        seed_text = self.cleaned_data.get("seed_text", "")
        starting_losses = self.cleaned_data.get("given_losses") or 0
        return LateEntryRequest(self.details(), int(feed) if feed else None, seed_text, starting_losses)


class TermsForm(forms.Form):
    """The terms of re-entry. `brackets` are the brackets that a player can re-enter.

    `has_price`: False if the fees of the tournament say what a re-entry costs.
    """

    allowed = forms.BooleanField(label=_("Players who are out may enter again"), required=False)
    price = price_field(_("Price"))
    times = forms.IntegerField(
        label=_("Times per player"), min_value=1, max_value=MOST_TIMES, initial=1, widget=forms.NumberInput
    )
    until_round = forms.IntegerField(
        label=_("Until round"),
        required=False,
        min_value=1,
        max_value=LAST_ROUND,
        help_text=_("Re-entry closes when a match of this round begins. Empty: open to the end."),
    )
    into = forms.ChoiceField(
        label=_("Bracket"),
        help_text=_(
            "Choose the consolation before the draw. A progressive consolation then keeps free seats."
        ),
    )

    def __init__(self, *args: Any, brackets: list[tuple[str, str]], has_price: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not has_price:
            del self.fields["price"]
        self.fields["into"].choices = brackets  # type: ignore[attr-defined]

    def terms(self) -> ReentryTerms:
        data = self.cleaned_data
        return ReentryTerms(
            data["allowed"], data.get("price"), data["until_round"] or 0, data["into"], data["times"]
        )
