"""Queries and writes that run with every game and every result, with their SQL compiled once.

Compiling a query set takes longer than most databases take to run it. Only for rows of one shape: reads by ids
and words, writes of rows whose fields are plain values.
"""

import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections, models
from django.db.models import QuerySet
from django.db.models.query import get_related_populators

from matches.values import converted

Row = TypeVar("Row")
StoredRow = TypeVar("StoredRow", bound=models.Model)
Value = uuid.UUID | str | int
# Values that stand nowhere else in a statement, so that their places can be found again.
STAND_INS: dict[type, Callable[[int], Value]] = {
    uuid.UUID: lambda index: uuid.UUID(int=index, version=4),
    str: lambda index: f"stand-in {index}",
    int: lambda index: 31_300 + index,
}


@dataclass(frozen=True, slots=True)
class _RowBuilder:
    """The parts that build model instances from fetched values."""

    model: Any
    names: list[str]
    width: slice
    populators: list[Any]
    annotations: dict[str, int]


@dataclass(frozen=True, slots=True)
class _CompiledSql:
    """The SQL, its parameters with the indexes of the variable ones, and the parts that convert the answer.

    `models` is None for a `values_list`.
    """

    sql: str
    parameters: tuple[Any, ...]
    places: dict[int, int]
    compiler: Any
    converters: dict[int, Any]
    models: _RowBuilder | None


class CompiledQuery(Generic[Row]):
    """Runs the query set that `build_query` returns for ids or words, compiled on the first use.

    Returns model instances, with `select_related` and annotations, or the tuples of a `values_list`.
    """

    def __init__(self, build_query: Callable[..., QuerySet[Any, Row]]) -> None:
        self._build_query = build_query
        self._compiled: dict[str, _CompiledSql] = {}

    def all(self, *values: Value) -> list[Row]:
        connection = connections[DEFAULT_DB_ALIAS]
        compiled = self._compiled.get(connection.vendor) or self._make(connection, values)
        parameters = list(compiled.parameters)
        for index, number in compiled.places.items():
            parameters[index] = _as_parameter(type(parameters[index]), values[number])
        with connection.cursor() as cursor:
            cursor.execute(compiled.sql, parameters)
            fetched = cursor.fetchall()
        if compiled.models is None:
            return cast("list[Row]", converted(fetched, compiled.converters, connection))
        return list(_rows(compiled, compiled.models, fetched)) if fetched else []

    def first(self, *values: Value) -> Row | None:
        """The first row. The query has an order, or at most one row."""
        return next(iter(self.all(*values)), None)

    def _make(self, connection: Any, values: tuple[Value, ...]) -> _CompiledSql:
        stand_ins = [STAND_INS[type(value)](number) for number, value in enumerate(values, start=1)]
        compiler = self._build_query(*stand_ins).query.get_compiler(using=connection.alias)
        sql, parameters = compiler.as_sql()
        number_of = {_parameter_key(stand_in): number for number, stand_in in enumerate(stand_ins)}
        compiled = self._compiled[connection.vendor] = _CompiledSql(
            sql=sql,
            parameters=tuple(parameters),
            places={
                index: number_of[_parameter_key(parameter)]
                for index, parameter in enumerate(parameters)
                if _parameter_key(parameter) in number_of
            },
            compiler=compiler,
            converters=compiler.get_converters([column[0] for column in compiler.select]),
            models=_row_builder_for(compiler, connection) if compiler.query.default_cols else None,
        )
        return compiled


Fields = Sequence["models.Field[Any, Any]"]


