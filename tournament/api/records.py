"""API views of game records: upload, verdict and file."""

import json
import uuid
from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext, gettext_noop
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from matches.keepers import Keeper
from matches.models import MOST_RECORD_BYTES, GameRecord
from rules.problem import OFFERS, Problem
from rules.score import Side
from tournament.access import permissions
from tournament.api.authentication import actors_of
from tournament.api.describing import describes, describes_list
from tournament.api.matches import OwnMatchView
from tournament.api.parsing import BoundedMultiPartParser
from tournament.api.record_serializers import LeftPlayerBody, RecordBody, RecordDocument
from tournament.api.views import ApiView
from tournament.queries.records import RecordDetails, load_record, records_of_match
from tournament.records import checking
from tournament.runtime.errors import Denied
from tournament.web.downloads import record_response
from tournament.web.sentences import refusal_sentence


class RecordParser(BoundedMultiPartParser):
    """Reads a form with one file. Rejects a longer body without reading it."""

    max_bytes = MOST_RECORD_BYTES + 64 * 1024
    sentence = gettext_noop("This file is larger than 5 MB, so it was not kept. Choose a smaller one.")


class BytesRenderer(BaseRenderer):
    """Accepts requests for raw bytes. Errors are still problem documents."""

    media_type = "application/octet-stream"
    format = "bytes"
    charset = None
    render_style = "binary"

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,  # noqa: ARG002
        renderer_context: Mapping[str, Any] | None = None,  # noqa: ARG002
    ) -> bytes:
        return json.dumps(data).encode()


class SingleRecordView(ApiView):
    """Base class of views of one game record, for the two players of its match and the desk."""

    def record(self, record_id: uuid.UUID) -> tuple[GameRecord, Keeper]:
        record, _tournament, keeper = permissions.game_record_for(actors_of(self.request), record_id)
        return record, keeper


class RecordsView(OwnMatchView):
    parser_classes = (RecordParser,)

    @describes_list("list_records", RecordDocument, 409)
    def get(self, request: Request, match_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Returns the game records of a match with their verdicts, oldest first."""
        self.own_card(match_id)
        return self.page(records_of_match(match_id), record_json, ("uploaded_at", "pk"))

    @describes("bring_record", {200: RecordDocument, 201: RecordDocument}, 409, request=RecordBody)
    def post(self, request: Request, match_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Stores a file as a game record of the match and schedules its check. A repeated file answers 200."""
        pairing, keeper, actor = self.own_card(match_id)
        file = self.read(RecordBody)["file"]
        record, is_new = checking.upload(pairing, keeper, file.read(MOST_RECORD_BYTES + 1), file.name, actor)
        return Response(record_json(record), status=201 if is_new else 200)


class RecordView(SingleRecordView):
    @describes("show_record", {200: RecordDocument})
    def get(self, request: Request, record_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Returns one game record with its verdict."""
        return Response(record_json(self.record(record_id)[0]))


class RecordFileView(SingleRecordView):
    renderer_classes = (JSONRenderer, BytesRenderer)

    @describes(
        "download_record",
        {(200, "application/octet-stream"): OpenApiResponse(OpenApiTypes.BINARY, "The uploaded bytes.")},
    )
    def get(self, request: Request, record_id: uuid.UUID) -> HttpResponse:  # noqa: ARG002
        """Returns the unchanged bytes of the uploaded file."""
        return record_response(self.record(record_id)[0])


class RecordLeftView(SingleRecordView):
    @describes("say_left_player", {200: RecordDocument}, request=LeftPlayerBody)
    def put(self, request: Request, record_id: uuid.UUID) -> Response:  # noqa: ARG002
        """Sets which side of the match the file's left player is. For the desk only."""
        record, keeper = self.record(record_id)
        if keeper is not Keeper.DESK:
            raise Denied(is_known=True)
        checking.set_left_player(record, Side(self.read(LeftPlayerBody)["side"]), self.actor)
        return Response(record_json(self.record(record_id)[0]))


def record_json(record: GameRecord) -> dict[str, Any]:
    details = load_record(record).records[0]
    return {
        "id": record.pk,
        "match": record.match_id,
        "name": record.name,
        "size": record.size,
        "sha256": record.sha256,
        "brought_by": record.uploaded_by,
        "brought_at": record.uploaded_at,
        "state": str(record.state),
        "format": details.format or None,
        "found": {"error": details.errors, "warning": details.warnings, "remark": details.remarks},
        "score": _score_json(details),
        "problems": [{**_problem_json(row.problem), "follows": row.follows} for row in details.problems],
    }


def _score_json(details: RecordDetails) -> dict[str, Any] | None:
    if details.score is None:
        return None
    reported = details.reported or (None, None)
    return {
        "left": details.score[0],
        "right": details.score[1],
        "is_finished": details.is_finished,
        "left_player": details.left_player or None,
        "known_by": details.basis,
        "reported_left": reported[0],
        "reported_right": reported[1],
        "agrees": details.agrees,
    }


def _problem_json(problem: Problem) -> dict[str, Any]:
    solution = OFFERS.get(problem.offer or "")
    return {
        "severity": problem.severity,
        "code": problem.code,
        "rule": problem.rule,
        "sentence": refusal_sentence(problem),
        "offer": gettext(solution).format_map(problem.params) if solution else None,
        "game": problem.game,
        "move": problem.move,
        "line": problem.line,
        "position": problem.position,
    }
