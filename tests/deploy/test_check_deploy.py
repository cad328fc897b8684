"""Django's deployment check with the settings of the example."""

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
    """Returns the exit code and output of the check with only these variables."""
    inherited = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    configured = {"SELF_SETUP": "off", **LAPTOP, "DATA_DIR": str(folder), **variables}
    done = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=ROOT, env={**inherited, **configured}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return f"{done.returncode} {done.stdout}{done.stderr}"


def example() -> dict[str, str]:
    """Returns the settings of the example as an operator fills them in."""
    settings = dict(SETTING.findall(EXAMPLE.read_text()))
    return {**settings, "DJANGO_SECRET_KEY": secrets.token_urlsafe(50)}


def test_settings_of_the_example_pass_the_deployment_check(tmp_path):
    assert check(tmp_path, **example()) == "0 System check identified no issues (3 silenced).\n"


def test_a_laptop_with_an_address_is_warned_only_of_a_short_secret(tmp_path):
    output = check(tmp_path, DJANGO_SECRET_KEY="short", PUBLIC_URL="http://192.0.2.7:8000")
    assert re.findall(r"\(([a-z]+\.[EW]\d+)\)", output) == ["security.W009"]
