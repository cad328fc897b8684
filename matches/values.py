"""Reads thousands of rows as plain tuples and converts each distinct value once.

SQLite has no UUIDs and booleans: Django converts each value from text or a number, which took as long as the
rest of showing a large table. Not for JSON, because shared values must not change.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import connections
from django.db.models import QuerySet, UUIDField
from django.db.models.sql.constants import MULTI

Converters = Mapping[int, tuple[Sequence[Any], Any]]


def query_values(query: QuerySet[Any, Any]) -> list[tuple[Any, ...]]:
    """The rows of this `values_list`."""
    compiler = query.query.get_compiler(using=query.db)
    rows = [row for chunk in compiler.execute_sql(MULTI) for row in chunk]
    columns = [column[0] for column in compiler.select]
    return converted(rows, compiler.get_converters(columns), connections[query.db])


def converted(
    rows: Sequence[tuple[Any, ...]], converters: Converters, connection: Any
) -> list[tuple[Any, ...]]:
    """Database rows as Python values."""
    if not converters or not rows:
        return list(rows)
    columns: list[Iterable[Any]] = list(zip(*rows, strict=True))
    ids: dict[Any, Any] = {}
    for index, (steps, column) in converters.items():
        converted_values = ids if isinstance(column.output_field, UUIDField) else {}
        for value in set(columns[index]) - converted_values.keys():
            converted_values[value] = _converted_value(value, steps, column, connection)
        columns[index] = map(converted_values.__getitem__, columns[index])
    return list(zip(*columns, strict=True))


def _converted_value(value: Any, steps: Sequence[Any], column: Any, connection: Any) -> Any:
    for step in steps:
        value = step(value, column, connection)
    return value
