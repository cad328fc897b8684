"""Reads the Smart Game Format of backgammon (FF[4] GM[6]), as GNU Backgammon writes it. Import from here."""

from rules.record.sgf.reader import looks_like_sgf, read_sgf

__all__ = ["looks_like_sgf", "read_sgf"]
