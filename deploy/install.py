"""Installs the locked requirements into `.venv` and restarts `manage.py` with its Python.

Standard library only, because nothing is installed yet. Errors are one sentence and exit code 2.
`SELF_SETUP=off` disables this module, as in the container image.
"""

import fcntl
import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent
MEGABYTES_WANTED = {"run": 400, "test": 1200}
APT_LINE = "sudo apt-get install -y python3-venv"


def ensure_installed(argv: list[str]) -> None:
    """Returns if this process runs in a `.venv` that matches the lock file; otherwise installs it and execs it."""
    if os.environ.get("SELF_SETUP", "").lower() in ("off", "0", "no", "false"):
        return
    lock = "test" if argv[1:2] == ["test"] else "run"
    inside = Path(sys.prefix).resolve() == venv_folder(ROOT).resolve()
    tries = int(os.environ.pop("SELF_SETUP_TRIES", "0"))
    fitting = is_current(ROOT, lock, same_python=inside)
    if inside and fitting:
        return
    if tries > 1:
        refuse(f"The environment in {venv_folder(ROOT)} does not work: remove that folder and try again.")
    if not fitting:
        _install_locked(ROOT, lock, same_python=inside)
    os.environ["SELF_SETUP_TRIES"] = str(tries + 1)
    python = str(venv_python(ROOT))
    os.execv(python, [python, *argv])


def _install_locked(root: Path, lock: str, *, same_python: bool) -> None:
    """Installs under a file lock: a second process waits and then finds everything installed."""
    try:
        with open(root / ".venv.lock", "w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            if not is_current(root, lock, same_python=same_python):
                install(root, lock)
    except OSError as error:
        refuse(os_problem(root, error))


def refuse(sentence: str) -> NoReturn:
    sys.stderr.write(sentence + "\n")
    raise SystemExit(2)


def venv_folder(root: Path) -> Path:
    return root / ".venv"


def venv_python(root: Path) -> Path:
    return venv_folder(root) / "bin" / "python"


def is_current(root: Path, lock: str, *, same_python: bool) -> bool:
    """Returns True if `.venv` matches the lock file and, with `same_python`, was created for this Python."""
    stamp = _read_stamp(root)
    if stamp.get(lock) != lock_hash(root, lock) or not venv_python(root).exists():
        return False
    return not same_python or stamp.get("python") == _python_name()


def lock_file(root: Path, lock: str) -> Path:
    return root / "deploy" / "requirements" / f"{lock}.txt"


def lock_hash(root: Path, lock: str) -> str:
    return hashlib.sha256(lock_file(root, lock).read_bytes()).hexdigest()


def _python_name() -> str:
    return f"{sys.implementation.name}-{sys.version_info.major}.{sys.version_info.minor}"


def _stamp_file(root: Path) -> Path:
    return venv_folder(root) / "installed.json"


def _read_stamp(root: Path) -> dict[str, str]:
    try:
        stamp = json.loads(_stamp_file(root).read_text())
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) else {}


def install(root: Path, lock: str) -> None:
    """Creates `.venv` if necessary, installs the lock file and records it. Raises OSError; exits if pip fails."""
    problem = space_problem(shutil.disk_usage(root).free, lock, root)
    if problem:
        refuse(problem)
    print(f"Setting up in {venv_folder(root)} (once, about half a minute) ...", flush=True)
    stamp = _read_stamp(root)
    if stamp.get("python") != _python_name() or not venv_python(root).exists():
        stamp = {}
        _make_venv(root, lock)
    _stamp_file(root).unlink(missing_ok=True)
    _pip_install(root, lock)
    stamp |= {"python": _python_name(), lock: lock_hash(root, lock)}
    if lock == "test":
        stamp["run"] = lock_hash(root, "run")
    _stamp_file(root).write_text(json.dumps(stamp))


def _make_venv(root: Path, lock: str) -> None:
    base = getattr(sys, "_base_executable", "") or sys.executable
    if not _has("ensurepip") and not _has("pip") and not (lock == "test" and _apt_installs_venv()):
        refuse(f"This Python has neither venv nor pip. On Debian and Ubuntu, install both with: {APT_LINE}")
    options = [] if _has("ensurepip") else ["--without-pip"]
    done = _run([base, "-m", "venv", "--clear", *options, str(venv_folder(root))])
    if done.returncode:
        refuse(pip_problem(done.stdout, root))


def _has(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def _apt_installs_venv() -> bool:
    """Installs python3-venv when a test machine runs as root. Packages of a director's laptop are never changed."""
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return False
    _run(["apt-get", "update"])
    done = _run(["apt-get", "install", "-y", "--no-install-recommends", "python3-venv"])
    importlib.invalidate_caches()
    return done.returncode == 0


def _pip_install(root: Path, lock: str) -> None:
    python = str(venv_python(root))
    own_pip = _run([python, "-m", "pip", "--version"]).returncode == 0
    pip = [python, "-m", "pip"] if own_pip else [sys.executable, "-m", "pip", "--python", python]
    # Building from source would download build requirements without hashes.
    options = [
        "--require-hashes",
        "--only-binary",
        ":all:",
        "--disable-pip-version-check",
        "--no-input",
        "--quiet",
    ]
    done = _run([*pip, "install", *options, "-r", str(lock_file(root, lock))])
    if done.returncode:
        refuse(pip_problem(done.stdout, root))


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    return subprocess.run(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        env=environment,
        check=False,
    )


def space_problem(free: int, lock: str, root: Path) -> str:
    """Returns an error message if `free` bytes are too few for the installation, else an empty string."""
    megabytes = MEGABYTES_WANTED[lock]
    if free >= megabytes * 1_000_000:
        return ""
    has = free // 1_000_000
    return f"The disk of {root} is nearly full ({has} MB free): free {megabytes} MB and try again."


def os_problem(root: Path, error: OSError) -> str:
    """Returns the error message for a folder that is not writable."""
    return (
        f"Cannot write to {root} ({error.strerror}): unpack the program into a writable folder of your own "
        "and start it there."
    )


NETWORK_SIGNS = ("NewConnectionError", "Temporary failure", "ConnectTimeout", "Could not find")


def pip_problem(output: str, root: Path) -> str:
    """Returns the error message for a failure of pip or venv, with the last line of its output."""
    lines = [line for line in output.splitlines() if line.strip()] or ["no output"]
    last = textwrap.shorten(lines[-1], 300)
    if "No space left on device" in output:
        return f"The disk of {root} is full: free some space and try again."
    if "ensurepip" in output:
        return f"This Python cannot create a virtual environment. On Debian and Ubuntu: {APT_LINE}"
    if "DO NOT MATCH THE HASHES" in output:
        return f"A downloaded package does not match its hash in this release; nothing was installed. {last}"
    if any(text in output for text in NETWORK_SIGNS):
        return f"The packages could not be downloaded: is this machine online? ({last})"
    return f"The installation failed: {last}"
