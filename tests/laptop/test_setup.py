"""The installation of a fresh checkout from hash-pinned packages, and its error messages."""

import ast
import base64
import hashlib
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from deploy import bootstrap, install

ROOT = Path(__file__).resolve().parents[2]
NOBODY = 65534
READ_BY_OLD_PYTHONS = ("manage.py", "deploy/__init__.py", "deploy/bootstrap.py")
ENTRANCE = (*READ_BY_OLD_PYTHONS, "deploy/install.py", "deploy/data_folder.py", "deploy/embedded_broker.py")
TOO_NEW = (ast.JoinedStr, ast.NamedExpr, ast.Match, ast.AnnAssign, ast.Nonlocal, ast.AsyncFunctionDef)
COMMANDS = """
import sys

def execute_from_command_line(argv):
    print("ran", argv[1], "inside" if sys.prefix.endswith(".venv") else "outside")
"""


def _wheel(folder: Path, name: str, files: dict[str, str]) -> str:
    """Creates a small package and returns its line for a lock file."""
    about = f"{name}-1.0.dist-info"
    files = {
        **files,
        f"{about}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n",
        f"{about}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{path},sha256={_digest(text)},{len(text)}\n" for path, text in files.items())
    path = folder / f"{name}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        for inside, text in {**files, f"{about}/RECORD": f"{record}{about}/RECORD,,\n"}.items():
            wheel.writestr(inside, text)
    return f"{name}==1.0 --hash=sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}\n"


