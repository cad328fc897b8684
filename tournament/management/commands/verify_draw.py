"""`manage.py verify_draw`: makes a published draw again and says whether it is as published.

It takes the file of a draw, or EVENT/TOURNAMENT for all the released draws kept of one. What is wrong with a draw tells
who stands where, so one that is hidden is left out unless that is asked for. Ends with 0 when everything is as
published, 1 when something is not, 2 when there is nothing to verify.
"""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError
from django.utils.translation import gettext as _

from tournament.draw.public_draw.document import DocumentError
from tournament.draw.public_draw.verification import verify
from tournament.models import Draw
from tournament.queries.draws.documents import published_document

WRONG, NOTHING = 1, 2


class Command(BaseCommand):
    help = "Makes a published draw again from its secret, its dice and its entries, and says whether it is the same."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "draw", help="the file of a published draw, or EVENT/TOURNAMENT as in its address"
        )
        parser.add_argument(
            "--unreleased",
            action="store_true",
            help="also the draws that are not released; what is printed can tell who stands where in them",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        path = Path(options["draw"])
        documents = [_read(path)] if path.is_file() else self._kept(options)
        wrong = [sentence for document in documents for sentence in self._verify(document)]
        if wrong:
            raise CommandError("\n".join(wrong), returncode=WRONG)
        self.stdout.write(_("As published, if these are the hashes that were shown beforehand."))

    def _kept(self, options: dict[str, Any]) -> list[dict[str, Any]]:
        draws = _draws(options["draw"])
        shown = [draw for draw in draws if draw.is_released or options["unreleased"]]
        if draws and not shown:
            raise CommandError(
                _("%s is drawn, and nothing of it is released yet. Add --unreleased to verify it now.")
                % options["draw"],
                returncode=NOTHING,
            )
        documents = _documents(shown)
        if not documents:
            raise CommandError(
                _("%s is no file, and no tournament that was drawn with a secret and public dice.")
                % options["draw"],
                returncode=NOTHING,
            )
        return documents

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


def _draws(name: str) -> list[Draw]:
    """All the draws of a tournament, the first one first."""
    event, _slash, tournament = name.partition("/")
    try:
        return list(Draw.objects.filter(tournament__event__slug=event, tournament__slug=tournament))
    except DatabaseError:
        raise CommandError(_("There is no data here yet."), returncode=NOTHING) from None


def _documents(draws: list[Draw]) -> list[dict[str, Any]]:
    """The documents of those that were made with a secret."""
    try:
        return [document for draw in draws if (document := published_document(draw)) is not None]
    except (KeyError, TypeError, ValueError) as error:
        raise CommandError(_("A draw kept here cannot be read: %s") % error, returncode=NOTHING) from None
