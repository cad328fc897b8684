"""Text match records: what GNU Backgammon calls .mat and most sites and programs write as .txt."""

from rules.record.text.reader import looks_like_text, read_text

__all__ = ["looks_like_text", "read_text"]
