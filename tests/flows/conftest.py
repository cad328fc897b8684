"""Installations and browsers for tests of whole flows: shared ones, new ones, and their logs after a failed test."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests import browsers, servers
from tests.flows.databases import Stores
from tests.flows.installations import Federation, Laptop
from tests.flows.shared_stage import SharedStage
from tests.flows.stage import Stage

WIDE = {"width": 1440, "height": 900}
StageMaker = Callable[..., Stage]
failed = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(item):
    report = yield
    if report.when == "call" and report.failed:
        item.stash[failed] = True
    return report


@pytest.fixture(scope="package")
def stores() -> Iterator[Stores]:
    folder = Path(tempfile.mkdtemp(prefix="flow-", dir="/tmp"))
    stores = Stores(folder)
    yield stores
    stores.drop_all()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def new_stage(request, stores, django_db_blocker) -> Iterator[StageMaker]:
    """Opens stages with settings, as in `new_stage(SWEEP="off")`, and closes them after the test."""
    opened: list[Stage] = []

    def new(**switches: str) -> Stage:
        opened.append(Stage(stores, **switches))
        return opened[-1]

    with django_db_blocker.unblock():
        yield new
    for stage in opened:
        stage.close()
        if request.node.stash.get(failed, False):
            print(f"\nstage {stage.number}\n{stage.logs()}")
        stage.forget()


@pytest.fixture(scope="package")
def shared_stage(stores) -> Iterator[SharedStage]:
    """A federation's installation on PostgreSQL, a laptop's on SQLite."""
    shared = SharedStage(Laptop if servers.uses_sqlite() else Federation, stores)
    yield shared
    shared.close()


@pytest.fixture
def stage(request, shared_stage, django_db_blocker) -> Iterator[Laptop]:
    """An empty stage with all processes. A test may disturb them if they recover."""
    with django_db_blocker.unblock():
        yield shared_stage.open()
        if request.node.stash.get(failed, False):
            print(shared_stage.close())
        else:
            shared_stage.release()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as started:
        browser = browsers.launch(started)
        yield browser
        browser.close()


@pytest.fixture
def new_page(browser, stage) -> Iterator[Callable[..., Page]]:
    """Opens pages of the stage, each in a browser window of its own with its own cookies."""
    opened: list[BrowserContext] = []

    def new(viewport=WIDE, **more) -> Page:
        opened.append(browser.new_context(viewport=viewport, base_url=stage.url, **more))
        return opened[-1].new_page()

    yield new
    for context in opened:
        browsers.close(context)
