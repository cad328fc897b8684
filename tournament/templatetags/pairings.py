"""Renders pairings of public pages, and caches each one until it changes.

A result changes two or three pairings; all others of a large bracket come from the cache.
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

CACHE_SIZE = 6000


@register.simple_tag(takes_context=True)
def players_address(context: dict[str, Any]) -> str:
    return reverse("entry-list", args=[context["event"].slug, context["tournament"].slug])


@register.simple_tag
def pairing_written(pairing: PairingView, players: str, matches: str = "") -> SafeString:
    """Renders a pairing. `players` is the address of the entry list, `matches` that of match pages, if any."""
    return _written(pairing, players, matches, get_language())


@lru_cache(maxsize=CACHE_SIZE)
def _written(pairing: PairingView, players: str, matches: str, _language: str) -> SafeString:
    return render_to_string(
        "public/pairing.html", {"pairing": pairing, "players": players, "matches": matches}
    )
