"""The stages and browsers of the flows, for looking at pages."""

from tests.flows.conftest import (  # noqa: F401 (fixtures, found by their names)
    browser,
    new_page,
    new_stage,
    pytest_runtest_makereport,
    stage,
    standing,
    stores,
)
