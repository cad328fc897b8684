"""The stages and browsers of the flows, for looking at pages."""

from collections.abc import Iterator

import pytest

from tests.flows.conftest import (  # noqa: F401 (fixtures, found by their names)
    browser,
    new_page,
    new_stage,
    pytest_runtest_makereport,
    stage,
    stores,
)
from tests.flows.installations import Laptop
from tests.flows.standing import Standing


@pytest.fixture(scope="package")
def standing(stores) -> Iterator[Standing]:  # noqa: F811 (the fixture above)
    """One web server is enough: a page looks the same whoever is asked for it."""
    standing = Standing(Laptop, stores)
    yield standing
    standing.close()
