"""What can be wrong with a record as a whole: its turns, its cube, its games, its claims."""

from collections.abc import Mapping
from types import MappingProxyType

from rules.sentences.kinds import Sentence

JUDGING: Mapping[str, Sentence] = MappingProxyType({})
