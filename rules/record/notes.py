"""What a reader finds wrong with a record, collected: every problem with its place, and only so many of them."""

from dataclasses import replace
from typing import Any

from rules.problem import Problem, problem
from rules.record.texts import one_line

MOST_NOTES = 100
_LONGEST_QUOTE = 60


class Notes:
    """The problems of one record. Past the limit only the fact is kept that there are more."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def report(self, code: str, *, game: int | None = None, line: int | None = None, **params: Any) -> None:
        """Keeps a problem; a text that is quoted in it is cut short."""
        if len(self.problems) > MOST_NOTES:
            return
        if len(self.problems) == MOST_NOTES:
            code, params = "more_not_understood", {"count": MOST_NOTES}
        if "text" in params:
            params["text"] = shorten(params["text"])
        self.problems.append(replace(problem(code, game=game, **params), line=line or None))


def shorten(text: str) -> str:
    """Text that came from a file, fit to be quoted in a sentence."""
    return one_line(text, _LONGEST_QUOTE).strip()
