"""Labels of tie-breaks for column headings, on pages and in files."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournament.draw.standings import TieBreak

TIE_BREAKS: Mapping[str, Promise] = {
    TieBreak.SCORE: _("Score"),
    TieBreak.HEAD_TO_HEAD: _("Among the tied"),
    TieBreak.BUCHHOLZ: _("Buchholz"),
    TieBreak.MEDIAN_BUCHHOLZ: _("Median Buchholz"),
    TieBreak.BUCHHOLZ_WITHOUT_WORST: _("Buchholz without worst"),
    TieBreak.SONNEBORN_BERGER: _("Sonneborn-Berger"),
    TieBreak.DEFEATED_SCORES: _("Wins of those beaten"),
    TieBreak.POINTS_DIFFERENCE: _("Points +/−"),
    TieBreak.CREDITED_DIFFERENCE: _("Credited +/−"),
    TieBreak.CUMULATIVE: _("Cumulative"),
    TieBreak.PERFORMANCE_RATING: _("PR"),
    TieBreak.PLAY_OFF: _("Play-off"),
    TieBreak.LOT: _("Lot"),
    TieBreak.LASTED: _("Lasted to round"),
    TieBreak.LIVES_LEFT: _("Lives left"),
    TieBreak.LOSSES: _("Losses"),
}
