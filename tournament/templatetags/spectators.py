"""What public pages say of themselves to those who pass them on, and whom a reader follows."""

import uuid
from collections.abc import Collection
from typing import Any

from django import template
from django.conf import settings
from django.http import HttpRequest

register = template.Library()


@register.filter
def is_among(entry: uuid.UUID, followed: Collection[uuid.UUID]) -> bool:
    return entry in followed


@register.simple_tag(takes_context=True)
def canonical(context: dict[str, Any]) -> str:
    """The address of this page without what was asked of it, as others reach it."""
    request: HttpRequest = context["request"]
    if settings.PUBLIC_URL:
        return f"{settings.PUBLIC_URL}{request.path}"
    return request.build_absolute_uri(request.path)
