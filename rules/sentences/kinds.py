"""How a sentence of the rules is kept: how grave it is, which rule it cites, its English template.

Nothing is decided here, and no sentence stands here: those are in the rooms beside it.
"""

from enum import StrEnum
from typing import NamedTuple


class Severity(StrEnum):
    """An error cannot have happened; a warning hardly; a remark is worth a second look."""

    ERROR = "error"
    WARNING = "warning"
    REMARK = "remark"


class Sentence(NamedTuple):
    severity: Severity
    rule: str
    template: str


def error(rule: str, template: str) -> Sentence:
    return Sentence(Severity.ERROR, rule, template)


def warning(rule: str, template: str) -> Sentence:
    return Sentence(Severity.WARNING, rule, template)


def remark(rule: str, template: str) -> Sentence:
    return Sentence(Severity.REMARK, rule, template)
