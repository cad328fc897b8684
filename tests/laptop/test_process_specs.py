"""The web processes of an installation."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from deploy import environment, process_specs

ON_A_SERVER = "postgres://director@database/director"


def test_web_processes_share_the_port_and_have_distinct_names():
    webs = process_specs.web_specs(7, 3)
    assert [spec.name for spec in webs] == ["web server", "web server 2", "web server 3"]
    assert {tuple(spec.pass_fds) for spec in webs} == {(7,)}
    assert len({tuple(spec.argv) for spec in webs}) == 1


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
