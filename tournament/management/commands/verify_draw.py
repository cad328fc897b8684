"""`manage.py verify_draw`: repeats a published draw and compares the result.

Takes the file of a draw, or EVENT/TOURNAMENT for all stored draws of a tournament. Findings reveal seats, so draws that
are not released are skipped unless requested. Exit codes: 0 all draws are as published, 1 differences, 2 nothing to
verify.
"""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from tournament.draw.public_draw.document import DocumentError
from tournament.draw.public_draw.verification import verify
from tournament.models import Draw
from tournament.queries.draws.documents import list_draws_by_slug, published_document
from tournament.web.sentences import refusal_sentence

DIFFERENT, NOTHING = 1, 2


class Command(BaseCommand):
    help = "Repeats a published draw from its secret, dice and entries, and compares the result."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "draw", help="the file of a published draw, or EVENT/TOURNAMENT as in its address"
        )
        parser.add_argument(
            "--unreleased",
            action="store_true",
            help="also verify draws that are not released; the output can reveal their seats",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        path = Path(options["draw"])
        documents = [_read(path)] if path.is_file() else self._stored_documents(options)
        differences = [sentence for document in documents for sentence in self._verify(document)]
        if differences:
            raise CommandError("\n".join(differences), returncode=DIFFERENT)
        self.stdout.write(_("The draw is as published, if the hashes above are those shown before the draw."))

    def _stored_documents(self, options: dict[str, Any]) -> list[dict[str, Any]]:
        draws = _draws(options["draw"])
        verifiable = [draw for draw in draws if draw.is_released or options["unreleased"]]
        if draws and not verifiable:
            raise CommandError(
                _("The draw of {draw} is not released. Add --unreleased to verify it now.").format(
                    draw=options["draw"]
                ),
                returncode=NOTHING,
            )
        documents = _documents(verifiable)
        if not documents:
            raise CommandError(
                _("{draw} is neither a file nor a tournament drawn with a secret and public dice.").format(
                    draw=options["draw"]
                ),
                returncode=NOTHING,
            )
        return documents

    def _verify(self, document: Any) -> list[str]:
        try:
            findings = verify(document)
        except DocumentError as error:
            raise CommandError(_(error.template).format_map(error.params), returncode=NOTHING) from None
        self.stdout.write(_("Draw {number}").format(number=document["draw"]))
        self.stdout.write(_("Hash of the secret: {hash}").format(hash=document.get("secret_hash")))
        self.stdout.write(_("Hash of the entry list: {hash}").format(hash=document.get("entries_hash")))
        return [refusal_sentence(finding) for finding in findings]


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise CommandError(
            _("{file} cannot be read: {reason}").format(file=path, reason=error), returncode=NOTHING
        ) from None


def _draws(name: str) -> list[Draw]:
    """Returns all draws of a tournament, oldest first."""
    event, _slash, tournament = name.partition("/")
    return list_draws_by_slug(event, tournament)


def _documents(draws: list[Draw]) -> list[dict[str, Any]]:
    try:
        return [document for draw in draws if (document := published_document(draw)) is not None]
    except (KeyError, TypeError, ValueError) as error:
        raise CommandError(
            _("A stored draw cannot be read: {reason}").format(reason=error), returncode=NOTHING
        ) from None
