"""Selects the tables of an archive and encodes their values. Touches neither files nor databases."""

import base64
from collections.abc import Sequence
from typing import Any, Protocol

from django.db import models

FORMAT = 1
APPS = ("auth", "matches", "tournament")
EXCLUDED = {"auth.permission", "auth.group", "tournament.session"}


class Apps(Protocol):
    """A registry of models, of this release or an older one."""

    def get_models(self) -> Sequence[type[models.Model]]: ...


class NotAnArchive(ValueError):
    """The file is not an archive, is truncated, or comes from a newer release. The message says which."""


def tables(apps: Apps) -> dict[str, type[models.Model]]:
    """Returns the archived models by label, sorted by label."""
    own = [model for model in apps.get_models() if model._meta.app_label in APPS]
    named = {model._meta.label_lower: model for model in own if not model._meta.proxy}
    return {name: named[name] for name in sorted(named) if name not in EXCLUDED}


def fields_of(model: type[models.Model]) -> list["models.Field[Any, Any]"]:
    return list(model._meta.concrete_fields)


def batch_size(model: type[models.Model]) -> int:
    """Returns how many rows are held in memory at a time: few for rows that hold a file of several megabytes."""
    return 10 if any(isinstance(field, models.BinaryField) for field in fields_of(model)) else 500


def encode(field: "models.Field[Any, Any]", row: models.Model) -> Any:
    """Returns the value for the file as JSON. `decode` is the inverse on any database."""
    value = field.value_from_object(row)
    if value is None or isinstance(field, models.JSONField):
        return value
    if isinstance(field, models.BinaryField):
        return base64.b64encode(bytes(value)).decode()
    return value if isinstance(value, bool | int | str) else field.value_to_string(row)


def decode(field: "models.Field[Any, Any]", value: Any) -> Any:
    if value is None or isinstance(field, models.JSONField):
        return value
    if isinstance(field, models.BinaryField):
        return base64.b64decode(value)
    target = field.target_field if isinstance(field, models.ForeignKey) else field
    return target.to_python(value)
