"""The prelude of `manage.py`: is this Python new enough, and is everything installed?

It must be readable by every Python there is, as far back as 2.7, to be able to say in one sentence that a
newer one is needed. So no annotations, no f-strings, nothing new; `deploy.install` does the work.
"""

import sys

OLDEST = (3, 11)


def prepare(argv):  # type: (list[str]) -> None
    """Returns when everything is installed; leaves with a sentence and exit code 2 when it cannot be."""
    problem = version_problem(sys.version_info[:3], sys.platform)
    if problem:
        sys.stderr.write(problem + "\n")
        raise SystemExit(2)
    from deploy import data_folder, install  # noqa: PLC0415 (an old Python could not read them)

    install.ensure_installed(argv)
    data_folder.check(argv)
    data_folder.find_broker(argv)


def version_problem(version, platform):  # type: (tuple[int, ...], str) -> str
    """The sentence to say when this Python or system will not do; empty when all is well."""
    if platform == "win32":
        return "Windows runs this inside WSL: open a WSL terminal (Ubuntu) and give the same command there."
    if tuple(version[:2]) < OLDEST:
        needed = ".".join(str(part) for part in OLDEST)
        running = ".".join(str(part) for part in version)
        return "This needs Python %s or newer, and this is Python %s: use a newer one." % (needed, running)
    return ""
