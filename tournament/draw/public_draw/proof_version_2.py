"""Version 2 of the proof of a public draw: the closing of entries before the dice are thrown.

Written down so that a stranger can do it again with any program; every hash is a SHA-256 in 64 hexadecimal digits,
letters small:

1. The secret and its hash are those of `proof_version_1`.
2. The closing is a JSON object: number of the draw, secret hash, times, the public source, format, rules, entries,
   and every closing before it that was reopened. Each entry has its id, the hash of its name, seed, club, country and
   team; all in the order of registration. The hash of a name is that of the id, a line feed, and the name.
3. The entries hash is the hash of the closing as text: keys sorted, no spaces, letters outside ASCII not escaped, in
   UTF-8. In Python: `json.dumps(closing, sort_keys=True, separators=(",", ":"), ensure_ascii=False)`.
4. The public text is the canonical text of `public_chance`.
5. The seed text of the draw is the hash of five lines separated, not ended, by a line feed: `backgammon draw v2`, the
   secret, the public text, the entries hash, the number of the draw in decimal digits.

None of these steps may ever change.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from typing import Any

from tournament.draw.public_draw.proof_version_1 import secret_hash
from tournament.draw.public_draw.public_chance import PublicChance
from tournament.draw.recipes.order_rules import Entrant, OrderRules, normalize_spaces

HEADING = "backgammon draw v2"


@dataclass(frozen=True, slots=True)
class Reopening:
    """A closing that was reopened, with time and reason."""

    number: int
    closed_at: str
    entries_hash: str
    reopened_at: str
    reason: str


@dataclass(frozen=True, slots=True)
class Closing:
    """All data behind the entries hash. `layout` is the version of the format's layouts.

    `names` maps entry ids to names; only the hash of each name is published. Times are texts in ISO 8601, UTC.
    """

    draw: int
    secret_hash: str
    committed_at: str
    closed_at: str
    public: PublicChance
    format_json: Mapping[str, Any]
    layout: int
    rules: OrderRules[str]
    byes_reason: str
    entrants: Sequence[Entrant[str]]
    names: Mapping[str, str]
    reopenings: Sequence[Reopening] = field(default_factory=tuple)

    def as_json(self) -> dict[str, Any]:
        """Returns the closing that is hashed, stored and published."""
        return {
            "draw": self.draw,
            "secret_hash": self.secret_hash,
            "committed_at": self.committed_at,
            "closed_at": self.closed_at,
            "public": self.public.as_json(),
            "played": dict(self.format_json),
            "layout": self.layout,
            "rules": {
                "byes": self.rules.byes.value,
                "seeded_lines": self.rules.seeded_lines.value,
                "separate": self.rules.separate.value,
                "protected_rounds": self.rules.protected_rounds,
                "by_hand": list(self.rules.by_hand),
                "byes_reason": self.byes_reason,
            },
            "entries": [self._entry(entrant) for entrant in self.entrants],
            "reopened": [asdict(reopening) for reopening in self.reopenings],
        }

    def _entry(self, entrant: Entrant[str]) -> dict[str, Any]:
        values = asdict(entrant)
        key = values.pop("entry")
        return {"id": key, "name_hash": name_hash(key, self.names[key])} | values


def closing_hash(closing: Mapping[str, Any]) -> str:
    """Returns the entries hash. It is published after entries close and before the dice are thrown."""
    return _hash(json.dumps(closing, sort_keys=True, separators=(",", ":"), ensure_ascii=False))


def name_hash(entry: str, name: str) -> str:
    """Commits to a name without showing it. The id makes the hash differ from draw to draw."""
    return _hash(f"{entry}\n{normalize_spaces(name)}")


def seed_text(secret: str, public: str, entries_hash: str, number: int) -> str:
    """Returns the seed text of draw `number`.

    `public` is the canonical text. Raises CommitmentError for an invalid secret.
    """
    secret_hash(secret)
    return _hash("\n".join((HEADING, secret, public, entries_hash, str(number))))


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()
