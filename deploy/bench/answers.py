"""What a bench can go on with, and what it cannot."""

from tournament.rehearsal.wire import Answer


class BadAnswer(RuntimeError):
    """The product answered something else than a bench can go on with."""


def expect(answer: Answer) -> None:
    """Raises BadAnswer."""
    if not answer.is_ok:
        raise BadAnswer(f"The product answered {answer.status}: {str(answer.body)[:300]}")
