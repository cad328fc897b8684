"""The help page, which works without the internet."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournament.pages.help.glossary import TERMS
from tournament.pages.help.topic import search_topics
from tournament.pages.help.topics import TASKS

LONGEST_SEARCH = 60


@never_cache
@require_safe
def help_page(request: HttpRequest) -> HttpResponse:
    """Shows all topics, or those that contain all words of `?find=`."""
    words = request.GET.get("find", "")[:LONGEST_SEARCH]
    context = {"words": words, "tasks": search_topics(TASKS, words), "terms": search_topics(TERMS, words)}
    return render(request, "help/help.html", context)
