"""`manage.py verify_draw FILE`: makes a published draw again and says whether it is as published.

Ends with 0 when it is, 1 when something is not, 2 when there is nothing to verify.
"""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from tournament.draw.document import DocumentError
from tournament.draw.verification import verify

WRONG, UNREADABLE = 1, 2


class Command(BaseCommand):
    help = "Makes a published draw again from its secret, its dice and its entries, and says whether it is the same."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("draw", help="the file of a published draw")

    def handle(self, *_args: Any, **options: Any) -> None:
        document = _read(Path(options["draw"]))
        try:
            findings = verify(document)
        except DocumentError as error:
            raise CommandError(str(error), returncode=UNREADABLE) from None
        self.stdout.write(_("Hash of the secret: %s") % document.get("secret_hash"))
        self.stdout.write(_("Hash of the entry list: %s") % document.get("entries_hash"))
        if findings:
            sentences = (_(finding.template).format_map(finding.params) for finding in findings)
            raise CommandError("\n".join(sentences), returncode=WRONG)
        self.stdout.write(_("The draw is as published, if these are the hashes that were shown beforehand."))


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise CommandError(
            _("%(file)s cannot be read: %(why)s") % {"file": path, "why": error}, returncode=UNREADABLE
        ) from None
