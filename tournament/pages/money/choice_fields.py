"""Fields for what the fees of an entry depend on: prices that apply to the player, and side pools."""

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournament.fees.choices import offered_conditions
from tournament.fees.schedule import Condition, FeeChoices
from tournament.ledger.charging import prices_of
from tournament.ledger.labels import CONDITION_LABELS
from tournament.models import Tournament

Choices = list[tuple[str, Promise | str]]


def offered_choices(tournament: Tournament) -> tuple[Choices, Choices]:
    """The conditions and the side pools of a tournament, as values and labels. Both are empty without fees."""
    if not tournament.charges_fees:
        return [], []
    prices = prices_of(tournament.event_id)
    schedule = prices.tournaments.get(tournament.pk)
    conditions: Choices = [
        (condition.value, CONDITION_LABELS[condition])
        for condition in offered_conditions(schedule, prices.event)
    ]
    return conditions, [(pool.key, pool.name) for pool in schedule.pools] if schedule else []


class ChoicesMixin(forms.Form):
    """Adds the fields to a form about an entry, if the tournament has something to choose."""

    def add_choices(self, tournament: Tournament) -> None:
        conditions, pools = offered_choices(tournament)
        self.choice_names = []
        for name, label, offered in (
            ("conditions", _("Condition"), conditions),
            ("pools", _("Side pools"), pools),
        ):
            if offered:
                self.fields[name] = forms.MultipleChoiceField(
                    label=label, required=False, choices=offered, widget=forms.CheckboxSelectMultiple
                )
                self.choice_names.append(name)

    def choices(self) -> FeeChoices | None:
        """The posted choices; None if the form does not ask."""
        if not self.choice_names:
            return None
        chosen = {name: self.cleaned_data.get(name, ()) for name in ("conditions", "pools")}
        return FeeChoices(frozenset(map(Condition, chosen["conditions"])), frozenset(chosen["pools"]))
