"""Words about accounts."""

from django import template

from tournament.showing.account_activity import kind_in_words

register = template.Library()
register.filter(kind_in_words)
