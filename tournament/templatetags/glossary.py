"""Marks beside terms: each `?` opens the glossary of the help page at its term."""

from typing import Any

from django import template
from django.forms import BoundField
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from tournament.pages.help.glossary import TERM_OF_FIELD, TERM_OF_KIND, TERM_OF_TIE_BREAK, TERMS

register = template.Library()
TOPICS = {topic.key: topic for topic in TERMS}
MARK = (
    '<a class="help-mark" href="{}#{}" target="_blank" rel="noopener" title="{}">'
    '<span aria-hidden="true">?</span><span class="for-readers">{}</span></a>'
)


@register.simple_tag
def help_mark(key: str) -> SafeString | str:
    """A `?` that opens the glossary at this term; empty for an empty key."""
    if not key:
        return ""
    topic = TOPICS[key]
    return format_html(
        MARK, reverse("help"), topic.key, topic.text, _("Help: {term}").format(term=topic.title)
    )


@register.simple_tag
def field_help(field: BoundField) -> SafeString | str:
    """The mark of the term that explains this field, if there is one."""
    return help_mark(TERM_OF_FIELD.get(field.name, ""))


@register.simple_tag
def kind_help(kind: str) -> SafeString | str:
    return help_mark(TERM_OF_KIND.get(kind, ""))


@register.simple_tag
def tie_break_help(code: str) -> SafeString | str:
    return help_mark(TERM_OF_TIE_BREAK.get(code, ""))


@register.inclusion_tag("help/terms.html")
def terms_explained(keys: str) -> dict[str, Any]:
    """A folded list of these terms with their texts, which needs no connection. `keys` are separated by spaces."""
    return {"terms": [TOPICS[key] for key in keys.split()]}
