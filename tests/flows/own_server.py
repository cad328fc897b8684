"""A database server that no other test uses: one may pull its plug. With SQLite, just a file."""

from pathlib import Path

from django.core.management import call_command

from deploy.bench import postgresql
from deploy.bench.installation import Installation
from deploy.bench.postgresql import Postgresql
from tests import migrated
from tests.flows.stores import Stores

HARDLY_EMPTY = ("fsync=off", "autovacuum=off")


class OwnServer(Stores):
    """Makes one database."""

    server: Postgresql | None = None

    def fresh(self, name: str) -> str:
        if migrated.is_sqlite():
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
