"""Text match records: what GNU Backgammon calls .mat and most sites and programs write as .txt."""

from rules.record.text.reader import looks_like_text, read_text
from rules.record.text.writer import write_text

__all__ = ["looks_like_text", "read_text", "write_text"]
