"""The last resort for a server or browser that no wheel and no local installation offers: apt, as root."""

import os
import shutil
import subprocess


class Missing(RuntimeError):
    """A part that the tests need is not here and cannot be fetched. Never a reason to skip."""


def install(package: str, part: str) -> None:
    """Installs a Debian package; raises Missing with a sentence that says what to do instead."""
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        raise Missing(f"The tests need {part}: install it (on Debian: sudo apt-get install -y {package}).")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for arguments in (["update"], ["install", "-y", "--no-install-recommends", package]):
        done = subprocess.run(
            ["apt-get", "-q", *arguments], env=environment, capture_output=True, text=True, check=False
        )
    if done.returncode:
        raise Missing(f"The tests need {part}, and apt-get could not install {package}: {done.stderr[-300:]}")
