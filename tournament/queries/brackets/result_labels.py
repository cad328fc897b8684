"""What it is called when something else than play decided a match, on pages and in files."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

HOWS: Mapping[str, Promise] = {
    "walkover": _("walkover"),
    "no_show": _("no-show"),
    "double_no_show": _("both absent"),
    "penalty": _("lost by penalty points"),
    "clock": _("lost on time"),
    "unfinished": _("broken off"),
    "withdrawn": _("withdrawn"),
}
