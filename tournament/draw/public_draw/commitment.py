"""A draw that nobody can steer: a secret kept until afterwards, and chance that comes from the hall.

The secret is made, and its hash shown, before entries close; whoever knows the secret can no longer change it. After
entries close the hash of the entry list is shown, and then dice are thrown in the hall (or any public number is
taken) that nobody could know before. All of it together gives the seed text of the draw, so neither the director, who
knows the secret, nor whoever throws the dice, who does not, can choose a draw. The secret is published with the draw.

Written down so that a stranger can do it again with any program; every hash is a SHA-256 in 64 hexadecimal digits,
letters small:

1. The secret is 32 random bytes, written as 64 hexadecimal digits, letters small. The secret hash is the hash of
   these 64 characters: `printf %s SECRET | sha256sum`.
2. The public text is what was thrown, with one space between its parts and none around: `31 52 66`.
3. The entry list is a text in UTF-8. Each line ends with a line feed, and its parts are separated by one tab; of
   anything typed, words have one space between them and none around. The first line is the rules of the draw: `byes`,
   who has the byes (`top_seeds`, `lottery`, `balanced_lottery`, `by_hand`), where seeds stand (`fixed`, `drawn`), who
   is kept apart (`none`, `club`, `country`, `team`), in how many rounds, and the ids of those given a bye by hand,
   separated by commas. Then each entry in the order of registration: id, seed number or `-`, club, country, team. Ids
   have neither spaces nor commas. The entries hash is the hash of this text.
4. The seed text of draw number n is the hash of five lines separated, not ended, by a line feed: `backgammon draw v1`,
   the secret, the public text, the entries hash, n in decimal digits.
5. From there on `chance` and the recipe `order` say how the draw is made.

A draw made again needs a new secret and new dice: whoever knows the old ones could know the new draw before asking for
it. Making a secret up, and keeping it, is not done here. None of these steps may ever change.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256

from tournament.draw.recipes.order_rules import Entrant, OrderRules, normalize_spaces

HEADING = "backgammon draw v1"
LONGEST_PUBLIC_TEXT = 100
_SECRET = re.compile(r"[0-9a-f]{64}")
_CUTS = re.compile(r"[\s,]")


class CommitmentError(ValueError):
    """This cannot be mixed into a draw; the message says why."""


def secret_hash(secret: str) -> str:
    """What is shown before entries close. Raises CommitmentError for anything but 64 small hexadecimal digits."""
    if not _SECRET.fullmatch(secret):
        raise CommitmentError("A secret is 64 hexadecimal digits, letters small.")
    return _hash(secret)


def public_text(typed: str) -> str:
    """What was thrown in the hall as it goes into the draw. Raises CommitmentError for nothing and for too much."""
    text = normalize_spaces(typed)
    if not text:
        raise CommitmentError("Throw dice in the hall and type them in first.")
    if len(text) > LONGEST_PUBLIC_TEXT:
        raise CommitmentError(f"Type in {LONGEST_PUBLIC_TEXT} characters at most.")
    return text


def entries_text(entrants: Sequence[Entrant[str]], rules: OrderRules[str]) -> str:
    """The rules of the draw and the entries in the order of registration, as they are hashed.

    Raises CommitmentError for an id that could be read in two ways.
    """
    if any(_CUTS.search(entrant.entry) or not entrant.entry for entrant in entrants):
        raise CommitmentError("Ids of entries have neither spaces nor commas.")
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
    """What is shown once entries are closed, before the dice are thrown."""
    return _hash(entries_text(entrants, rules))


def seed_text(secret: str, public: str, entries: str, number: int) -> str:
    """The seed text of draw `number`; `entries` is the entries hash. Raises CommitmentError as the others do."""
    secret_hash(secret)
    return _hash("\n".join((HEADING, secret, public_text(public), entries, str(number))))


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()
