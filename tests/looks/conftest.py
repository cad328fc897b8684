"""The stages and browsers of the flows, for tests of the appearance of pages."""

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
from tests.flows.shared_stage import SharedStage


@pytest.fixture(scope="package")
def shared_stage(stores) -> Iterator[SharedStage]:  # noqa: F811 (the fixture above)
    """A laptop installation on both databases; the pages of a federation look the same."""
    shared = SharedStage(Laptop, stores)
    yield shared
    shared.close()
