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

DIGITS = 12
NAMED = re.compile(rf"(.+)\.[0-9a-f]{{{DIGITS}}}(\.[^./]+)")


def plain(name: str) -> str:
    """The name, or address, of a file without its version."""
    found = NAMED.fullmatch(name)
    return found[1] + found[2] if found else name


@cache
def named(name: str) -> str:
    """The name of a file with its version; as it is where there is no such file."""
    found = finders.find(name)
    stem, dot, kind = name.rpartition(".")
    if not isinstance(found, str) or not dot or not Path(found).is_file():
        return name
    return f"{stem}.{_version(Path(found).read_bytes())}.{kind}"


def is_true_to_its_name(name: str, content: bytes) -> bool:
    """False where a file was changed since this process began: the next one will call it otherwise."""
    return f".{_version(content)}." in name


def _version(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:DIGITS]


class Named(StaticFilesStorage):
    """What `{% static %}` writes. Who works on the files sees what they changed."""

    def url(self, name: str | None) -> str:
        return super().url(named(name) if name and not settings.DEBUG else name)


class Files(WhiteNoiseMiddleware):  # type: ignore[misc]  # it comes without types
    """Answers for the files under both names; the versioned one may be kept for good."""

    def add_files_from_finders(self) -> None:
        super().add_files_from_finders()
        for name in [address.removeprefix(self.static_prefix) for address in self.files]:
            if found := finders.find(name):
                self.add_file_to_dictionary(f"{self.static_prefix}{named(name)}", found)

    def candidate_paths_for_url(self, url: str) -> Iterator[str]:
        yield from super().candidate_paths_for_url(plain(url))

    def __call__(self, request: HttpRequest) -> HttpResponse:
        is_ours = request.path_info.startswith(self.static_prefix)
        if is_ours and not self.autorefresh and request.path_info not in self.files:
            request.path_info = plain(request.path_info)
        answer: HttpResponse = super().__call__(request)
        return answer
