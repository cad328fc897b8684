"""Uploaded files: records of a match to 3 that the left player wins 3-0, and files that are no records."""

import random
from pathlib import Path

FOLDER = Path(__file__).parent / "data"
CLEAN = (FOLDER / "clean_to_3.mat").read_bytes()
WRONG = (FOLDER / "wrong_to_3.mat").read_bytes()
LEFT_COLUMN, RIGHT_COLUMN = "gnubg", "root"

HOSTILE = {
    "noughts": bytes(100_000),
    "every byte": bytes(range(256)) * 400,
    "a broken letter": b" 3 point match\n\n Game 1\n a\x00\xed\xa0\x80 : 0     b\xff\xfe : 0\n  1) 31: 8/5 6/5\n",
    "brackets without end": b"(" * 200_000,
    "an archive": b"PK\x03\x04" + random.Random(1).randbytes(4000),
    "a page": b"<script>alert(1)</script>" * 1000,
    "a figure of 5000 digits": b" " + b"9" * 5000 + b" point match\n\n Game 1\n a : 0   b : 0\n  1) 31: 8/5 6/5\n",
    "half a record": CLEAN[:700],
    "no line ends": CLEAN.replace(b"\n", b" "),
    "one long line": b"1) 31: 8/5 6/5 " * 20_000,
    "deep JSON": b'{"games": ' + b"[" * 50_000,
}  # fmt: skip


def named(left: str, right: str, record: bytes = CLEAN) -> bytes:
    """The record with these names over its columns."""
    score = f" {LEFT_COLUMN} : 0                      {RIGHT_COLUMN} : 0".encode()
    assert score in record
    return record.replace(score, f" {left} : 0".ljust(32).encode() + f"{right} : 0".encode())
