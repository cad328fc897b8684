"""Names of charges for people, by `fees.charge_lines.ChargeLine.fee`. Reads nothing."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.fees.schedule import CALCUTTA_POT

CHARGES: Mapping[str, Promise] = {
    "entry": gettext_lazy("Entry fee"),
    "re-entry": gettext_lazy("Re-entry"),
    "registration": gettext_lazy("Registration"),
    "event": gettext_lazy("Registration"),
    "late": gettext_lazy("Late fee"),
    "membership": gettext_lazy("Membership"),
    "pool": gettext_lazy("Side pool"),
    "jackpot": gettext_lazy("Jackpot"),
    CALCUTTA_POT: gettext_lazy("Auction of players"),
}


def charge_name(fee: str) -> str:
    return str(CHARGES.get(fee) or _("Other fee"))
