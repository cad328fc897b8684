"""Pairings on public pages, each written once for as long as nothing in it changes.

A result changes two or three of them; all the others of a large bracket are as they were.
"""

from functools import lru_cache
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from tournament.queries.brackets.bracket_view import PairingView

register = template.Library()

MOST_KEPT = 6000


@register.simple_tag(takes_context=True)
def players_address(context: dict[str, Any]) -> str:
    return reverse("entry-list", args=[context["event"].slug, context["tournament"].slug])


@register.simple_tag
def pairing_written(pairing: PairingView, players: str, matches: str = "") -> SafeString:
    """One pairing of a list; `players` is the address of all players, `matches` leads to pages of matches, if any."""
    return _written(pairing, players, matches, get_language())


@lru_cache(maxsize=MOST_KEPT)
def _written(pairing: PairingView, players: str, matches: str, _language: str) -> SafeString:
    return render_to_string(
        "public/pairing.html", {"pairing": pairing, "players": players, "matches": matches}
    )
