"""An empty database for each stage, copied from the template of the run."""

import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from tests import database_template

PASSWORD = "a-word-between-two-machines"
"""The server trusts local connections. The tests of secrets search the logs for it."""


@dataclass
class Stores:
    """Creates databases. Their names on PostgreSQL contain the process id, so that processes do not collide."""

    folder: Path
    made: list[str] = field(default_factory=list)

    def fresh(self, name: str) -> str:
        """Creates an empty database with all tables. Returns its DATABASE_URL."""
        template = database_template.template_url()
        if database_template.is_sqlite():
            url = f"sqlite://{self.folder}/{name}.sqlite3"
            shutil.copyfile(urlsplit(template).path, urlsplit(url).path)
        else:
            url = database_template.create(
                f"flow_{os.getpid()}_{name}", database_template.database_name(template)
            )
            url += f"{'&' if '?' in url else '?'}password={PASSWORD}"
        self.made.append(url)
        return url

    def drop(self, url: str) -> None:
        """Drops the database. Does nothing if it was dropped before."""
        if url not in self.made:
            return
        if not database_template.is_sqlite():
            database_template.drop(database_template.database_name(url))
        self.made.remove(url)

    def drop_all(self) -> None:
        for url in reversed(list(self.made)):
            self.drop(url)
