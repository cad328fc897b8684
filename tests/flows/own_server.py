"""A PostgreSQL server for one test, which may stop it. With SQLite, only a file."""

from pathlib import Path

from django.core.management import call_command

from deploy.bench import postgresql
from deploy.bench.installation import Installation
from deploy.bench.postgresql import Postgresql
from tests import database_template
from tests.flows.databases import Stores

HARDLY_EMPTY = ("fsync=off", "autovacuum=off")


class OwnServer(Stores):
    """Starts a server and creates one database."""

    server: Postgresql | None = None

    def fresh(self, name: str) -> str:
        if database_template.is_sqlite():
            return super().fresh(name)
        self.server = postgresql.start(self.folder, HARDLY_EMPTY)
        with Installation(self.folder, self.server.url, Path()).database():
            call_command("migrate", verbosity=0, skip_checks=True)
        return self.server.url

    def drop(self, url: str) -> None:
        super().drop(url)
        if self.server is not None:
            self.server.stop()
            self.server = None
