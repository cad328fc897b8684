"""Settings of all tests. Fixtures are in the packages that use them."""

import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.core.management import call_command
from django.db import connection
from hypothesis import HealthCheck, settings

from tests import database_template

# No deadlines, because the machine may be busy. The same examples each time, so that only a change can fail.
settings.register_profile(
    "house", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("house")


@pytest.hookimpl(trylast=True)
def pytest_configure() -> None:
    """Collects the static files once for all test processes."""
    if django_settings.configured and "PYTEST_XDIST_WORKER" not in os.environ:
        call_command("collectstatic", verbosity=0, interactive=False)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """Lets each process copy the template, instead of migrating a database of its own."""
    template = database_template.database_name(database_template.template_url())
    test_settings: dict[str, Any] = connection.settings_dict["TEST"]
    if database_template.is_sqlite():
        shutil.copyfile(f"/{template}", Path(test_settings["NAME"]))
    else:
        test_settings["TEMPLATE"] = template


@pytest.fixture(scope="session")
def django_db_keepdb(request: pytest.FixtureRequest) -> bool:
    """Uses the copied SQLite file as it is. Its folder is deleted after the run."""
    return database_template.is_sqlite() or bool(request.config.option.reuse_db)
