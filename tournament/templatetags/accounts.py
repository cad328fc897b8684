"""Labels of account activity."""

from django import template

from tournament.queries.accounts.activity import kind_in_words

register = template.Library()
register.filter(kind_in_words)
