"""The OpenAPI document: valid, complete, and checked against every answer."""

import json
from pathlib import Path

import pytest
from django.core.management import call_command
from django.http import HttpResponse
from jsonschema import ValidationError

from deploy.shared_requests import API
from tests.tournament.api import openapi
from tournament.api.views import ApiView

pytestmark = pytest.mark.django_db


def test_the_document_is_rendered_without_a_warning(tmp_path):
    file = tmp_path / "schema.yml"
    call_command("spectacular", "--api-version", "v1", "--validate", "--fail-on-warn", "--file", str(file))
    assert "/api/v1/matches/{match_id}/games/" in Path(file).read_text()


def test_the_document_is_served(stranger):
    answer = stranger.get("/schema/", headers={"Accept": "application/vnd.oai.openapi+json"})
    assert answer.status_code == 200
    assert answer.json()["info"]["title"]
    assert stranger.get("/schema/", headers={"If-None-Match": answer["ETag"]}).status_code == 304


def test_every_operation_has_a_name_a_tag_and_a_description():
    rooms = {tag["name"] for tag in openapi.document()["tags"]}
    for name, operation in openapi.operations().items():
        assert name.replace("_", "").isalpha()
        assert set(operation["tags"]) <= rooms
        assert operation["description"].strip().endswith(".")
        assert operation["description"] != ApiView.__doc__
        assert {"401", "403", "404", "429", "503"} <= set(operation["responses"])
    assert rooms == {tag for operation in openapi.operations().values() for tag in operation["tags"]}


def test_every_cached_operation_documents_a_304():
    looks = [operation for operation in openapi.operations().values() if operation["verb"] == "GET"]
    cached = [operation for operation in looks if API.paths.fullmatch(operation["path"])]
    assert len(cached) > 10
    assert [operation["operationId"] for operation in cached if "304" not in operation["responses"]] == []


def test_no_two_operations_share_a_name():
    verbs = sum(len(verbs) for verbs in openapi.document()["paths"].values())
    assert len(openapi.operations()) == verbs


def test_an_answer_that_differs_from_the_document_is_noticed(stranger, hall):
    document = stranger.get(f"/events/{hall.tournament.event.slug}/").json()
    path = f"/api/v1/events/{document['slug']}/"
    for wrong in ({**document, "more": 1}, {**document, "starts_on": "soon"}, {"slug": document["slug"]}):
        answer = HttpResponse(json.dumps(wrong), content_type="application/json")
        with pytest.raises(ValidationError):
            openapi.check("GET", path, answer)
    with pytest.raises(AssertionError):
        openapi.check("GET", path, HttpResponse("{}", status=202, content_type="application/json"))
