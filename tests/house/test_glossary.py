"""Every term that a page marks with `?` is in the glossary, and every kind of format and tie-break has a term."""

import re

from tests.house.catalogue import template_files
from tests.house.tree import place, python_files
from tournament.draw.formats import Kind
from tournament.draw.standings import TieBreak
from tournament.pages.help.glossary import TERM_OF_FIELD, TERM_OF_KIND, TERM_OF_TIE_BREAK, TERMS

KEYS = {topic.key for topic in TERMS}
MARK = re.compile(r'\{%\s*(?:help_mark|terms_explained)\s+"([^"]*)"')


def test_every_term_that_a_template_marks_is_in_the_glossary():
    marked = {
        (str(place(path)), key)
        for path in template_files()
        for keys in MARK.findall(path.read_text())
        for key in keys.split()
    }
    assert len(marked) > 10
    assert {(path, key) for path, key in marked if key not in KEYS} == set()


def test_the_terms_of_fields_tie_breaks_and_formats_are_in_the_glossary():
    assert set(TERM_OF_FIELD.values()) <= KEYS
    assert set(TERM_OF_TIE_BREAK) == set(TieBreak)
    assert set(TERM_OF_TIE_BREAK.values()) <= KEYS
    assert set(TERM_OF_KIND) == set(Kind)
    assert set(TERM_OF_KIND.values()) <= KEYS


def test_every_field_that_has_a_term_exists():
    code = "\n".join(path.read_text() for path in python_files(product_only=True) if "pages" in path.parts)
    built = {"bye_counts", "walkover_counts", "tie_break_1"}  # the form makes these names
    assert [
        name
        for name in TERM_OF_FIELD.keys() - built
        if not re.search(rf'\b{name} = |OwnChange\(\s*"{name}"', code)
    ] == []
