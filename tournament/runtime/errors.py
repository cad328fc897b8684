"""The ways a tournament says no. `Refused` carries its sentence as a template, so that it can be translated."""

from typing import Any


class Refused(Exception):
    """Something that cannot be done now. `code` is for programs; the sentence says what to do next."""

    def __init__(self, code: str, template: str, **params: Any) -> None:
        super().__init__(code)
        self.code = code
        self.template = template
        self.params = params

    @property
    def sentence(self) -> str:
        return self.template.format(**self.params)

    def __str__(self) -> str:
        return self.sentence


class Denied(Exception):
    """This actor may not do this. `is_known` is False for a stranger, who may sign in and try again.

    `template` is a sentence for known actors that says more than the usual one; `code` is for programs.
    """

    def __init__(self, *, is_known: bool, code: str = "denied", template: str = "") -> None:
        super().__init__(code)
        self.is_known = is_known
        self.code = code
        self.template = template


class NotFound(Exception):
    """There is no such thing, or this actor may not know that there is."""
