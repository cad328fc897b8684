"""The choice of the score delay for spectators. Reads forms; decides nothing."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from tournament.events.setup import LONGEST_DELAY

HIDDEN = "hidden"
MINUTES = (2, 5, 10, 15, 30)


def delay_code(minutes: int | None) -> str:
    """Returns the choice's code for a stored delay."""
    return HIDDEN if minutes is None else str(minutes)


class DelayField(forms.CharField):
    """Minutes, or None if spectators see no score before the result. A delay set by the API stays a choice."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.widget = DelaySelect(choices=CHOICES)

    def to_python(self, value: Any) -> int | None:  # type: ignore[override]
        text = str(value or "0")
        if text == HIDDEN:
            return None
        if not (text.isascii() and text.isdecimal() and len(text) < 5 and int(text) <= LONGEST_DELAY):
            raise forms.ValidationError(_("Choose how late the score may be seen."))
        return int(text)


class DelaySelect(forms.Select):
    def optgroups(self, name: str, value: list[str], attrs: dict[str, Any] | None = None) -> Any:
        """Adds the current value if it is not one of the usual delays."""
        usual = {code for code, _words in CHOICES}
        own = [(code, _minutes(int(code))) for code in value if code not in usual and code.isdecimal()]
        self.choices = [*CHOICES, *own]
        return super().optgroups(name, value, attrs)


def _minutes(minutes: int) -> Promise:
    return format_lazy(_("{minutes} minutes late"), minutes=minutes)


CHOICES: Sequence[tuple[str, str | Promise]] = (
    ("0", _("at once")),
    *((str(minutes), _minutes(minutes)) for minutes in MINUTES),
    (HIDDEN, _("not before the result")),
)
