"""HTTPS for a hall: Caddy in front of our own port, under a name that stays when the laptop's address changes.

With a certificate of a real name, phones trust it at once. Without one Caddy is its own authority, which each phone has
to be told once to trust, so plain HTTP goes on beside it. Writes Caddy's settings; starts nothing.
"""

import json
import re
import shutil
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = "https"
SETTINGS = "caddy.json"
ROOT_CERTIFICATE = Path("pki", "authorities", "local", "root.crt")
CERTIFICATE_LIFETIME = "120h"
"""A phone whose clock is a day fast still finds it valid; usual would be twelve hours."""
PROXY_ERRORS = "http.handlers.reverse_proxy"
"""Who tells as an error that somebody closed a page while it came. Pages that cannot be reached others tell of."""
_LOG = {
    "level": "ERROR",
    "exclude": [PROXY_ERRORS],
    # What was asked for may be a personal link.
    "encoder": {"format": "filter", "wrap": {"format": "json"}, "fields": {"request": {"filter": "delete"}}},
}
HOST_NAME = re.compile(
    r"(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+"
)


class NoHttps(RuntimeError):
    """HTTPS cannot be offered; the sentence says what to do."""


@dataclass(frozen=True)
class HallHttps:
    """What was asked for: the name, the port, and the files of its certificate where it has a real one."""

    name: str
    port: int
    certificate: Path | None = None
    key: Path | None = None

    @property
    def url(self) -> str:
        return f"https://{self.name}" if self.port == 443 else f"https://{self.name}:{self.port}"

    @property
    def is_trusted(self) -> bool:
        """Whether phones trust it without being told."""
        return self.certificate is not None


def default_host_name() -> str:
    """The name under which this machine announces itself in its network."""
    first = re.sub(r"[^a-z0-9-]", "-", socket.gethostname().split(".")[0].lower()).strip("-")
    return f"{first or 'hall'}.local"


def write_caddy_settings(hall: HallHttps, data_dir: Path, upstream: int) -> list[str]:
    """Writes Caddy's settings into the data folder and returns the command that runs it in front of a port of this
    machine. Raises NoHttps."""
    binary = _caddy_binary(hall)
    folder = data_dir / FOLDER
    folder.mkdir(mode=0o700, exist_ok=True)
    settings = folder / SETTINGS
    settings.write_text(json.dumps(_caddy_settings(hall, folder, upstream), indent=1))
    return [binary, "run", "--config", str(settings)]


def environment(hall: HallHttps, data_dir: Path) -> dict[str, str]:
    """What the pages have to know: a name that everybody can use is the public address, any other is an extra."""
    if hall.is_trusted:
        return {"PUBLIC_URL": hall.url, "ALSO_PLAIN_HTTP": "yes"}
    return {"HALL_HTTPS": hall.url, "HALL_AUTHORITY": str(data_dir / FOLDER / ROOT_CERTIFICATE)}


def _caddy_binary(hall: HallHttps) -> str:
    if not HOST_NAME.fullmatch(hall.name):
        raise NoHttps(
            f"“{hall.name}” is no name for this machine: choose one like hall.local, in small letters."
        )
    if (hall.certificate is None) != (hall.key is None):
        raise NoHttps("A certificate needs its key: give both, --certificate FILE and --key FILE.")
    for file in (hall.certificate, hall.key):
        if file is not None and not file.is_file():
            raise NoHttps(f"There is no file {file}: give the path of the certificate and of its key.")
    binary = shutil.which("caddy")
    if binary is None:
        raise NoHttps(
            "HTTPS needs Caddy, a small free program: install it (Debian, Ubuntu: sudo apt install caddy; "
            "macOS: brew install caddy) and start again, or leave out --https."
        )
    return binary


def _caddy_settings(hall: HallHttps, folder: Path, upstream: int) -> dict[str, Any]:
    proxy = {
        "handler": "reverse_proxy",
        "upstreams": [{"dial": f"127.0.0.1:{upstream}"}],
        "flush_interval": -1,  # a live stream is passed on at once
        # Sooner than the web server would: else it hangs up just when a game is sent to it.
        "transport": {"protocol": "http", "keep_alive": {"idle_timeout": "3s"}},
    }
    server = {
        "listen": [f":{hall.port}"],
        "automatic_https": {"disable_redirects": True},
        # Its name first, which says what to be certified; by an address a phone that goes on in spite of a warning
        # finds the pages too, and not an empty one.
        "routes": [{"match": [{"host": [hall.name]}], "handle": [proxy]}, {"handle": [proxy]}],
        "tls_connection_policies": [{"default_sni": hall.name}],
    }
    return {
        "admin": {"disabled": True},
        "logging": {"logs": {"default": _LOG}},
        "storage": {"module": "file_system", "root": str(folder)},
        "apps": {"http": {"servers": {"hall": server}}, **_certificate_settings(hall)},
    }


def _certificate_settings(hall: HallHttps) -> dict[str, Any]:
    if hall.certificate is not None and hall.key is not None:
        files = {"certificate": str(hall.certificate.resolve()), "key": str(hall.key.resolve())}
        return {"tls": {"certificates": {"load_files": [files]}}}
    own = {"subjects": [hall.name], "issuers": [{"module": "internal", "lifetime": CERTIFICATE_LIFETIME}]}
    return {
        "pki": {
            "certificate_authorities": {"local": {"name": f"Backgammon {hall.name}", "install_trust": False}}
        },
        "tls": {"automation": {"policies": [own]}},
    }
