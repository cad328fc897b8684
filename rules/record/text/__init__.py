"""Text match records: .mat of GNU Backgammon, .txt of most sites and programs. Import from here."""

from rules.record.text.reader import looks_like_text, read_text
from rules.record.text.writer import write_text

__all__ = ["looks_like_text", "read_text", "write_text"]
