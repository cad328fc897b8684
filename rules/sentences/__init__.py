"""All sentences of the rules by their code."""

from collections.abc import Mapping
from types import MappingProxyType

from rules.sentences.board import BOARD
from rules.sentences.card import CARD
from rules.sentences.judging import JUDGING
from rules.sentences.kinds import Sentence, Severity
from rules.sentences.record import RECORD

SENTENCES: Mapping[str, Sentence] = MappingProxyType({**CARD, **BOARD, **RECORD, **JUDGING})

__all__ = ["SENTENCES", "Sentence", "Severity"]
