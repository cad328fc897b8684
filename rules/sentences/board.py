"""What can be wrong with one play, and why a position cannot be."""

from collections.abc import Mapping
from types import MappingProxyType

from rules.sentences.kinds import Sentence

BOARD: Mapping[str, Sentence] = MappingProxyType({})
