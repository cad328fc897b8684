"""Stages and browsers for the flows: standing ones, new ones, and what a stage said where a test fails."""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests import browsers, servers
from tests.flows.installations import Federation, Laptop
from tests.flows.stage import Stage
from tests.flows.standing import Standing
from tests.flows.stores import Stores

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
    """Opens stages with the switches given, as in `new_stage(SWEEP="off")`; ends them after the test."""
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
def standing(stores) -> Iterator[Standing]:
    """On PostgreSQL as a federation runs it, on SQLite as a laptop does."""
    standing = Standing(Laptop if servers.uses_sqlite() else Federation, stores)
    yield standing
    standing.close()


@pytest.fixture
def stage(request, standing, django_db_blocker) -> Iterator[Laptop]:
    """An empty stage with all of its parts; it may be hurt, but not for good."""
    with django_db_blocker.unblock():
        yield standing.open()
        if request.node.stash.get(failed, False):
            print(standing.close())
        else:
            standing.put_down()


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
        context.close()
