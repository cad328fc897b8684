"""What `manage.py verify_draw` says of a published draw, and with which number it ends."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

EXAMPLE = Path(__file__).resolve().parents[2] / "docs" / "example_draw.json"


def verify_draw(name: object) -> str:
    said = StringIO()
    call_command("verify_draw", str(name), stdout=said)
    return said.getvalue()


def test_a_draw_as_published():
    said = verify_draw(EXAMPLE)
    assert "The draw is as published" in said
    assert json.loads(EXAMPLE.read_text())["secret_hash"] in said


def test_a_draw_that_was_changed_afterwards(tmp_path):
    document = json.loads(EXAMPLE.read_text())
    order = document["order"]
    order[4], order[11] = order[11], order[4]
    (tmp_path / "draw.json").write_text(json.dumps(document))
    with pytest.raises(
        CommandError, match=r"Position 5: drawn Ana Kovač \(01\), published Chiara"
    ) as refused:
        verify_draw(tmp_path / "draw.json")
    assert refused.value.returncode == 1


@pytest.mark.parametrize("text", ["{", "[]", "\ud800"])
def test_a_file_that_is_no_draw(tmp_path, text):
    (tmp_path / "draw.json").write_bytes(text.encode(errors="surrogatepass"))
    with pytest.raises(CommandError, match=r"cannot be read|no draw document") as refused:
        verify_draw(tmp_path / "draw.json")
    assert refused.value.returncode == 2


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(CommandError, match="cannot be read") as refused:
        verify_draw(tmp_path / "missing.json")
    assert refused.value.returncode == 2
