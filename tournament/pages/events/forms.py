"""Forms of an event, its roles and its helpers."""

from typing import Any, cast

from django import forms
from django.core.validators import URLValidator
from django.utils.translation import gettext_lazy as _

from tournament.events.setup import EVENT_FIELDS, EventPlan
from tournament.models import Event, Role, Visibility
from tournament.pages.events.time_zones import grouped_zones

VISIBILITIES = [
    (Visibility.PRIVATE.value, _("Private: only the staff and the players, with the links on their slips")),
    (Visibility.BY_LINK.value, _("By link: also visitors with a secret address")),
    (Visibility.PUBLIC.value, _("Public: everybody")),
]
ROLES = [
    (Role.DESK.value, _("Desk: results and check-in")),
    (Role.MONITOR.value, _("Monitor: calls to tables only")),
    (Role.CASH.value, _("Cash desk: payments, and calls to tables")),
    (Role.DIRECTOR.value, _("Director: also set-up and draw")),
    (Role.OWNER.value, _("Owner: also who may do what")),
]


class EventForm(forms.Form):
    name = forms.CharField(
        label=_("Name"), max_length=120, error_messages={"required": _("Give the event a name.")}
    )
    starts_on = forms.DateField(
        label=_("First day"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages=dict.fromkeys(("required", "invalid"), _("Enter the day as 2026-11-21.")),
    )
    ends_on = forms.DateField(
        label=_("Last day"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        error_messages={"invalid": _("Enter the day as 2026-11-21.")},
        help_text=_("Leave it empty for an event of one day."),
    )
    venue = forms.CharField(label=_("Venue"), max_length=120, required=False)
    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        choices=grouped_zones,
        widget=forms.Select(attrs={"translate": "no"}),
        help_text=_("All times are shown in this time zone."),
    )
    description = forms.CharField(
        label=_("Description"),
        max_length=2000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text=_("For visitors, on the page of the event: schedule, fees, hotel, house rules."),
    )
    contact = forms.CharField(
        label=_("Contact"),
        max_length=200,
        required=False,
        help_text=_(
            "For example an e-mail address or a phone number. All visitors of the event can read it."
        ),
    )
    website = forms.URLField(
        label=_("Website"),
        max_length=200,
        required=False,
        assume_scheme="https",
        validators=[URLValidator(schemes=["http", "https"])],
        error_messages={"invalid": _("Enter the address as https://example.org/.")},
    )
    is_indexed = forms.BooleanField(
        label=_("Let search engines list this event"),
        required=False,
        help_text=_("Without it, pages of the event ask search engines to leave them out."),
    )
    shows_initials = forms.BooleanField(
        label=_("Shorten surnames to initials"),
        required=False,
        help_text=_(
            "Pages, screens and files show “Anna B.”, and no clubs, federation numbers, ratings or reasons. Only the "
            "pages of those who run the event show them. A public draw that was closed before keeps its clubs."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        stored_zone = self.initial.get("time_zone")
        zone_field = cast(forms.ChoiceField, self.fields["time_zone"])
        if stored_zone and not zone_field.valid_value(stored_zone):
            zone_field.choices = [*grouped_zones(), (stored_zone, stored_zone)]

    @property
    def has_public_details(self) -> bool:
        fields = (self[name] for name in ("description", "contact", "website"))
        return any(field.value() or field.errors for field in fields)

    def plan(self) -> EventPlan:
        return EventPlan(**self.cleaned_data)


class CopyForm(forms.Form):
    """The values in which a copy of an event differs from the event."""

    name, starts_on, venue = (EventForm.base_fields[name] for name in ("name", "starts_on", "venue"))

    def plan(self, event: Event) -> EventPlan:
        """Returns the plan of the copy, with the other settings of this event."""
        stored = {name: getattr(event, name) for name in EVENT_FIELDS}
        if event.ends_on is not None:
            stored["ends_on"] = self.cleaned_data["starts_on"] + (event.ends_on - event.starts_on)
        return EventPlan(**{**stored, **self.cleaned_data})


class VisibilityForm(forms.Form):
    visibility = forms.ChoiceField(label=_("Who can see it"), choices=VISIBILITIES, widget=forms.RadioSelect)

    def chosen(self) -> Visibility:
        return Visibility(self.cleaned_data["visibility"])


class RoleForm(forms.Form):
    """A role for a user who has an account."""

    user_name = forms.CharField(
        label=_("User name"), max_length=150, widget=forms.TextInput(attrs={"autocapitalize": "none"})
    )
    role = forms.ChoiceField(label=_("May do"), choices=ROLES)


class HelperForm(RoleForm):
    user_name = forms.RegexField(
        r"^[\w.@+-]+$",
        label=_("User name"),
        max_length=150,
        error_messages={"invalid": _("Use letters, digits and . @ + - _ only, without blanks.")},
        widget=forms.TextInput(attrs={"autocapitalize": "none", "autocomplete": "off"}),
    )
