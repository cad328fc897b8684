"""The web processes of an installation."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from deploy import environment, process_specs

ON_A_SERVER = "postgres://director@database/director"


def test_several_web_processes_are_one_process_with_forks():
    alone, several = process_specs.web_spec(7, 1), process_specs.web_spec(7, 3)
    assert alone.argv[2] == "uvicorn"
    assert several.argv[2:4] == ["deploy.web_processes", "3"]
    assert alone.argv[3:] == several.argv[4:]
    assert several.pass_fds == [7]


@pytest.mark.parametrize(
    ("configured", "url", "processes"),
    [
        ("", ON_A_SERVER, 2),
        ("4", ON_A_SERVER, 4),
        ("0", ON_A_SERVER, 1),
        ("4", "", 1),
        ("4", "sqlite:///a", 1),
    ],
)
def test_sqlite_gets_one_web_process(monkeypatch, configured, url, processes):
    monkeypatch.setenv("WEB_PROCESSES", configured)
    assert environment.web_processes(url) == processes


def test_an_invalid_number_of_processes_gives_one_sentence(monkeypatch):
    monkeypatch.setenv("WEB_PROCESSES", "all")
    with pytest.raises(ImproperlyConfigured, match="WEB_PROCESSES"):
        environment.web_processes(ON_A_SERVER)
