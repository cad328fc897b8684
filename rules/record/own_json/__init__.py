"""Reads and writes our own JSON of a record. Schema: `rules/record/record.schema.json`. Import from here."""

from rules.record.own_json.reading import looks_like_json, read_json
from rules.record.own_json.writing import write_json

__all__ = ["looks_like_json", "read_json", "write_json"]
