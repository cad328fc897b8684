"""Reads environment variables for the settings: server URLs, secrets, numbers, switches."""

import fcntl
import os
import secrets
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

# PostgreSQL plans a prepared statement once per connection. Posting and advancing a result takes a fifth less time.
PREPARED: dict[str, Any] = {"server_side_binding": True, "prepare_threshold": 3}
UNPREPARED: dict[str, Any] = {"prepare_threshold": None}
# `reconnect_timeout` 0: each request that needs a connection tries to connect. By default the pool waits longer and
# longer after failures.
POOL = {"min_size": 1, "timeout": 3, "reconnect_timeout": 0}
# In addition to one per thread; an exhausted pool would look like a database that is down.
EXTRA_CONNECTIONS = 4
LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
NO_TIMEOUT = 24 * 3600.0


def text(name: str, default: str = "") -> str:
    return os.environ.get(name, "").strip() or default


def number(name: str, default: float) -> float:
    """Returns the variable as a number. Raises ImproperlyConfigured if it is not a number."""
    raw = text(name)
    try:
        return float(raw) if raw else default
    except ValueError:
        raise ImproperlyConfigured(f"{name} must be a number, not {raw!r}.") from None


def web_threads() -> int:
    """Returns the number of threads that answer requests in each web process."""
    return max(1, int(number("WEB_THREADS", 12)))


def web_processes(database_url: str) -> int:
    """Returns the number of web processes. SQLite gets one, because it has a single writer."""
    return max(1, int(number("WEB_PROCESSES", 2))) if _is_postgresql(database_url) else 1


def database_seconds() -> float:
    """Returns the timeout for the database in seconds; 0 means no timeout."""
    return max(0.0, number("DATABASE_SECONDS", 10))


def switch(name: str, *, default: bool) -> bool:
    raw = text(name).lower()
    if raw in ("1", "true", "yes", "on"):
        return True
    return False if raw in ("0", "false", "no", "off") else default


def log_level() -> str:
    """Returns the log level. Raises ImproperlyConfigured for an unknown level."""
    level = text("LOG_LEVEL", "INFO").upper()
    if level not in LOG_LEVELS:
        raise ImproperlyConfigured(f"LOG_LEVEL must be one of {', '.join(LOG_LEVELS)}, not {level!r}.")
    return level


def comma_list(name: str) -> list[str]:
    return [word.strip() for word in text(name).split(",") if word.strip()]


def hosts_of(address: str) -> list[str]:
    """Returns the host name of the URL, if any, and the names of the local machine."""
    name = urlsplit(address).hostname
    return [*([name] if name else []), "localhost", "127.0.0.1", "[::1]"]


def secret_key(data_dir: Path) -> str:
    """Returns DJANGO_SECRET_KEY, or the key in DATA_DIR/secret.key. The first start creates that file with mode 600."""
    key = text("DJANGO_SECRET_KEY")
    return key or _stored_key(data_dir / "secret.key")


def _stored_key(path: Path) -> str:
    try:
        key = path.read_text()
    except (FileNotFoundError, NotADirectoryError):
        key = ""
    return key or _create_key(path)


def _create_key(path: Path) -> str:
    """Creates the key file. If several processes start at once, the first writes the key and the others read it."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise ImproperlyConfigured(
            f"Cannot write to {path.parent} ({error.strerror}). Set DATA_DIR to a writable folder."
        ) from None
    with os.fdopen(handle, "r+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        key = file.read()
        if not key:
            key = secrets.token_urlsafe(50)
            file.write(key)
    return key


def database(url: str, data_dir: Path) -> dict[str, Any]:
    """Returns Django's database settings for DATABASE_URL (postgres://, sqlite:///path) or a SQLite file in `data_dir`.

    Raises ImproperlyConfigured for another scheme.
    """
    parts = urlsplit(url)
    if not url or parts.scheme == "sqlite":
        return _sqlite(parts.path or str(data_dir / "director.sqlite3"))
    if not _is_postgresql(url):
        raise ImproperlyConfigured("DATABASE_URL must begin with postgres:// or sqlite:///.")
    options: dict[str, Any] = {name: _as_number(value) for name, value in parse_qsl(parts.query)}
    host = options.pop("host", parts.hostname or "")
    prepares = switch("DATABASE_PREPARE", default=True)
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.lstrip("/")),
        "USER": unquote(parts.username or str(options.pop("user", ""))),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": host,
        "PORT": str(parts.port or options.pop("port", "")),
        # A pooler in transaction mode loses server-side cursors between transactions.
        "DISABLE_SERVER_SIDE_CURSORS": not prepares,
        "CONN_MAX_AGE": 0,
        "OPTIONS": {
            **(PREPARED if prepares else UNPREPARED),
            "pool": {**POOL, "max_size": web_threads() + EXTRA_CONNECTIONS},
            **options,
        },
    }


def _as_number(value: str) -> str | int:
    """Converts digits to a number, because psycopg requires numbers for numeric options."""
    return int(value) if value.isascii() and value.isdigit() else value


def _is_postgresql(url: str) -> bool:
    return urlsplit(url).scheme in ("postgres", "postgresql")


def _sqlite(path: str) -> dict[str, Any]:
    return {
        "ENGINE": "deploy.sqlite",
        "NAME": path,
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": database_seconds() or NO_TIMEOUT,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
        },
        "TEST": {"NAME": text("TEST_SQLITE_FILE") or None},
    }


def redis_url() -> str:
    """Returns REDIS_URL. With TLS the server's certificate is verified, unless the URL sets `ssl_cert_reqs`."""
    url = text("REDIS_URL", "redis://127.0.0.1:6379/0")
    if not url.startswith("rediss://") or "ssl_cert_reqs=" in url:
        return url
    return f"{url}{'&' if urlsplit(url).query else '?'}ssl_cert_reqs=required"


def celery_url(redis_url: str) -> str:
    """Returns the URL in Celery's form: redis-py uses unix:// for a socket and Celery redis+socket://."""
    return redis_url.replace("unix://", "redis+socket://", 1)
