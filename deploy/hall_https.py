"""HTTPS for a hall: writes the configuration of Caddy as a proxy under a name that survives a change of address.

Phones trust the certificate of a registered domain name. Without one, Caddy creates its own certificate authority,
which each phone must trust first, so plain HTTP stays available. Starts no process.
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
"""Long enough for a phone whose clock is a day fast; Caddy's default is twelve hours."""
PROXY_ERRORS = "http.handlers.reverse_proxy"
"""This logger reports closed pages as errors. Errors of an unreachable web server come from another logger."""
_LOG = {
    "level": "ERROR",
    "exclude": [PROXY_ERRORS],
    # The URL may be a personal link.
    "encoder": {"format": "filter", "wrap": {"format": "json"}, "fields": {"request": {"filter": "delete"}}},
}
HOST_NAME = re.compile(
    r"(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+"
)


class NoHttps(RuntimeError):
    """HTTPS cannot be offered. The message says what to do."""


@dataclass(frozen=True)
class HallHttps:
    """The options of `--https`. The certificate is None if Caddy creates its own."""

    name: str
    port: int
    certificate: Path | None = None
    key: Path | None = None

    @property
    def url(self) -> str:
        return f"https://{self.name}" if self.port == 443 else f"https://{self.name}:{self.port}"

    @property
    def is_trusted(self) -> bool:
        """True if phones trust the certificate without set-up."""
        return self.certificate is not None


def default_host_name() -> str:
    """Returns the mDNS name of this machine, as in laptop.local."""
    first = re.sub(r"[^a-z0-9-]", "-", socket.gethostname().split(".")[0].lower()).strip("-")
    return f"{first or 'hall'}.local"


def write_caddy_settings(options: HallHttps, data_dir: Path, upstream: int) -> list[str]:
    """Writes Caddy's configuration for a proxy to the port `upstream` and returns the command that starts Caddy.

    Raises NoHttps.
    """
    binary = caddy_binary(options)
    folder = data_dir / FOLDER
    folder.mkdir(mode=0o700, exist_ok=True)
    settings = folder / SETTINGS
    settings.write_text(json.dumps(_caddy_settings(options, folder, upstream), indent=1))
    return [binary, "run", "--config", str(settings)]


def environment(options: HallHttps, data_dir: Path) -> dict[str, str]:
    """Returns the settings for the pages: a trusted name becomes PUBLIC_URL, another name an additional address."""
    if options.is_trusted:
        return {"PUBLIC_URL": options.url, "ALSO_PLAIN_HTTP": "yes"}
    return {"HALL_HTTPS": options.url, "HALL_AUTHORITY": str(data_dir / FOLDER / ROOT_CERTIFICATE)}


def caddy_binary(options: HallHttps) -> str:
    """Returns the path of Caddy. Raises NoHttps if it is missing or an option is invalid."""
    if not HOST_NAME.fullmatch(options.name):
        raise NoHttps(
            f"“{options.name}” is not a valid host name: choose one like hall.local, in lower case."
        )
    if (options.certificate is None) != (options.key is None):
        raise NoHttps("A certificate needs its key: give both --certificate FILE and --key FILE.")
    for file in (options.certificate, options.key):
        if file is not None and not file.is_file():
            raise NoHttps(f"There is no file {file}: give the path of the certificate and of its key.")
    binary = shutil.which("caddy")
    if binary is None:
        raise NoHttps(
            "HTTPS needs Caddy, a small free program: install it (Debian, Ubuntu: sudo apt install caddy; "
            "macOS: brew install caddy) and start again, or omit --https."
        )
    return binary


def _caddy_settings(options: HallHttps, folder: Path, upstream: int) -> dict[str, Any]:
    proxy = {
        "handler": "reverse_proxy",
        "upstreams": [{"dial": f"127.0.0.1:{upstream}"}],
        "flush_interval": -1,  # no buffering, for live streams
        # Shorter than the web server's timeout; otherwise it may close a connection just as a game is sent.
        "transport": {"protocol": "http", "keep_alive": {"idle_timeout": "3s"}},
    }
    server = {
        "listen": [f":{options.port}"],
        "automatic_https": {"disable_redirects": True},
        # The named route determines the certificate. The second route serves phones that use an IP address and
        # accept the warning; otherwise they would see an empty page.
        "routes": [{"match": [{"host": [options.name]}], "handle": [proxy]}, {"handle": [proxy]}],
        "tls_connection_policies": [{"default_sni": options.name}],
    }
    return {
        "admin": {"disabled": True},
        "logging": {"logs": {"default": _LOG}},
        "storage": {"module": "file_system", "root": str(folder)},
        "apps": {"http": {"servers": {"hall": server}}, **_certificate_settings(options)},
    }


def _certificate_settings(options: HallHttps) -> dict[str, Any]:
    if options.certificate is not None and options.key is not None:
        files = {"certificate": str(options.certificate.resolve()), "key": str(options.key.resolve())}
        return {"tls": {"certificates": {"load_files": [files]}}}
    own = {"subjects": [options.name], "issuers": [{"module": "internal", "lifetime": CERTIFICATE_LIFETIME}]}
    return {
        "pki": {
            "certificate_authorities": {
                "local": {"name": f"Backgammon {options.name}", "install_trust": False}
            }
        },
        "tls": {"automation": {"policies": [own]}},
    }
