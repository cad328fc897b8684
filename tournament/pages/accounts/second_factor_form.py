"""The form for a second-factor code. Wrong codes are limited per day and logged in the account's activity.

In addition, allauth allows five wrong codes per account in five minutes.
"""

from allauth.account.adapter import get_adapter
from allauth.mfa.base.forms import AuthenticateForm
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from tournament.accounts import activity
from tournament.models import AccountEventKind
from tournament.runtime import rate_limiter
from tournament.runtime.rate_limiter import Limit
from tournament.web.page_rate_limits import client_network

DAY = 86_400
FOR_AN_ACCOUNT = Limit("wrong codes for an account", 19, DAY)
FROM_AN_ADDRESS = Limit("wrong codes from an address", 59, DAY)
WRONG = "incorrect_code"


class CodeForm(AuthenticateForm):  # type: ignore[misc]  # it comes without types
    def clean_code(self) -> str:
        """Also refuses a correct code while the account or the client network is locked."""
        request = get_adapter().request
        address = client_network(request) if request else ""
        limits = ((FOR_AN_ACCOUNT, str(self.user.pk)), (FROM_AN_ADDRESS, address))
        if any(rate_limiter.seconds_locked(limit, client) for limit, client in limits):
            raise ValidationError(
                _("Too many wrong codes. Try again tomorrow, or ask for the second factor to be reset.")
            )
        try:
            return str(super().clean_code())
        except ValidationError as error:
            if error.code == WRONG:
                activity.record_wrong_code(self.user, address)
                if rate_limiter.seconds_to_wait(*limits):
                    activity.record(self.user, AccountEventKind.LOCKED_OUT, address=address)
            raise
