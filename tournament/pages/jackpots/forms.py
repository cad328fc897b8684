"""Forms of jackpots: opening one, and choosing the player who joins or leaves."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.drawing.jackpots import JackpotPlan
from tournament.models.jackpots import JACKPOT_SIZES
from tournament.pages.entries.late_entry_forms import price_field
from tournament.pages.tournaments.length_forms import length_field


class JackpotForm(forms.Form):
    key = forms.UUIDField(widget=forms.HiddenInput)
    size = forms.TypedChoiceField(
        label=_("Players"),
        coerce=int,
        choices=[(size, str(size)) for size in JACKPOT_SIZES],
        widget=forms.RadioSelect,
        initial=JACKPOT_SIZES[0],
    )
    length = length_field(label=_("Match length"))
    price = price_field(_("Price"))

    def plan(self) -> JackpotPlan:
        data = self.cleaned_data
        return JackpotPlan(data["size"], data["length"], data["price"], data["key"])


class EntryChoice(forms.Form):
    """The player who joins or leaves. The work package checks permission."""

    entry = forms.UUIDField(error_messages={"required": _("Choose a player.")})
