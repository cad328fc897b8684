"""A blank setting in an operator's file has its default, like a missing one."""

import re
import runpy
import subprocess
from pathlib import Path
from typing import Any

import pytest
from django.core.management import load_command_class

from deploy import data_folder, environment, process_specs
from deploy.install import ROOT
from tests.house.test_server_files import SERVER, SETTING

ON_A_SERVER = "postgres://director@/director"
NAMES = sorted(set(SETTING.findall((SERVER / "example.env").read_text())))
# Without it the secret key would be created in the checkout.
FOLDER_SETTING = "DATA_DIR"


def parsed_settings() -> dict[str, Any]:
    """Returns the settings that the program derives from the variables."""
    settings = runpy.run_path(str(ROOT / "deploy" / "settings.py"))
    up = load_command_class("deploy", "up").create_parser("manage.py", "up").parse_args([])
    specs = process_specs.all_specs(Path("place"), 7, 2, "", None, [])
    return {
        **{name: repr(value) for name, value in settings.items() if name.isupper() and name != "LOGGING"},
        "level of the log": settings["LOGGING"]["root"]["level"],
        "port": up.port,
        "parts": [spec.argv for spec in specs],
        "processes": environment.web_processes(ON_A_SERVER),
        "threads": environment.web_threads(),
    }


@pytest.fixture
def unset(monkeypatch, tmp_path) -> dict[str, Any]:
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(FOLDER_SETTING, str(tmp_path))
    return parsed_settings()


@pytest.mark.parametrize("blank", ["", " "])
def test_a_blank_setting_has_its_default(unset, monkeypatch, blank):
    for name in NAMES:
        if name != FOLDER_SETTING:
            monkeypatch.setenv(name, blank)
    assert parsed_settings() == unset
    monkeypatch.setenv(FOLDER_SETTING, blank)
    assert data_folder.data_folder() == ROOT / "data"


def test_a_blank_copy_interval_has_its_default(monkeypatch, tmp_path):
    monkeypatch.setenv("COPY_DIR", str(tmp_path))
    monkeypatch.setenv("COPY_SECONDS", "")
    [copies] = [
        spec
        for spec in process_specs.all_specs(tmp_path, 7, 1, "", tmp_path / "a.sqlite3", [])
        if spec.name == "rolling copy"
    ]
    assert copies.argv[-1] == process_specs.COPY_SECONDS


@pytest.mark.parametrize(
    ("unit", "option", "name"),
    [("web", "--workers", "WEB_PROCESSES"), ("worker", "--concurrency", "WORKERS")],
)
def test_units_start_the_configured_number_of_processes_or_two(unit, option, name):
    lines = (SERVER / "systemd" / f"director-{unit}.service").read_text()
    [script] = re.findall(r"^ExecStart=/bin/sh -c '(.*)'$", lines, re.M)
    command = re.sub(r"^exec \S+", "echo", script.replace("$$", "$"))

    def processes(**variables: str) -> str:
        done = subprocess.run(
            ["/bin/sh", "-c", command], env=variables, capture_output=True, text=True, check=True
        )
        words = done.stdout.split()
        return words[words.index(option) + 1]

    assert [processes(), processes(**{name: ""}), processes(**{name: "5"})] == ["2", "2", "5"]


def test_variables_in_compose_have_a_default_or_are_required():
    variables = re.findall(r"\$\{[A-Z_]+([^}]*)\}", (SERVER / "compose.yaml").read_text())
    assert [default[:2] for default in variables if default[:2] not in (":-", ":?")] == []
    assert variables
