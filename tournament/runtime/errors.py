"""Errors that front doors render: `Refused`, `Denied`, `NotFound`. Sentences are templates, for translation."""

from typing import Any


class Refused(Exception):
    """The request cannot be done now. `code` is for programs; the sentence tells people what to do next."""

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
    """The actor lacks the permission. `is_known` is False for a stranger, who can sign in and try again.

    `template` replaces the usual sentence; `code` is for programs.
    """

    def __init__(self, *, is_known: bool, code: str = "denied", template: str = "") -> None:
        super().__init__(code)
        self.is_known = is_known
        self.code = code
        self.template = template


class NotFound(Exception):
    """The object does not exist, or the actor may not learn that it exists. `template` replaces the usual sentence."""

    def __init__(self, template: str = "") -> None:
        super().__init__(template)
        self.template = template
