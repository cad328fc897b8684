"""Rows read as plain values where there are thousands of them: whatever stands in many of them is made once.

SQLite knows no ids and no truth: Django makes each of them anew out of text or a number, which took as long as all the
rest of showing a large table. No JSON here, for what is shared must not change. Reads only.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import connections
from django.db.models import QuerySet, UUIDField
from django.db.models.sql.constants import MULTI

Converters = Mapping[int, tuple[Sequence[Any], Any]]


def query_values(query: QuerySet[Any, Any]) -> list[tuple[Any, ...]]:
    """What this `values_list` finds, at once."""
    compiler = query.query.get_compiler(using=query.db)
    rows = [row for chunk in compiler.execute_sql(MULTI) for row in chunk]
    columns = [column[0] for column in compiler.select]
    return converted(rows, compiler.get_converters(columns), connections[query.db])


def converted(
    rows: Sequence[tuple[Any, ...]], converters: Converters, connection: Any
) -> list[tuple[Any, ...]]:
    """Rows as a database gave them, as Python has them."""
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