def _digest(text: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip("=")


class Checkout:
    """The start files of the program in a separate folder, with two small packages to install."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "checkout"
        self.wheels = folder / "wheels"
        self.locks = self.folder / "deploy" / "requirements"
        self.locks.mkdir(parents=True)
        self.wheels.mkdir()
        for name in ENTRANCE:
            shutil.copyfile(ROOT / name, self.folder / name)
        django = {
            "django/__init__.py": "",
            "django/core/__init__.py": "",
            "django/core/management.py": COMMANDS,
        }
        (self.folder / "deploy" / "command_line.py").write_text(
            "from django.core.management import execute_from_command_line as run  # noqa: F401\n"
        )
        self.run_lock = _wheel(self.wheels, "django", django)
        (self.locks / "run.txt").write_text(self.run_lock)
        (self.locks / "test.txt").write_text(self.run_lock + _wheel(self.wheels, "pytest", {"pytest.py": ""}))

    def start(self, *arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
        with subprocess.Popen(**self.options(*arguments, **environment)) as process:
            output, _nothing = process.communicate(timeout=120)
        return subprocess.CompletedProcess(arguments, process.returncode, output)

    def options(self, *arguments: str, **environment: str) -> dict[str, Any]:
        """Returns the options for a fresh machine: only the location of the packages is in the environment."""
        bare = {"PATH": "/usr/bin:/bin", "HOME": str(self.folder.parent), "PIP_NO_INDEX": "1"}
        return {
            "args": [getattr(sys, "_base_executable", sys.executable), "manage.py", *arguments],
            "cwd": self.folder,
            "env": {**bare, "PIP_FIND_LINKS": str(self.wheels), **environment},
            "stdin": subprocess.DEVNULL,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.STDOUT,
            "text": True,
        }

    def quickly(self) -> dict[str, str]:
        """Returns an environment with the system pip, because installing pip into each `.venv` is slow.

        Debian without python3-venv has no ensurepip either, but may have pip.
        """
        return self.without("ensurepip")

    def without(self, *modules: str) -> dict[str, str]:
        """Returns an environment in which Python lacks these modules."""
        folder = self.folder.parent / "less"
        folder.mkdir()
        (folder / "sitecustomize.py").write_text(
            "import sys\n"
            "class Missing:\n"
            "    def find_spec(self, name, path=None, target=None):\n"
            f"        if name.split('.')[0] in {modules!r}:\n"
            "            raise ModuleNotFoundError(name)\n"
            "if '.venv' not in sys.prefix:\n"
            "    sys.meta_path.insert(0, Missing())\n"
        )
        return {"PYTHONPATH": str(folder)}

    @property
    def stamp(self) -> dict[str, str]:
        return dict(json.loads((self.folder / ".venv" / "installed.json").read_text()))


@pytest.fixture
def checkout(tmp_path) -> Checkout:
    return Checkout(tmp_path)


def test_a_checkout_installs_again_only_after_a_change_or_damage(checkout):
    first, second = checkout.start("check"), checkout.start("check")
    assert first.stdout.splitlines() == [
        f"Setting up in {checkout.folder}/.venv (once, about half a minute) ...",
        "ran check inside",
    ]
    assert second.stdout == "ran check inside\n"
    assert checkout.stamp["run"] == hashlib.sha256((checkout.locks / "run.txt").read_bytes()).hexdigest()
    quickly = checkout.quickly()
    (checkout.locks / "run.txt").write_text(checkout.run_lock + "# another release\n")
    assert "Setting up" in checkout.start("test", **quickly).stdout
    assert checkout.start("test").stdout == "ran test inside\n"
    assert set(checkout.stamp) == {"python", "run", "test"}
    (checkout.folder / ".venv" / "bin" / "python").unlink()
    assert checkout.start("check", **quickly).stdout.endswith("ran check inside\n")


def test_two_simultaneous_starts_install_once(checkout):
    quickly = checkout.quickly()
    both = [subprocess.Popen(**checkout.options("check", **quickly)) for _ in range(2)]
    output = sorted(process.communicate(timeout=120)[0] for process in both)
    assert [process.returncode for process in both] == [0, 0]
    assert [text.count("Setting up") for text in output] == [1, 0]


def test_the_installation_can_be_disabled(checkout):
    django = checkout.folder.parent / "provided"
    with zipfile.ZipFile(next(checkout.wheels.glob("django*"))) as wheel:
        wheel.extractall(django)
    done = checkout.start("check", SELF_SETUP="off", PYTHONPATH=str(django))
    assert done.stdout == "ran check outside\n"
    assert not (checkout.folder / ".venv").exists()


def test_a_package_with_a_wrong_hash_is_not_installed(checkout):
    _wheel(checkout.wheels, "django", {"django.py": "something else"})
    done = checkout.start("check", **checkout.quickly())
    assert done.returncode == 2
    assert "does not match its hash in this release" in done.stdout
    assert "Traceback" not in done.stdout


def test_a_missing_network_is_named_as_the_reason(checkout):
    shutil.rmtree(checkout.wheels)
    done = checkout.start("check", **checkout.quickly())
    assert done.returncode == 2
    assert "is this machine online?" in done.stdout.splitlines()[-1]


def test_a_python_without_venv_and_pip_gets_a_command_to_run(checkout):
    done = checkout.start("check", **checkout.without("ensurepip", "pip"))
    assert done.returncode == 2
    assert done.stdout.splitlines()[-1].endswith("sudo apt-get install -y python3-venv")


def test_a_read_only_folder_gives_one_sentence(checkout):
    checkout.folder.chmod(0o555)
    for parent in checkout.folder.parents[:4]:  # xdist adds one folder per worker
        parent.chmod(parent.stat().st_mode | 0o055)
    somebody: dict[str, Any] = (
        {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
    )
    options = checkout.options("check")
    if somebody:  # another user may not be able to read root's Python
        options["args"] = ["/usr/bin/env", "python3", "manage.py", "check"]
    with subprocess.Popen(**options, **somebody) as process:
        output, _nothing = process.communicate(timeout=120)
    checkout.folder.chmod(0o755)
    assert process.returncode == 2
    assert output.startswith(f"Cannot write to {checkout.folder}")
    assert output.count("\n") == 1


@pytest.mark.parametrize("version", [(2, 7, 18), (3, 6, 15), (3, 10, 13)])
def test_an_old_python_gets_the_required_version(version):
    output = bootstrap.version_problem(version, "linux")
    assert output.startswith("This program needs Python 3.11 or newer")
    assert ".".join(map(str, version)) in output


def test_windows_users_are_sent_to_wsl():
    assert "WSL" in bootstrap.version_problem((3, 12, 1), "win32")


@pytest.mark.parametrize("name", READ_BY_OLD_PYTHONS)
def test_old_pythons_can_parse_the_first_modules(name):
    nodes = list(ast.walk(ast.parse((ROOT / name).read_text())))
    assert not [node for node in nodes if isinstance(node, TOO_NEW)]
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    assert not [function.name for function in functions if function.returns or function.args.kwonlyargs]
    assert not [node.arg for node in nodes if isinstance(node, ast.arg) and node.annotation]


def test_a_full_disk_is_reported_before_the_installation(tmp_path):
    assert "free 400 MB" in install.space_problem(90_000_000, "run", tmp_path)
    assert install.space_problem(3_000_000_000, "test", tmp_path) == ""
    assert "is full" in install.pip_problem("OSError: [Errno 28] No space left on device", tmp_path)
