"""Sentences with a number for scripts, which choose the plural form themselves."""

import json
from collections.abc import Callable, Mapping
from functools import cache

from django import template
from django.utils.translation import get_language, ngettext, override

register = template.Library()

NUMBERS = 200
"""The plural rules of all languages depend on the last two digits of a larger number."""

SENTENCES: Mapping[str, Callable[[int], str]] = {
    "unsent games": lambda count: ngettext("{count} game not sent yet", "{count} games not sent yet", count),
    "unsent changes": lambda count: ngettext(
        "{count} change not sent yet", "{count} changes not sent yet", count
    ),
    "points won": lambda points: ngettext(
        "{name} wins {points} point → {score}", "{name} wins {points} points → {score}", points
    ),
}


@register.simple_tag
def plural_forms(name: str) -> str:
    """Returns JSON: the forms of a sentence, and the index of the form for each number below `NUMBERS`."""
    return _forms_in(name, get_language() or "")


@cache
def _forms_in(name: str, language: str) -> str:
    with override(language):
        sentences = [SENTENCES[name](number) for number in range(NUMBERS)]
    forms = list(dict.fromkeys(sentences))
    return json.dumps({"forms": forms, "of": [forms.index(sentence) for sentence in sentences]})
