"""Refusals: a stable code for programs and a sentence for people.

A sentence says what happened, then what to do next. It is marked for translation where it is written, and translated by
the front door.
"""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Refusal:
    """`template` is the sentence, with the parameters in braces."""

    code: str
    template: str


class Refused(Exception):
    """The request cannot be done now. `params` fill the template of the refusal."""

    def __init__(self, refusal: Refusal, **params: Any) -> None:
        super().__init__(refusal.code)
        self.refusal = refusal
        self.params = params

    @property
    def code(self) -> str:
        return self.refusal.code

    @property
    def template(self) -> str:
        return self.refusal.template

    def __str__(self) -> str:
        return self.template.format_map(self.params)
