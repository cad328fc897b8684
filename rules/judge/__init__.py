"""The judge of records. The one door to this package: import from here."""

from rules.judge.claims import as_stated
from rules.judge.following import Fault, faults, sources
from rules.judge.match import AS_RECORDED, judge
from rules.judge.stages import stages, troubled_stages
from rules.judge.verdict import JudgedGame, Stage, Verdict

__all__ = [
    "AS_RECORDED",
    "Fault",
    "JudgedGame",
    "Stage",
    "Verdict",
    "as_stated",
    "faults",
    "judge",
    "sources",
    "stages",
    "troubled_stages",
]
