"""The documents name the settings, files and options that exist."""

import json
import re
from pathlib import Path

import pytest

from tests.house.test_server_files import SERVER, SETTING
from tests.house.tree import ROOT, files, place

OPERATING = (ROOT / "docs" / "operating.md").read_text()
DOCUMENTS = sorted(path for path in files() if path.suffix == ".md")
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)")
MOST_LINES_OF_A_DECISION = 25


def headings(path: Path) -> set[str]:
    """The anchors of a document's headings, as GitHub makes them."""
    titles = re.findall(r"^#+ (.*)$", path.read_text(), re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_the_operating_page_explains_every_setting_once():
    section = OPERATING.split("\n## Settings\n")[1].split("\n## ")[0]
    explained = re.findall(r"^\| `([A-Z_]+)` \|", section, re.M)
    assert sorted(explained) == sorted(set(SETTING.findall((SERVER / "example.env").read_text())))


def test_the_options_of_uvicorn_on_the_operating_page_are_those_of_the_image():
    command = json.loads(re.findall(r"^CMD (.*)$", (SERVER / "Dockerfile").read_text(), re.M)[-1])
    options = re.findall(r"^\| `(--[^`]+)` \|", OPERATING, re.M)
    assert options
    assert [option for option in options if option not in " ".join(command)] == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(place(path)))
def test_links_between_documents_resolve(path):
    for name, anchor in LINK.findall(path.read_text()):
        if "://" in name:
            continue
        target = (path.parent / name).resolve() if name else path
        assert target.exists(), name
        if anchor:
            assert anchor in headings(target), f"{name}#{anchor}"


def test_the_readme_says_how_to_run_the_tests():
    assert "python3 manage.py test" in (ROOT / "README.md").read_text()


def test_decision_records_are_short_and_numbered_without_gaps():
    records = sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md"))
    assert [int(record.name[:3]) for record in records] == list(range(1, len(records) + 1))
    long = [record.name for record in records if record.read_text().count("\n") > MOST_LINES_OF_A_DECISION]
    assert long == []
