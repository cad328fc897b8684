"""The refusal of work that must not be done."""

from collections.abc import Callable

import pytest

from tournament.runtime.errors import Refused


def refusal(work: Callable[..., object], *arguments: object, **more: object) -> str:
    """Returns the code of the refusal that the work raises."""
    with pytest.raises(Refused) as refused:
        work(*arguments, **more)
    return refused.value.code
