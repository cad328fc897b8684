"""Collects the problems that a reader finds in a record, each with its place, up to a limit."""

from dataclasses import replace
from typing import Any

from rules.problem import Problem, problem
from rules.record.texts import one_line

MOST_NOTES = 100
_LONGEST_QUOTE = 60


class Notes:
    """The problems of one record. Beyond the limit one problem says that there are more."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def report(self, code: str, *, game: int | None = None, line: int | None = None, **params: Any) -> None:
        """Adds a problem; a quoted `text` is shortened."""
        if len(self.problems) > MOST_NOTES:
            return
        if len(self.problems) == MOST_NOTES:
            code, params = "more_not_understood", {"count": MOST_NOTES}
        if "text" in params:
            params["text"] = shorten(params["text"])
        self.problems.append(replace(problem(code, game=game, **params), line=line or None))


def shorten(text: str) -> str:
    """Text from a file, made fit for quoting in a sentence."""
    return one_line(text, _LONGEST_QUOTE).strip()