class RowInsert(Generic[StoredRow]):
    """Inserts a row with all its fields, like `save(force_insert=True)`. An automatic id is not read back."""

    def __init__(self, model: type[StoredRow]) -> None:
        self._model = model
        meta = model._meta
        self._fields: Fields = [field for field in meta.local_concrete_fields if field is not meta.auto_field]
        self._sql: dict[str, str] = {}

    def write(self, row: StoredRow) -> None:
        connection = connections[DEFAULT_DB_ALIAS]
        sql = self._sql.get(connection.vendor) or self._make(connection)
        with connection.cursor() as cursor:
            cursor.execute(sql, _column_values(connection, row, self._fields, adding=True))
        row._state.adding, row._state.db = False, connection.alias

    def _make(self, connection: Any) -> str:
        quoted, values = connection.ops.quote_name, ", ".join(["%s"] * len(self._fields))
        columns = ", ".join(quoted(str(field.column)) for field in self._fields)
        table = quoted(self._model._meta.db_table)
        sql = self._sql[connection.vendor] = f"INSERT INTO {table} ({columns}) VALUES ({values})"  # noqa: S608
        return sql


class RowUpdate(Generic[StoredRow]):
    """Updates these fields of an existing row, like `save(update_fields=...)`."""

    def __init__(self, model: type[StoredRow], names: Sequence[str]) -> None:
        self._model = model
        self._fields: Fields = [model._meta.get_field(name) for name in names]  # type: ignore[misc]
        self._sql: dict[str, str] = {}

    def write(self, row: StoredRow) -> None:
        """Raises DatabaseError when the row is gone."""
        connection, fields = connections[DEFAULT_DB_ALIAS], [*self._fields, self._model._meta.pk]
        sql = self._sql.get(connection.vendor) or self._make(connection)
        with connection.cursor() as cursor:
            cursor.execute(sql, _column_values(connection, row, fields, adding=False))
            if cursor.rowcount != 1:
                raise DatabaseError(f"There is no {self._model.__name__} {row.pk} to write on.")

    def write_all(self, rows: Sequence[StoredRow]) -> None:
        """Updates many rows with one short statement each. Raises DatabaseError if a row is gone.

        A single statement with a case for each row is slower to build than to run.
        """
        connection, fields = connections[DEFAULT_DB_ALIAS], [*self._fields, self._model._meta.pk]
        sql = self._sql.get(connection.vendor) or self._make(connection)
        with connection.cursor() as cursor:
            cursor.executemany(sql, [_column_values(connection, row, fields, adding=False) for row in rows])
            if rows and cursor.rowcount != len(rows):
                raise DatabaseError(f"There is not every {self._model.__name__} there to write on.")

    def _make(self, connection: Any) -> str:
        quoted, meta = connection.ops.quote_name, self._model._meta
        settings = ", ".join(f"{quoted(str(field.column))} = %s" for field in self._fields)
        key = quoted(str(meta.pk.column))
        sql = self._sql[connection.vendor] = f"UPDATE {quoted(meta.db_table)} SET {settings} WHERE {key} = %s"  # noqa: S608
        return sql


def _row_builder_for(compiler: Any, connection: Any) -> _RowBuilder:
    info = compiler.klass_info
    width = slice(info["select_fields"][0], info["select_fields"][-1] + 1)
    return _RowBuilder(
        model=info["model"],
        names=[column[0].target.attname for column in compiler.select[width]],
        width=width,
        populators=get_related_populators(info, compiler.select, connection.alias),  # type: ignore[call-arg]
        annotations=dict(compiler.annotation_col_map),
    )


def _rows(compiled: _CompiledSql, models: _RowBuilder, fetched: list[Any]) -> Iterator[Any]:
    for values in (
        compiled.compiler.apply_converters(fetched, compiled.converters) if compiled.converters else fetched
    ):
        row = models.model.from_db(DEFAULT_DB_ALIAS, models.names, values[models.width])
        for populator in models.populators:
            populator.populate(values, row)
        for name, index in models.annotations.items():
            setattr(row, name, values[index])
        yield row


def _column_values(connection: Any, row: models.Model, fields: Fields, *, adding: bool) -> list[Any]:
    return [field.get_db_prep_save(field.pre_save(row, adding), connection) for field in fields]


def _parameter_key(value: Any) -> str:
    """The same key for an id, whatever type the database uses for it."""
    return value.hex if isinstance(value, uuid.UUID) else str(value)


def _as_parameter(kind: type, value: Value) -> Any:
    if isinstance(value, uuid.UUID):
        return value.hex if kind is str else value
    return kind(value)
