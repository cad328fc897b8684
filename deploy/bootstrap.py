"""Runs before `manage.py` imports anything: checks the Python version and installs missing packages.

Every Python since 2.7 must be able to parse this file, so that an old one can print a clear message. It has no
annotations and no f-strings; `deploy.install` does the work.
"""

import sys

OLDEST = (3, 11)


def prepare(argv):  # type: (list[str]) -> None
    """Returns when everything is installed. Otherwise prints a message and exits with code 2."""
    problem = version_problem(sys.version_info[:3], sys.platform)
    if problem:
        sys.stderr.write(problem + "\n")
        raise SystemExit(2)
    from deploy import data_folder, install  # noqa: PLC0415 (an old Python could not parse them)

    install.ensure_installed(argv)
    data_folder.check(argv)
    data_folder.find_broker(argv)


def version_problem(version, platform):  # type: (tuple[int, ...], str) -> str
    """Returns an error message if this Python or system is not supported, else an empty string."""
    if platform == "win32":
        return (
            "On Windows this runs inside WSL: open a WSL terminal (Ubuntu) and give the same command there."
        )
    if tuple(version[:2]) < OLDEST:
        needed = ".".join(str(part) for part in OLDEST)
        running = ".".join(str(part) for part in version)
        return "This program needs Python %s or newer; this is Python %s." % (needed, running)
    return ""
