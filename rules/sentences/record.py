"""What a reader of records can find wrong before anything is judged."""

from collections.abc import Mapping
from types import MappingProxyType

from rules.sentences.kinds import Sentence

RECORD: Mapping[str, Sentence] = MappingProxyType({})
