"""Selects the tests of each run and the order of their start.

The first run is on PostgreSQL, the second one on SQLite. Tests whose result cannot depend on the database run in one of
them. Long tests start first, so that no core is idle at the end.
"""

import gc
from collections.abc import Generator
from functools import cache
from pathlib import Path, PurePath

import pytest

from tests import servers

START_FIRST = tuple(map(PurePath, ("looks", "flows", "laptop", "deploy", "tournament/translation")))
"""Packages with long tests."""
USE_A_DATABASE_IN_OTHER_PROCESSES = ("flows", "deploy")


def _modules(package: str, names: str) -> tuple[PurePath, ...]:
    return tuple(PurePath(package, f"test_{name}.py") for name in names.split())


WITHOUT_DATABASE = tuple(map(PurePath, ("rules", "looks", "tournament/draw", "tournament/forecast")))
FIRST_RUN_ONLY = (
    *WITHOUT_DATABASE,
    *_modules(
        "flows",
        "without_network screens secrets gnubg_cards reading taps card_taps desk room kiosk stake_play",
    ),
    *_modules("flows", "two_phones browser staff_pages outage formats records rehearsal speed"),
    *_modules("deploy", "bench check_deploy command_line upgrade web_processes"),
    *(PurePath("tournament", name) for name in ("brackets", "corrections", "queries", "results")),
    *_modules("tournament/access", "permitted"),
    *_modules("tournament/rehearsal", "rehearsal_of_stake_play"),
)
"""Tests that run on PostgreSQL only. On SQLite pages and the API use the same deeds and queries."""
SECOND_RUN_ONLY = (
    *(
        PurePath("tournament", name)
        for name in ("api", "drawing", "entries", "events", "exports", "pages", "room")
    ),
    *(PurePath("tournament", name) for name in ("test_statements_of_pages.py", "translation")),
    *_modules("tournament/access", "access access_across_events hidden_information personal_details"),
    *_modules("tournament/access", "score_visibility visibility"),
    *_modules(
        "tournament/money", "advance_payments awards calcutta hedging moved_payments payments player_merging"
    ),
    *_modules("tournament/money", "set_ups settling several_currencies tills withdrawals worth"),
)
"""Tests that run on SQLite only, which needs less time. On PostgreSQL test_permitted requests every address, the random
actions do every deed of the desk and of money, and the tests of locks run."""
DATABASE_FIXTURES = {"db", "transactional_db"}


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Excludes the collected tests from garbage collection, which would search them again and again."""
    gc.disable()
    collected = yield
    gc.freeze()
    gc.enable()
    return collected


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Does not even import the tests of the other run. Paths on the command line run on any database."""
    folder = config.rootpath / "tests"
    if not collection_path.is_relative_to(folder):
        return None
    of_the_other_run = FIRST_RUN_ONLY if servers.uses_sqlite() else SECOND_RUN_ONLY
    return collection_path.relative_to(folder) in of_the_other_run or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: not _is_below(_path_of(item), START_FIRST))
    misplaced = [
        item.nodeid for item in items if _is_below(_path_of(item), WITHOUT_DATABASE) and _uses_database(item)
    ]
    assert misplaced == [], f"These tests use a database, but WITHOUT_DATABASE names them: {misplaced}"
    if servers.uses_sqlite():
        deselected = [item for item in items if not _is_of_second_run(item)]
        items[:] = [item for item in items if _is_of_second_run(item)]
        config.hook.pytest_deselected(items=deselected)


def _is_of_second_run(item: pytest.Item) -> bool:
    path = _path_of(item)
    uses_database = path.parts[0] in USE_A_DATABASE_IN_OTHER_PROCESSES or _uses_database(item)
    return uses_database or _is_below(path, SECOND_RUN_ONLY)


def _uses_database(item: pytest.Item) -> bool:
    fixtures = set(getattr(item, "fixturenames", ()))
    return item.get_closest_marker("django_db") is not None or bool(fixtures & DATABASE_FIXTURES)


@cache
def _is_below(path: PurePath, folders: tuple[PurePath, ...]) -> bool:
    return any(path.is_relative_to(folder) for folder in folders)


def _path_of(item: pytest.Item) -> PurePath:
    return _relative_path(item.path, item.config.rootpath)


@cache
def _relative_path(path: Path, root: Path) -> PurePath:
    return path.relative_to(root / "tests")
