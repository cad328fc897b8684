"""What holds for every test. Fixtures live in the rooms that need them."""

import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.core.management import call_command
from django.db import connection
from hypothesis import HealthCheck, settings

from tests import migrated

# A busy machine is no fault of the product: nothing here is measured by the clock.
settings.register_profile("house", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")


@pytest.hookimpl(trylast=True)
def pytest_configure() -> None:
    """Collects the static files once for all test processes."""
    if django_settings.configured and "PYTEST_XDIST_WORKER" not in os.environ:
        call_command("collectstatic", verbosity=0, interactive=False)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """The tables are copied, not made anew by each worker."""
    if not migrated.is_sqlite():
        kept: dict[str, Any] = connection.settings_dict["TEST"]
        kept["TEMPLATE"] = migrated.name_in(migrated.template())
        return
    shutil.copyfile(
        f"/{migrated.name_in(migrated.template())}", Path(connection.settings_dict["TEST"]["NAME"])
    )


@pytest.fixture(scope="session")
def django_db_keepdb(request: pytest.FixtureRequest) -> bool:
    """A SQLite file is a copy already, and goes with its folder."""
    return migrated.is_sqlite() or bool(request.config.option.reuse_db)
