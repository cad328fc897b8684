"""The access table contains every URL with all its methods."""

from collections.abc import Iterator

from django.urls import URLPattern, URLResolver, get_resolver

from tests.tournament.access.table import TABLE

VERBS = ("get", "post", "put", "patch", "delete")


def test_every_url_is_in_the_access_table():
    named = {row.name for row in TABLE}
    url_names = {name for name, _ in addresses(get_resolver())}
    assert url_names - named == set()
    assert named - url_names == set()


def test_every_api_method_is_in_the_access_table():
    tried = {(row.name, row.verb) for row in TABLE}
    answered = {
        (name, verb.upper())
        for name, pattern in addresses(get_resolver())
        for verb in VERBS
        if hasattr(getattr(pattern.callback, "cls", None), verb)
    }
    assert answered - tried == set()


def test_url_names_are_unique():
    names = [name for name, _ in addresses(get_resolver())]
    assert sorted(names) == sorted(set(names))


def addresses(resolver: URLResolver, namespace: str = "") -> Iterator[tuple[str, URLPattern]]:
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLResolver):
            inner = f"{namespace}{pattern.namespace}:" if pattern.namespace else namespace
            yield from addresses(pattern, inner)
        else:
            yield f"{namespace}{pattern.name}", pattern
