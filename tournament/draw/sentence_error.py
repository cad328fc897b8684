"""The base of errors whose message people read: a marked English sentence, and values for it."""

from typing import Any


class SentenceError(ValueError):
    """`template` is marked for translation. A value may itself have a template, as another such error does."""

    def __init__(self, template: str, **params: Any) -> None:
        super().__init__(template.format_map(params))
        self.template = template
        self.params = params
