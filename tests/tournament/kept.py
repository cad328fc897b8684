"""Rows that took many steps to come about, kept to be put down again as they were in the next test of a module.

What is put down has been made by the product a moment ago; nothing here makes a row of its own.
"""

import pickle
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.apps import apps
from django.contrib.auth.models import User
from django.db.models import Model

ROOMS = ("auth", "matches", "tournament")
Made = TypeVar("Made")


@dataclass
class Kept(Generic[Made]):
    """Makes something the first time it is asked for; after that the same rows come back, and a copy of it.

    Where somebody is there already, whose row may have the same number, it is made anew.
    """

    make: Callable[[], Made]
    rows: list[list[Model]] | None = None
    made: bytes = b""

    def again(self) -> Made:
        if self.rows is not None and User.objects.exists():
            return self.make()
        if self.rows is None:
            before = {model: set(_pks(model)) for model in _models()}
            first = self.make()
            self.rows = [list(model._default_manager.exclude(pk__in=pks)) for model, pks in before.items()]
            self.made = pickle.dumps(first)
            return first
        for rows in filter(None, self.rows):
            type(rows[0])._default_manager.bulk_create(rows)
        copy: Made = pickle.loads(self.made)
        return copy


def _models() -> list[type[Model]]:
    return [model for room in ROOMS for model in apps.get_app_config(room).get_models()]


def _pks(model: type[Model]) -> Any:
    return model._default_manager.values_list("pk", flat=True)
