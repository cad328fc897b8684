"""Labels of the format presets that `draw.presets` defines."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournament.draw.formats.presets import FORMAT_PRESETS

WORDS: Mapping[str, tuple[Promise, Promise]] = {
    "club-night": (
        _("Club night"),
        _("To 5 points, progressive consolation. Up to 16 players in an evening."),
    ),
    "weekend": (_("Weekend main"), _("To 11, 13 and 15 points, with consolation and last chance.")),
    "knockout": (_("Plain knock-out"), _("To 7, 9 and 11 points, a match for third place.")),
    "double": (_("Double elimination"), _("Out after the second loss, with a second final if needed.")),
    "swiss": (_("Swiss, 5 rounds"), _("To 7 points; everybody plays every round.")),
    "lives": (_("Three lives"), _("To 5 points; out after the third loss.")),
    "groups": (_("Groups and play-off"), _("Four groups to 5 points; two of each go on.")),
    "round-robin": (_("Round robin"), _("To 5 points; everybody plays everybody.")),
    "stake-round-robin": (
        _("Stake play, round robin"),
        _("Five games against everybody. Points won minus points lost decide."),
    ),
    "monrad": (_("Monrad, 5 rounds"), _("To 7 points; neighbours in the standings meet.")),
}


@dataclass(frozen=True, slots=True)
class PresetInWords:
    key: str
    title: Promise
    summary: Promise


def presets_in_words() -> list[PresetInWords]:
    return [PresetInWords(key, *WORDS[key]) for key in FORMAT_PRESETS]
