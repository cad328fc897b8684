"""Statements that are asked with every game and every result: their SQL is made once and asked again with other ids.

A query set makes its SQL anew each time it is asked, which takes longer than most databases take to answer. Only for
one shape of rows again and again: reading by ids and words, writing rows whose fields are plain values.
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
Kept = TypeVar("Kept", bound=models.Model)
Value = uuid.UUID | str | int
# Values that stand nowhere else in a statement, so that their places are found again.
STAND_INS: dict[type, Callable[[int], Value]] = {
    uuid.UUID: lambda place: uuid.UUID(int=place, version=4),
    str: lambda place: f"stand-in {place}",
    int: lambda place: 31_300 + place,
}


@dataclass(frozen=True, slots=True)
class _Models:
    """What makes whole rows of an answer."""

    model: Any
    names: list[str]
    width: slice
    populators: list[Any]
    annotations: dict[str, int]


@dataclass(frozen=True, slots=True)
class _Made:
    """The SQL, its parameters with the places of what is asked for, and what makes rows of the answer; `models` is
    None where values are asked for."""

    sql: str
    parameters: tuple[Any, ...]
    places: dict[int, int]
    compiler: Any
    converters: dict[int, Any]
    models: _Models | None


class Statement(Generic[Row]):
    """What `asks`, given ids or words, would ask by itself: whole rows, with `select_related` and annotations, or the
    values of a `values_list`."""

    def __init__(self, asks: Callable[..., QuerySet[Any, Row]]) -> None:
        self._asks = asks
        self._made: dict[str, _Made] = {}

    def all(self, *values: Value) -> list[Row]:
        connection = connections[DEFAULT_DB_ALIAS]
        made = self._made.get(connection.vendor) or self._make(connection, values)
        parameters = list(made.parameters)
        for place, number in made.places.items():
            parameters[place] = _as_stored(type(parameters[place]), values[number])
        with connection.cursor() as cursor:
            cursor.execute(made.sql, parameters)
            found = cursor.fetchall()
        if made.models is None:
            return cast("list[Row]", converted(found, made.converters, connection))
        return list(_rows(made, made.models, found)) if found else []

    def first(self, *values: Value) -> Row | None:
        """One of the rows; the statement itself says which, or is sure that there is only one."""
        return next(iter(self.all(*values)), None)

    def _make(self, connection: Any, values: tuple[Value, ...]) -> _Made:
        stand_ins = [STAND_INS[type(value)](number) for number, value in enumerate(values, start=1)]
        compiler = self._asks(*stand_ins).query.get_compiler(using=connection.alias)
        sql, parameters = compiler.as_sql()
        known = {_told(stand_in): number for number, stand_in in enumerate(stand_ins)}
        made = self._made[connection.vendor] = _Made(
            sql=sql,
            parameters=tuple(parameters),
            places={at: known[_told(one)] for at, one in enumerate(parameters) if _told(one) in known},
            compiler=compiler,
            converters=compiler.get_converters([column[0] for column in compiler.select]),
            models=_models_of(compiler, connection) if compiler.query.default_cols else None,
        )
        return made


Fields = Sequence["models.Field[Any, Any]"]


class Insertion(Generic[Kept]):
    """Writes a new row with all its fields, as `save(force_insert=True)` does; a number that the database gives it is
    not asked for."""

    def __init__(self, model: type[Kept]) -> None:
        self._model = model
        meta = model._meta
        self._fields: Fields = [one for one in meta.local_concrete_fields if one is not meta.auto_field]
        self._sql: dict[str, str] = {}

    def write(self, row: Kept) -> None:
        connection = connections[DEFAULT_DB_ALIAS]
        sql = self._sql.get(connection.vendor) or self._make(connection)
        with connection.cursor() as cursor:
            cursor.execute(sql, _prepared(connection, row, self._fields, adding=True))
        row._state.adding, row._state.db = False, connection.alias

    def _make(self, connection: Any) -> str:
        quoted, values = connection.ops.quote_name, ", ".join(["%s"] * len(self._fields))
        columns = ", ".join(quoted(str(field.column)) for field in self._fields)
        table = quoted(self._model._meta.db_table)
        sql = self._sql[connection.vendor] = f"INSERT INTO {table} ({columns}) VALUES ({values})"  # noqa: S608
        return sql


class Update(Generic[Kept]):
    """Writes these fields of a row that is there, as `save(update_fields=...)` does."""

    def __init__(self, model: type[Kept], names: Sequence[str]) -> None:
        self._model = model
        self._fields: Fields = [model._meta.get_field(name) for name in names]  # type: ignore[misc]
        self._sql: dict[str, str] = {}

    def write(self, row: Kept) -> None:
        """Raises DatabaseError when the row is gone."""
        connection, fields = connections[DEFAULT_DB_ALIAS], [*self._fields, self._model._meta.pk]
        sql = self._sql.get(connection.vendor) or self._make(connection)
        with connection.cursor() as cursor:
            cursor.execute(sql, _prepared(connection, row, fields, adding=False))
            if cursor.rowcount != 1:
                raise DatabaseError(f"There is no {self._model.__name__} {row.pk} to write on.")

    def write_all(self, rows: Sequence[Kept]) -> None:
        """The same of many, for what one long statement with a case for each of them would take most of the time to
        put together. Raises DatabaseError when one is gone."""
        connection, fields = connections[DEFAULT_DB_ALIAS], [*self._fields, self._model._meta.pk]
        sql = self._sql.get(connection.vendor) or self._make(connection)
        with connection.cursor() as cursor:
            cursor.executemany(sql, [_prepared(connection, row, fields, adding=False) for row in rows])
            if rows and cursor.rowcount != len(rows):
                raise DatabaseError(f"There is not every {self._model.__name__} there to write on.")

    def _make(self, connection: Any) -> str:
        quoted, meta = connection.ops.quote_name, self._model._meta
        settings = ", ".join(f"{quoted(str(field.column))} = %s" for field in self._fields)
        key = quoted(str(meta.pk.column))
        sql = self._sql[connection.vendor] = f"UPDATE {quoted(meta.db_table)} SET {settings} WHERE {key} = %s"  # noqa: S608
        return sql


def _models_of(compiler: Any, connection: Any) -> _Models:
    info = compiler.klass_info
    width = slice(info["select_fields"][0], info["select_fields"][-1] + 1)
    return _Models(
        model=info["model"],
        names=[column[0].target.attname for column in compiler.select[width]],
        width=width,
        populators=get_related_populators(info, compiler.select, connection.alias),  # type: ignore[call-arg]
        annotations=dict(compiler.annotation_col_map),
    )


def _rows(made: _Made, models: _Models, found: list[Any]) -> Iterator[Any]:
    for values in made.compiler.apply_converters(found, made.converters) if made.converters else found:
        row = models.model.from_db(DEFAULT_DB_ALIAS, models.names, values[models.width])
        for one in models.populators:
            one.populate(values, row)
        for name, place in models.annotations.items():
            setattr(row, name, values[place])
        yield row


def _prepared(connection: Any, row: models.Model, fields: Fields, *, adding: bool) -> list[Any]:
    return [field.get_db_prep_save(field.pre_save(row, adding), connection) for field in fields]


def _told(value: Any) -> str:
    """The same for an id however a database is given it."""
    return value.hex if isinstance(value, uuid.UUID) else str(value)


def _as_stored(kind: type, value: Value) -> Any:
    if isinstance(value, uuid.UUID):
        return value.hex if kind is str else value
    return kind(value)
