"""`manage.py verify_draw`: makes a published draw again and says whether it is as published.

It takes the file of a draw, or EVENT/TOURNAMENT for all the draws kept of one. Ends with 0 when everything is as
published, 1 when something is not, 2 when there is nothing to verify.
"""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError
from django.utils.translation import gettext as _

from tournament.draw.document import DocumentError
from tournament.draw.verification import verify
from tournament.models import Draw
from tournament.showing.published_draw import published

WRONG, NOTHING = 1, 2


class Command(BaseCommand):
    help = "Makes a published draw again from its secret, its dice and its entries, and says whether it is the same."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "draw", help="the file of a published draw, or EVENT/TOURNAMENT as in its address"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        path = Path(options["draw"])
        documents = [_read(path)] if path.is_file() else _kept(options["draw"])
        wrong = [sentence for document in documents for sentence in self._verify(document)]
        if wrong:
            raise CommandError("\n".join(wrong), returncode=WRONG)
        self.stdout.write(_("As published, if these are the hashes that were shown beforehand."))

    def _verify(self, document: Any) -> list[str]:
        try:
            findings = verify(document)
        except DocumentError as error:
            raise CommandError(str(error), returncode=NOTHING) from None
        self.stdout.write(_("Draw %s") % document["draw"])
        self.stdout.write(_("Hash of the secret: %s") % document.get("secret_hash"))
        self.stdout.write(_("Hash of the entry list: %s") % document.get("entries_hash"))
        return [_(finding.template).format_map(finding.params) for finding in findings]


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise CommandError(
            _("%(file)s cannot be read: %(why)s") % {"file": path, "why": error}, returncode=NOTHING
        ) from None


def _kept(name: str) -> list[dict[str, Any]]:
    """The documents of all the draws of a tournament that were made with a secret, the first one first."""
    event, _slash, tournament = name.partition("/")
    try:
        draws = list(Draw.objects.filter(tournament__event__slug=event, tournament__slug=tournament))
        documents = [document for draw in draws if (document := published(draw)) is not None]
    except DatabaseError:
        raise CommandError(_("There is no data here yet."), returncode=NOTHING) from None
    except (KeyError, TypeError, ValueError) as error:
        raise CommandError(_("A draw kept here cannot be read: %s") % error, returncode=NOTHING) from None
    if not documents:
        raise CommandError(
            _("%s is no file, and no tournament that was drawn with a secret and public dice.") % name,
            returncode=NOTHING,
        )
    return documents
