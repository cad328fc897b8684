"""A form field for a local time, without the errors of hours that occur twice or never."""

from datetime import MAXYEAR, MINYEAR, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

FORMAT = "%Y-%m-%dT%H:%M:%S"
# A time zone without daylight saving time.
FIXED_ZONE = ZoneInfo("Etc/UTC")


class LocalTimeField(forms.DateTimeField):
    """A day and a time in the current time zone. `step`: seconds between the times that a browser offers.

    Of an hour that occurs twice it takes the later one, so that everything until then is included.
    """

    def __init__(self, *, step: int, **options: Any) -> None:
        super().__init__(
            input_formats=[FORMAT, "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S"],
            widget=forms.DateTimeInput(
                format=FORMAT if step < 60 else "%Y-%m-%dT%H:%M",
                attrs={"type": "datetime-local", "step": step},
            ),
            error_messages=dict.fromkeys(("required", "invalid"), _("Enter a day and a time.")),
            **options,
        )

    def clean(self, value: Any) -> datetime | None:
        zone = timezone.get_current_timezone()
        with timezone.override(FIXED_ZONE):
            parsed: datetime | None = super().clean(value)
        if parsed and parsed.year in (
            MINYEAR,
            MAXYEAR,
        ):  # converted to another zone the year would be out of range
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid")
        return parsed.replace(tzinfo=zone, fold=1) if parsed and parsed.tzinfo is FIXED_ZONE else parsed
