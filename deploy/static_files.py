"""Style sheets and scripts under names that change with what is in them, so that browsers keep them for good.

Nothing is collected beforehand: a file lies where it lies, and `style.css` is also answered for as
`style.0123456789ab.css`. Whoever comes with the name of another version, from a page of yesterday or of another node,
gets what there is, to keep for a minute.
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
    """The name, or address, of a file without its version."""
    match = VERSIONED.fullmatch(name)
    return match[1] + match[2] if match else name


@cache
def versioned(name: str) -> str:
    """The name of a file with its version; as it is where there is no such file."""
    path = finders.find(name)
    stem, dot, kind = name.rpartition(".")
    if not isinstance(path, str) or not dot or not Path(path).is_file():
        return name
    return f"{stem}.{_version(Path(path).read_bytes())}.{kind}"


def matches_version(name: str, content: bytes) -> bool:
    """False where a file was changed since this process began: the next one will call it otherwise."""
    return f".{_version(content)}." in name


def _version(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:DIGEST_LENGTH]


class VersionedStorage(StaticFilesStorage):
    """What `{% static %}` writes. Who works on the files sees what they changed."""

    def url(self, name: str | None) -> str:
        return super().url(versioned(name) if name and not settings.DEBUG else name)


class StaticFilesMiddleware(WhiteNoiseMiddleware):  # type: ignore[misc]  # it comes without types
    """Answers for the files under both names; the versioned one may be kept for good."""

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
