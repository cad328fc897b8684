"""What rounds are called, on pages and in files."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournament.draw.recipes import RoundName

ROUNDS: Mapping[RoundName, Promise] = {
    RoundName.FINAL: _("Final"),
    RoundName.SEMIFINALS: _("Semifinals"),
    RoundName.QUARTERFINALS: _("Quarterfinals"),
    RoundName.ROUND_OF_16: _("Round of 16"),
    RoundName.ROUND_OF_32: _("Round of 32"),
    RoundName.ROUND_OF_64: _("Round of 64"),
    RoundName.ROUND_OF_128: _("Round of 128"),
    RoundName.ROUND_OF_256: _("Round of 256"),
    RoundName.ROUND_OF_512: _("Round of 512"),
    RoundName.ROUND_OF_1024: _("Round of 1024"),
}
