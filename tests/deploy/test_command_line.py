"""Error messages of commands for wrong settings and databases, and parsing of database URLs."""

import os
import signal
import subprocess
import sys

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from deploy import environment
from deploy.install import ROOT
from deploy.supervisor import exit_reason
from tests.laptop.running import free_port

POOLED = "postgres://me@pooler/director?prepare_threshold=5&connect_timeout=7&sslmode=require"


def error_output(tmp_path, *command: str, **variables: str) -> str:
    """Runs a command that must exit with code 2, and returns its standard error."""
    env = {**os.environ, "SELF_SETUP": "off", "DATA_DIR": str(tmp_path), "REDIS_URL": "", **variables}
    done = subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2, done.stderr
    return done.stderr


def test_an_unreachable_database_gives_one_sentence(tmp_path):
    error = error_output(tmp_path, "migrate", DATABASE_URL=f"postgres://me@127.0.0.1:{free_port()}/director")
    assert "Traceback" not in error
    assert error.strip().splitlines()[-1].startswith("The database does not answer")


def test_invalid_settings_give_one_sentence(tmp_path):
    error = error_output(tmp_path, "check", LOG_LEVEL="loud")
    assert error.startswith("LOG_LEVEL must be one of")
    assert len(error.splitlines()) == 1
    with pytest.raises(ImproperlyConfigured, match="DATABASE_URL must begin with postgres://"):
        environment.database("mysql://here", tmp_path)


def test_numeric_options_of_a_database_url_are_numbers(tmp_path):
    options = environment.database(POOLED, tmp_path)["OPTIONS"]
    assert (options["prepare_threshold"], options["connect_timeout"]) == (5, 7)
    assert options["sslmode"] == "require"


def test_without_prepared_statements_server_side_cursors_are_disabled(monkeypatch, tmp_path):
    monkeypatch.setenv("DATABASE_PREPARE", "off")
    database = environment.database("postgres://me@pooler/director", tmp_path)
    assert database["OPTIONS"]["prepare_threshold"] is None
    assert not database["OPTIONS"].get("server_side_binding")
    assert database["DISABLE_SERVER_SIDE_CURSORS"]


def test_the_log_level_applies_to_every_logger():
    levels = {name: logger["level"] for name, logger in settings.LOGGING["loggers"].items()}
    assert levels["django"] == "NOTSET"


def test_a_killed_process_is_logged_with_the_likely_reason():
    assert "too little memory" in exit_reason(-signal.SIGKILL)
    assert exit_reason(-signal.SIGTERM) == "ended by signal 15"
    assert exit_reason(3) == "ended with code 3"


@pytest.mark.parametrize(
    ("configured", "used"),
    [
        ("rediss://here/0", "rediss://here/0?ssl_cert_reqs=required"),
        (
            "rediss://here/0?ssl_ca_certs=own.pem",
            "rediss://here/0?ssl_ca_certs=own.pem&ssl_cert_reqs=required",
        ),
        ("rediss://here/0?ssl_cert_reqs=none", "rediss://here/0?ssl_cert_reqs=none"),
        ("redis://here/0", "redis://here/0"),
    ],
)
def test_the_certificate_of_the_broker_is_verified(configured, used, monkeypatch):
    monkeypatch.setenv("REDIS_URL", configured)
    assert environment.redis_url() == used
