"""The limit of open files. Each connection and each live stream needs one."""

import resource

WANTED_FILES = 16384


def raise_limit() -> None:
    """Raises the limit to WANTED_FILES. The usual soft limit of 1024 is too low for live streams."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = WANTED_FILES if hard == resource.RLIM_INFINITY else min(WANTED_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
