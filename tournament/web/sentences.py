"""Sentences of refusals and problems, in the language of the request."""

from collections.abc import Mapping
from typing import Any, Protocol

from django.utils.translation import gettext

from rules.problem import RuleBroken


class Sentence(Protocol):
    """`Refused`, `Denied`, `NotFound`, and problems of rules, entry lists and public draws."""

    @property
    def template(self) -> str: ...

    @property
    def params(self) -> Mapping[str, Any]: ...


def refusal_sentence(refusal: Sentence | RuleBroken) -> str:
    """Translates the template, then fills in the parameters. A reason among them is translated too."""
    sentence = refusal.problem if isinstance(refusal, RuleBroken) else refusal
    params = {
        name: refusal_sentence(value) if hasattr(value, "template") else value
        for name, value in sentence.params.items()
    }
    return gettext(sentence.template).format_map(params)
