"""A fresh database for each stage: a copy of one that is migrated once, of the kind this run is about."""

import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

from deploy.loose_parts import LooseParts


@dataclass
class Stores:
    """Makes databases; those on PostgreSQL are named by this process, so that others may do the same."""

    folder: Path
    made: list[str] = field(default_factory=list)
    _template: str = ""

    def fresh(self, name: str) -> str:
        """The DATABASE_URL of a new, migrated and empty database."""
        if not self._template:
            self._template = self._new("template")
            LooseParts(self.folder, self._template, Path()).manage("migrate", "--verbosity", "0", "--skip-checks")
        return self._copy(name)

    def drop(self, url: str) -> None:
        """Forgets the database; again: changes nothing."""
        if url not in self.made:
            return
        if not is_sqlite():
            with _server() as server:
                server.execute(f'DROP DATABASE IF EXISTS "{_name(url)}" WITH (FORCE)')
        self.made.remove(url)

    def drop_all(self) -> None:
        for url in reversed(list(self.made)):
            self.drop(url)

    def _new(self, name: str) -> str:
        if is_sqlite():
            url = f"sqlite://{self.folder}/{name}.sqlite3"
        else:
            url = _create(f"flow_{os.getpid()}_{name}", "template0")
        self.made.append(url)
        return url

    def _copy(self, name: str) -> str:
        if not is_sqlite():
            url = _create(f"flow_{os.getpid()}_{name}", _name(self._template))
            self.made.append(url)
            return url
        url = self._new(name)
        shutil.copyfile(urlsplit(self._template).path, urlsplit(url).path)
        return url


def is_sqlite() -> bool:
    return os.environ["DATABASE_URL"].startswith("sqlite")


def _server() -> "psycopg.Connection[tuple[object, ...]]":
    return psycopg.connect(os.environ["DATABASE_URL"], autocommit=True)


def _create(name: str, template: str) -> str:
    with _server() as server:
        server.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
    return urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}").geturl()


def _name(url: str) -> str:
    return urlsplit(url).path.lstrip("/")
