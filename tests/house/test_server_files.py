"""The server files, each validated by the tool that reads it."""

import re
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from deploy.install import ROOT
from tests import apt

SERVER = ROOT / "deploy" / "server"
BIN = Path(sys.executable).parent
UNITS = sorted((SERVER / "systemd").glob("*.*"))
SETTING = re.compile(r"^#?([A-Z_]+)=", re.M)
READ = re.compile(r"""(?:text|number|switch|words|environ\.get)\(\s*"([A-Z_]+)\"""")
READ_BY_OTHERS = {"FORWARDED_ALLOW_IPS", "PROMETHEUS_MULTIPROC_DIR", "TMPDIR"}
NOT_SET_BY_ANYBODY = {"SELF_SETUP_TRIES", "TEST_SQLITE_FILE", "NOBODY_LISTENS"}


def run(*command: object) -> str:
    """Returns the output of a tool that must succeed."""
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def tool(name: str, package: str) -> str:
    """Returns the path of a program; installs it with apt if necessary."""
    if not shutil.which(name):
        apt.install(package, name)
    return shutil.which(name) or name


def test_the_dockerfile_passes_hadolint():
    run(BIN / "hadolint", SERVER / "Dockerfile")


def test_the_compose_file_matches_its_schema():
    run(BIN / "check-jsonschema", "--builtin-schema", "vendor.compose-spec", SERVER / "compose.yaml")


def test_the_caddyfile_is_valid(monkeypatch):
    monkeypatch.setenv("SITE", "play.example.org")
    output = run(
        tool("caddy", "caddy"), "validate", "--adapter", "caddyfile", "--config", SERVER / "Caddyfile"
    )
    assert "Valid configuration" in output


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.name)
def test_the_systemd_units_are_valid(unit, tmp_path):
    """Replaces programs and users that exist only on a server."""
    for path in UNITS:
        here = re.sub(r"/srv/director/\.venv/bin/\w+", "/bin/true", path.read_text())
        (tmp_path / path.name).write_text(here.replace("=director\n", "=root\n"))
    assert run(tool("systemd-analyze", "systemd"), "verify", tmp_path / unit.name) == ""


def test_the_example_contains_exactly_the_settings_that_are_read():
    read = {
        name
        for path in (ROOT / "deploy").rglob("*.py")
        for name in READ.findall(path.read_text())
        if name not in NOT_SET_BY_ANYBODY
    }
    in_compose = set(re.findall(r"\$\{([A-Z_]+)", (SERVER / "compose.yaml").read_text()))
    example = (SERVER / "example.env").read_text()
    assert set(SETTING.findall(example)) == read | in_compose | READ_BY_OTHERS
    assert [
        line for above, line in pairwise(example.splitlines()) if SETTING.match(line) and above[:1] != "#"
    ] == []
    assert "DJANGO_SECRET_KEY=\n" in example, "the example contains no secret"
