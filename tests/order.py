"""Selects the tests of each run and the order of their start.

The first run, on PostgreSQL, has all tests. The second one, on SQLite, has those whose result may depend on the
database. Tests that wait for other processes start first, so that no core is idle at the end.
"""

import gc
from collections.abc import Generator
from functools import cache
from pathlib import Path, PurePath

import pytest

from tests import servers

SLOW_TO_START = ("looks", "flows", "laptop", "deploy")
"""Packages whose tests wait for other processes."""
USE_A_DATABASE_IN_OTHER_PROCESSES = ("flows", "deploy")
FIRST_RUN_ONLY = (
    PurePath("rules"),
    PurePath("looks"),
    PurePath("tournament", "draw"),
    PurePath("tournament", "forecast"),
    *(
        PurePath("flows", f"test_{name}.py")
        for name in (
            *("without_network", "screens", "secrets", "gnubg_cards", "reading", "taps", "card_taps", "desk"),
            *("room", "kiosk", "stake_play", "two_phones", "tour", "browser", "staff_pages", "outage"),
            *("formats", "records", "rehearsal", "speed"),
        )
    ),
    *(
        PurePath("deploy", f"test_{name}.py")
        for name in ("bench", "check_deploy", "command_line", "upgrade", "web_processes")
    ),
    # In the second run, tests/tournament/access sends requests to every page, file and operation of the API.
    PurePath("tournament", "api"),
    PurePath("tournament", "pages"),
    PurePath("tournament", "exports"),
    PurePath("tournament", "rehearsal", "test_rehearsal_of_stake_play.py"),
    PurePath("tournament", "entries", "test_hostile_names.py"),
    PurePath("tournament", "access", "test_score_visibility.py"),
    # In the second run, the tests of random desk actions draw, swap, correct and advance.
    PurePath("tournament", "brackets"),
    PurePath("tournament", "drawing"),
    *(
        PurePath("tournament", "money", f"test_{name}.py")
        for name in ("awards", "set_ups", "settling", "worth")
    ),
    PurePath("tournament", "translation"),
)
"""Tests whose result does not depend on the database. The second run does not even import them."""
WITHOUT_DATABASE = FIRST_RUN_ONLY[:4]
DATABASE_FIXTURES = {"db", "transactional_db"}
OWN_STAGE = "test_faults.py"
FIRST_OF_SECOND_HALF = "test_q"


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Excludes the collected tests from garbage collection, which would search them again and again."""
    gc.disable()
    collected = yield
    gc.freeze()
    gc.enable()
    return collected


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    folder = config.rootpath / "tests"
    if not servers.uses_sqlite() or not collection_path.is_relative_to(folder):
        return None
    return collection_path.relative_to(folder) in FIRST_RUN_ONLY or None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Selects, sorts and groups the tests. pytest-xdist reads the groups afterwards."""
    items.sort(key=lambda item: _path_of(item).parts[0] not in SLOW_TO_START)
    misplaced = [item.nodeid for item in items if _is_without(_path_of(item)) and _uses_database(item)]
    assert misplaced == [], f"These tests use a database, but the second run leaves them out: {misplaced}"
    if servers.uses_sqlite():
        deselected = [item for item in items if not _may_depend_on_database(item)]
        items[:] = [item for item in items if _may_depend_on_database(item)]
        config.hook.pytest_deselected(items=deselected)
    for item in items:
        item.add_marker(pytest.mark.xdist_group(_group_of(_path_of(item))))


@cache
def _group_of(path: PurePath) -> str:
    """Gives each file to one process. Two processes share the flows, because each starts a shared stage."""
    if path.parts[0] != "flows" or path.name == OWN_STAGE:
        return "/".join(path.with_suffix("").parts[-2:])
    return "flows, first half" if path.name < FIRST_OF_SECOND_HALF else "flows, second half"


def _may_depend_on_database(item: pytest.Item) -> bool:
    path = _path_of(item)
    uses_database = path.parts[0] in USE_A_DATABASE_IN_OTHER_PROCESSES or _uses_database(item)
    return uses_database and path not in FIRST_RUN_ONLY


def _uses_database(item: pytest.Item) -> bool:
    fixtures = set(getattr(item, "fixturenames", ()))
    return item.get_closest_marker("django_db") is not None or bool(fixtures & DATABASE_FIXTURES)


@cache
def _is_without(path: PurePath) -> bool:
    return any(path.is_relative_to(folder) for folder in WITHOUT_DATABASE)


def _path_of(item: pytest.Item) -> PurePath:
    return _relative_path(item.path, item.config.rootpath)


@cache
def _relative_path(path: Path, root: Path) -> PurePath:
    return path.relative_to(root / "tests")
