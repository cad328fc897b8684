"""Which tests run, and in what order: what waits begins first, and the second database is for what touches one."""

from pathlib import PurePath

import pytest

from tests import servers

WAIT_FOR_PROCESSES = ("looks", "flows", "laptop", "deploy")
ON_EACH_DATABASE = ("matches", "tournament", "flows", "deploy")
PURE = (
    PurePath("tournament", "draw"),
    PurePath("tournament", "entrylist"),
    PurePath("tournament", "screens"),
)
# What a browser does with what it is sent, whoever keeps the rows; that no row comes twice programs try on both.
OF_THE_BROWSER = (PurePath("flows", "test_without_network.py"), PurePath("flows", "test_screens.py"))
DATABASES = {"db", "transactional_db"}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Whole events start first, so that no core waits for the last of them."""
    items.sort(key=lambda item: _place(item).parts[0] not in WAIT_FOR_PROCESSES)
    if servers.uses_sqlite():
        left_out = [item for item in items if not _is_for_each_database(item)]
        items[:] = [item for item in items if _is_for_each_database(item)]
        config.hook.pytest_deselected(items=left_out)


def _is_for_each_database(item: pytest.Item) -> bool:
    """Pure rules were tried on the first run; a test that asks for a database is for both, wherever it stands."""
    place = _place(item)
    is_pure = place in OF_THE_BROWSER or any(place.is_relative_to(room) for room in PURE)
    return _asks_for_a_database(item) or (place.parts[0] in ON_EACH_DATABASE and not is_pure)


def _asks_for_a_database(item: pytest.Item) -> bool:
    fixtures = set(getattr(item, "fixturenames", ()))
    return item.get_closest_marker("django_db") is not None or bool(fixtures & DATABASES)


def _place(item: pytest.Item) -> PurePath:
    return item.path.relative_to(item.config.rootpath / "tests")
