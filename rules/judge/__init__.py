"""Judges game records. Import from here."""

from rules.judge.claims import with_stated_rules
from rules.judge.faults import Fault, faults, sources
from rules.judge.match import AS_RECORDED, judge
from rules.judge.turns import turns, turns_with_problems
from rules.judge.verdict import JudgedGame, Turn, Verdict

__all__ = [
    "AS_RECORDED",
    "Fault",
    "JudgedGame",
    "Turn",
    "Verdict",
    "faults",
    "judge",
    "sources",
    "turns",
    "turns_with_problems",
    "with_stated_rules",
]
