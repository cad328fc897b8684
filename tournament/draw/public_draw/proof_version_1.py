"""Version 1 of the proof of a public draw: a secret that is fixed in advance, and public dice thrown in the hall.

The hash of the secret is published before entries close, so the secret cannot be changed afterwards. After entries
close the hash of the entry list is published. Then dice are thrown in the hall, or another public number is taken that
could not be known before. Together they give the seed text of the draw. The director knows the secret but not the dice,
and the person who throws the dice does not know the secret, so nobody can choose a draw. The secret is published with
the draw.

Written down so that a stranger can do it again with any program; every hash is a SHA-256 in 64 hexadecimal digits,
letters small:

1. The secret is 32 random bytes, written as 64 hexadecimal digits, letters small. The secret hash is the hash of
   these 64 characters: `printf %s SECRET | sha256sum`.
2. The public text is what was thrown, with one space between its parts and none around: `31 52 66`.
3. The entry list is a text in UTF-8. Each line ends with a line feed, and its parts are separated by one tab. Typed
   texts have one space between words and none around. The first line is the rules of the draw: the byes
   (`top_seeds`, `lottery`, `balanced_lottery`, `by_hand`), the lines of seeds (`fixed`, `drawn`), the separation
   (`none`, `club`, `country`, `team`), its number of rounds, and the ids with a bye by hand, separated by commas.
   Then each entry in the order of registration: id, seed number or `-`, club, country, team. Ids
   have neither spaces nor commas. The entries hash is the hash of this text.
4. The seed text of draw number n is the hash of five lines separated, not ended, by a line feed: `backgammon draw v1`,
   the secret, the public text, the entries hash, n in decimal digits.
5. From there on `chance` and the recipe `order` define the draw.

A repeated draw needs a new secret and new dice, because the old ones would reveal the new draw in advance. This module
does not generate or store secrets. None of these steps may ever change.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256

from rules.translation import gettext_noop
from tournament.draw.recipes.order_rules import Entrant, OrderRules, normalize_spaces
from tournament.draw.sentence_error import SentenceError

HEADING = "backgammon draw v1"
LONGEST_PUBLIC_TEXT = 100
_SECRET = re.compile(r"[0-9a-f]{64}")
_CUTS = re.compile(r"[\s,]")


class CommitmentError(SentenceError):
    """This cannot be part of a public draw. The message says why."""


def secret_hash(secret: str) -> str:
    """Returns the hash that is published before entries close.

    Raises CommitmentError unless it is 64 small hex digits.
    """
    if not _SECRET.fullmatch(secret):
        raise CommitmentError(gettext_noop("A secret is 64 hexadecimal digits, letters small."))
    return _hash(secret)


def public_text(typed: str) -> str:
    """Returns the normalised text of the public dice. Raises CommitmentError if it is empty or too long."""
    text = normalize_spaces(typed)
    if not text:
        raise CommitmentError(gettext_noop("Throw dice in the hall and type them in first."))
    if len(text) > LONGEST_PUBLIC_TEXT:
        raise CommitmentError(gettext_noop("Type in {most} characters at most."), most=LONGEST_PUBLIC_TEXT)
    return text


def entries_text(entrants: Sequence[Entrant[str]], rules: OrderRules[str]) -> str:
    """Returns the text that is hashed: the rules of the draw and the entries in the order of registration.

    Raises CommitmentError for an ambiguous id.
    """
    if any(_CUTS.search(entrant.entry) or not entrant.entry for entrant in entrants):
        raise CommitmentError(gettext_noop("Ids of entries have neither spaces nor commas."))
    heading = (
        "byes",
        rules.byes.value,
        rules.seeded_lines.value,
        rules.separate.value,
        str(rules.protected_rounds),
        ",".join(rules.by_hand),
    )
    lines = [heading, *(_line(entrant) for entrant in entrants)]
    return "".join("\t".join(line) + "\n" for line in lines)


def _line(entrant: Entrant[str]) -> tuple[str, ...]:
    seed = "-" if entrant.seed is None else str(entrant.seed)
    return (entrant.entry, seed, *map(normalize_spaces, (entrant.club, entrant.country, entrant.team)))


def entries_hash(entrants: Sequence[Entrant[str]], rules: OrderRules[str]) -> str:
    """Returns the hash that is published after entries close and before the dice are thrown."""
    return _hash(entries_text(entrants, rules))


def seed_text(secret: str, public: str, entries: str, number: int) -> str:
    """Returns the seed text of draw `number`. `entries` is the entries hash. Raises CommitmentError."""
    secret_hash(secret)
    return _hash("\n".join((HEADING, secret, public_text(public), entries, str(number))))


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()
