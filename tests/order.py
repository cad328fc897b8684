"""Which tests run, and in what order: what waits begins first, and the second database is for what touches one."""

import gc
from collections.abc import Generator
from functools import cache
from pathlib import Path, PurePath

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

from tests import servers

WAIT_FOR_PROCESSES = ("looks", "flows", "laptop", "deploy")
ON_EACH_DATABASE = ("flows", "deploy")
"""Also where they do not ask for one themselves: their processes do."""
# Whoever keeps the rows, it is the same: what a browser does with what it is sent (that no row comes twice programs try
# on both), what goes to the log, and what the rules make of matches that were really played.
WHOEVER_KEEPS_THE_ROWS = (
    *(
        PurePath("flows", f"test_{name}.py")
        for name in ("without_network", "screens", "secrets", "gnubg_cards")
    ),
    PurePath("deploy", "test_check_deploy.py"),  # which names a database of its own
)
WITHOUT_DATABASE = (
    PurePath("rules"),
    PurePath("looks"),
    PurePath("tournament", "draw"),
    PurePath("tournament", "forecast"),
)
ONCE_A_PAGE = (PurePath("tournament", "pages"), PurePath("tournament", "exports"))
"""On the second database `tests/tournament/access/test_access.py` requests every page and file once."""
DATABASES = {"db", "transactional_db"}
HAS_ITS_OWN_STAGE = "test_faults.py"
HALF_OF_THE_FLOWS = "test_q"


class FewStages(LoadFileScheduling):
    """A file goes to one process. The flows share a stage that takes seconds to start: one half of them goes to one
    process, the other half to another."""

    def _split_scope(self, nodeid: str) -> str:
        file = PurePath(super()._split_scope(nodeid))
        if file.parts[:2] != ("tests", "flows") or file.name == HAS_ITS_OWN_STAGE:
            return str(file)
        return "the first flows" if file.name < HALF_OF_THE_FLOWS else "the other flows"


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> FewStages | None:
    """For `--dist loadfile`."""
    return FewStages(config, log) if config.getoption("dist") == "loadfile" else None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected stays: nobody looks through it again and again for what could be thrown away."""
    gc.disable()
    collected = yield
    gc.freeze()
    gc.enable()
    return collected


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """On the second run rooms without a database are not even read."""
    if not servers.uses_sqlite() or not collection_path.is_relative_to(config.rootpath / "tests"):
        return None
    place = collection_path.relative_to(config.rootpath / "tests")
    return place in (*WITHOUT_DATABASE, *WHOEVER_KEEPS_THE_ROWS, *ONCE_A_PAGE) or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Whole events start first, so that no core waits for the last of them."""
    items.sort(key=lambda item: _place(item).parts[0] not in WAIT_FOR_PROCESSES)
    asking = [item.nodeid for item in items if _is_without(_place(item)) and _asks_for_a_database(item)]
    assert asking == [], f"The second run does not read the room of these: {asking}"
    if servers.uses_sqlite():
        left_out = [item for item in items if not _is_for_each_database(item)]
        items[:] = [item for item in items if _is_for_each_database(item)]
        config.hook.pytest_deselected(items=left_out)


def _is_for_each_database(item: pytest.Item) -> bool:
    """What asks for no database was tried on the first run; what asks for one is for both, wherever it stands."""
    place = _place(item)
    asks = place.parts[0] in ON_EACH_DATABASE or _asks_for_a_database(item)
    return asks and place not in WHOEVER_KEEPS_THE_ROWS


@cache
def _is_without(place: PurePath) -> bool:
    return any(place.is_relative_to(room) for room in WITHOUT_DATABASE)


def _asks_for_a_database(item: pytest.Item) -> bool:
    fixtures = set(getattr(item, "fixturenames", ()))
    return item.get_closest_marker("django_db") is not None or bool(fixtures & DATABASES)


def _place(item: pytest.Item) -> PurePath:
    return _inside(item.path, item.config.rootpath)


@cache
def _inside(path: Path, root: Path) -> PurePath:
    return path.relative_to(root / "tests")
