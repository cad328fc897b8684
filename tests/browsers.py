"""Finds the real browser that the page tests drive; fetches it as root where there is none. Nothing is skipped."""

import os
import shutil
import subprocess
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Playwright, expect

from tests import apt

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MAC = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
# Each window would keep two pages of its own ready for whoever types an address: half a second of a processor. A
# browser heeds only the last such list, so that what Playwright turns off has to stand here too.
NOT_NEEDED = [
    "WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup", "AimEnabled", "LensOverlay", "MediaRouter",
    "OptimizationHints", "NetworkTimeServiceQuerying", "PreconnectToSearch", "PaintHolding",
    "HttpsUpgrades", "HttpsFirstBalancedModeAutoEnable", "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect", "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose",
]  # fmt: skip
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    f"--disable-features={','.join(NOT_NEEDED)}",
]

PATIENCE_MS = 60_000
"""How long a browser waits for what is expected of a page: the machine may be slow and busy."""

FONTS = Path(__file__).with_name("fonts.conf")
FONT_FOLDERS = (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"))


def launch(playwright: Playwright, *arguments: str) -> Browser:
    """Starts Chromium with the fonts of `fonts.conf` and no others, so that no width depends on the machine."""
    executable = chromium()
    _require_fonts()
    expect.set_options(timeout=PATIENCE_MS)
    return playwright.chromium.launch(
        executable_path=executable,
        args=[*ARGUMENTS, *arguments],
        env={**os.environ, "FONTCONFIG_FILE": str(FONTS)},
    )


def close(context: BrowserContext) -> None:
    """Leaves the pages first, because Chromium 156 sometimes hangs if a context is closed while a page loads."""
    for page in context.pages:
        page.goto("about:blank")
    context.close()


def chromium() -> str:
    """The path of Chromium; installs it with apt as root when there is none, raises Missing when it cannot."""
    if not installed_path():
        apt.install("chromium", "a Chromium browser")
    return installed_path() or _nowhere()


def installed_path() -> str:
    """The path of an installed Chromium, or nothing."""
    named = os.environ.get("TEST_CHROMIUM", "")
    local = [path for path in map(shutil.which, NAMES) if path]
    return named or (local[0] if local else str(MAC) if MAC.exists() else "")


def vendor() -> str:
    """Its name and version by its own word, or that it is fetched when a test needs it."""
    path = installed_path()
    if not path:
        return "none yet; the first page test fetches Chromium"
    done = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=60, check=False)
    return done.stdout.strip()


def _nowhere() -> str:
    raise apt.Missing("The page tests need Chromium, and none was found after its installation.")


def _require_fonts() -> None:
    """Installs the DejaVu fonts with apt as root when there are none. macOS ignores fontconfig."""
    if MAC.exists() or any(path for folder in FONT_FOLDERS for path in folder.rglob("DejaVuSans.ttf")):
        return
    apt.install("fonts-dejavu-core", "the DejaVu fonts")
