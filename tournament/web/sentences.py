"""Sentences of refusals and problems, in the language of the request."""

from collections.abc import Mapping
from typing import Any, Protocol

from django.utils.translation import get_language, gettext

from rules.problem import RuleBroken
from tournament.fees.amounts import Amount, format_amount


class Sentence(Protocol):
    """`Refused`, `Denied`, `NotFound`, and problems of rules, entry lists and public draws."""

    @property
    def template(self) -> str: ...

    @property
    def params(self) -> Mapping[str, Any]: ...


def refusal_sentence(refusal: Sentence | RuleBroken) -> str:
    """Translates the template, then fills in the parameters. A reason or an amount of money among them is too."""
    sentence = refusal.problem if isinstance(refusal, RuleBroken) else refusal
    params = {name: _written(value) for name, value in sentence.params.items()}
    return gettext(sentence.template).format_map(params)


def _written(value: Any) -> Any:
    if isinstance(value, Amount):
        return format_amount(value, get_language() or "en")
    return refusal_sentence(value) if hasattr(value, "template") else value
