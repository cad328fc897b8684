"""Serves static files under versioned names, so that browsers can cache them for ever.

Needs no collectstatic: `style.css` is also served as `style.0123456789ab.css`, with a digest of its content. A request
for another version, from an old page or another node, gets the current file with a cache lifetime of one minute.
"""

import hashlib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import StaticFilesStorage
from django.http import HttpRequest, HttpResponse
from whitenoise.middleware import WhiteNoiseMiddleware

DIGEST_LENGTH = 12
VERSIONED = re.compile(rf"(.+)\.[0-9a-f]{{{DIGEST_LENGTH}}}(\.[^./]+)")


def unversioned(name: str) -> str:
    """Returns the name or path of a file without its version."""
    match = VERSIONED.fullmatch(name)
    return match[1] + match[2] if match else name


@cache
def versioned(name: str) -> str:
    """Returns the name of a file with its version; unchanged if there is no such file."""
    path = finders.find(name)
    stem, dot, kind = name.rpartition(".")
    if not isinstance(path, str) or not dot or not Path(path).is_file():
        return name
    return f"{stem}.{_version(Path(path).read_bytes())}.{kind}"


def matches_version(name: str, content: bytes) -> bool:
    """Returns True if the name contains the version of this content."""
    return f".{_version(content)}." in name


def _version(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:DIGEST_LENGTH]


class VersionedStorage(StaticFilesStorage):
    """Used by `{% static %}`. With DEBUG the names have no version, so that changes are visible at once."""

    def url(self, name: str | None) -> str:
        return super().url(versioned(name) if name and not settings.DEBUG else name)


class StaticFilesMiddleware(WhiteNoiseMiddleware):  # type: ignore[misc]  # it comes without types
    """Serves files under both names. Responses to versioned names are immutable."""

    def add_files_from_finders(self) -> None:
        super().add_files_from_finders()
        for name in [address.removeprefix(self.static_prefix) for address in self.files]:
            if path := finders.find(name):
                self.add_file_to_dictionary(f"{self.static_prefix}{versioned(name)}", path)

    def candidate_paths_for_url(self, url: str) -> Iterator[str]:
        yield from super().candidate_paths_for_url(unversioned(url))

    def __call__(self, request: HttpRequest) -> HttpResponse:
        is_ours = request.path_info.startswith(self.static_prefix)
        if is_ours and not self.autorefresh and request.path_info not in self.files:
            request.path_info = unversioned(request.path_info)
        answer: HttpResponse = super().__call__(request)
        return answer
