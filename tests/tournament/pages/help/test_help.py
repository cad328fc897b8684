"""The help page: a searchable list of tasks and terms, linked from every page."""

import pytest
from django.test import Client

from tournament.pages.help.glossary import TERMS
from tournament.pages.help.topics import TASKS

pytestmark = pytest.mark.django_db


def test_every_page_links_to_the_help_and_the_help_finds_terms():
    assert 'href="/help/"' in Client().get("/").content.decode()
    page = Client().get("/help/?find=sum opponents").content.decode()
    assert 'id="buchholz"' in page
    assert 'id="sonneborn-berger"' in page
    assert 'id="jacoby"' not in page
    assert "Nothing found" in Client().get("/help/?find=qwertz").content.decode()


def test_each_topic_has_its_own_anchor():
    keys = [topic.key for topic in (*TASKS, *TERMS)]
    assert len(keys) == len(set(keys))
