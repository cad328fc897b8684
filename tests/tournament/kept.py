"""Rows that took many steps to come about, kept to be put down again as they were in the next test of a module.

What is put down has been made by the product a moment ago; nothing here makes a row of its own.
"""

import pickle
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import psycopg
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection
from django.db.models import Model

A_MINUTE = 60.0
ROOMS = ("auth", "matches", "tournament")
Made = TypeVar("Made")
Statement = tuple[str, Any]


@dataclass
class Kept(Generic[Made]):
    """Makes something the first time it is asked for; after that the same rows come back, and a copy of it.

    Where somebody is there already, whose row may have the same number or address, it is made for this test alone. It
    is made anew after a minute, or matches would look as if they were late. Statements are made of the rows once, and
    sent to PostgreSQL together.
    """

    make: Callable[[], Made]
    rows: list[list[Model]] | None = None
    statements: list[Statement] | None = None
    made: bytes = b""
    made_at: float = 0.0

    def again(self) -> Made:
        if User.objects.exists():
            return self.make()
        if self.rows is None or time.monotonic() - self.made_at > A_MINUTE:
            return self._anew()
        self._put_down(self.rows)
        copy: Made = pickle.loads(self.made)
        return copy

    def _anew(self) -> Made:
        before = {model: set(_pks(model)) for model in _models()}
        first = self.make()
        self.rows = [list(model._default_manager.exclude(pk__in=pks)) for model, pks in before.items()]
        self.statements = None
        self.made, self.made_at = pickle.dumps(first), time.monotonic()
        return first

    def _put_down(self, rows: list[list[Model]]) -> None:
        if self.statements is None:
            self.statements = _writing(rows)
        else:
            _write(self.statements)


def _writing(rows: list[list[Model]]) -> list[Statement]:
    """Writes these rows; returns what was sent for it."""
    sent: list[Statement] = []

    def note(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
        sent.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        for kind in filter(None, rows):
            type(kind[0])._default_manager.bulk_create(kind)
    return sent if connection.vendor == "sqlite" else [_as_one(sent)]


def _as_one(statements: list[Statement]) -> Statement:
    with _cursor() as cursor:
        return ";\n".join(cursor.mogrify(sql, params) for sql, params in statements), None


def _write(statements: list[Statement]) -> None:
    with _cursor() as cursor:
        for sql, params in statements:
            cursor.execute(sql, params)


def _cursor() -> Any:
    """On PostgreSQL one that takes several commands in one text, which one that prepares them does not."""
    connection.ensure_connection()
    return (
        connection.cursor() if connection.vendor == "sqlite" else psycopg.ClientCursor(connection.connection)
    )


def _models() -> list[type[Model]]:
    return [model for room in ROOMS for model in apps.get_app_config(room).get_models()]


def _pks(model: type[Model]) -> Any:
    return model._default_manager.values_list("pk", flat=True)
