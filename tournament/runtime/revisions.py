"""Refuses to overwrite settings that somebody else changed after they were shown."""

import json
import uuid
from collections.abc import Mapping
from typing import Any

from matches.refusals import Refusal
from tournament.runtime.errors import Refused


def revision_of(stored: Mapping[str, Any]) -> str:
    """A digest of the settings, 32 characters."""
    return uuid.uuid5(uuid.NAMESPACE_OID, json.dumps(stored, sort_keys=True)).hex


def refuse_changed_settings(stored: Mapping[str, Any], revision: str, refusal: Refusal) -> None:
    """Raises Refused unless `revision` is that of these settings. An empty `revision` is not checked."""
    if revision and revision != revision_of(stored):
        raise Refused(refusal)
