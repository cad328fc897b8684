"""A fresh database for each stage: a copy of the migrated one, of the kind this run is about."""

import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from tests import migrated

PASSWORD = "a-word-between-two-machines"
"""Nobody asks for it on one machine; it is there so that a log could tell it."""


@dataclass
class Stores:
    """Makes databases; those on PostgreSQL are named by this process, so that others may do the same."""

    folder: Path
    made: list[str] = field(default_factory=list)

    def fresh(self, name: str) -> str:
        """The DATABASE_URL of a new, migrated and empty database."""
        template = migrated.template()
        if migrated.is_sqlite():
            url = f"sqlite://{self.folder}/{name}.sqlite3"
            shutil.copyfile(urlsplit(template).path, urlsplit(url).path)
        else:
            url = migrated.create(f"flow_{os.getpid()}_{name}", migrated.name_in(template))
            url += f"{'&' if '?' in url else '?'}password={PASSWORD}"
        self.made.append(url)
        return url

    def drop(self, url: str) -> None:
        """Forgets the database; again: changes nothing."""
        if url not in self.made:
            return
        if not migrated.is_sqlite():
            migrated.drop(migrated.name_in(url))
        self.made.remove(url)

    def drop_all(self) -> None:
        for url in reversed(list(self.made)):
            self.drop(url)
