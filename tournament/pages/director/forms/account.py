"""Forms of an account."""

from django import forms
from django.utils.translation import gettext_lazy as _


class TokenForm(forms.Form):
    label = forms.CharField(
        label=_("What is it for?"), max_length=60, help_text=_("Such as “scoreboard” or “my script”.")
    )
