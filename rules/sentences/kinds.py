"""The parts of a sentence: severity, cited rule, English template."""

from enum import StrEnum
from typing import NamedTuple


class Severity(StrEnum):
    """An error is impossible; a warning is unlikely; a remark is worth a second look."""

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
