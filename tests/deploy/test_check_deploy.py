"""Django's own check of an installation that faces the world, with the settings that the example gives."""

import os
import re
import secrets
import subprocess
import sys
from pathlib import Path

from deploy.install import ROOT

EXAMPLE = ROOT / "deploy" / "server" / "example.env"
SETTING = re.compile(r"^([A-Z_]+)=(.*)$", re.M)
LAPTOP = {"DATA_DIR": "", "DJANGO_SECRET_KEY": ""}


def check(folder: Path, **variables: str) -> str:
    """What it says of an installation with these variables and no others."""
    own = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    given = {"SELF_SETUP": "off", **LAPTOP, "DATA_DIR": str(folder), **variables}
    done = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=ROOT, env={**own, **given}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return f"{done.returncode} {done.stdout}{done.stderr}"


def example() -> dict[str, str]:
    """The example as an operator fills it in."""
    found = dict(SETTING.findall(EXAMPLE.read_text()))
    return {**found, "DJANGO_SECRET_KEY": secrets.token_urlsafe(50)}


def test_settings_of_the_example_pass_the_deployment_check(tmp_path):
    assert check(tmp_path, **example()) == "0 System check identified no issues (3 silenced).\n"


def test_a_laptop_over_plain_http_passes_the_deployment_check(tmp_path):
    assert check(tmp_path).startswith("0 ")


def test_a_laptop_with_an_address_is_warned_only_of_a_short_secret(tmp_path):
    said = check(tmp_path, DJANGO_SECRET_KEY="short", PUBLIC_URL="http://192.0.2.7:8000")
    assert re.findall(r"\(([a-z]+\.[EW]\d+)\)", said) == ["security.W009"]
