"""Digests of tokens. The database stores digests only, so a copy of it grants no access."""

import hashlib


def digest(token: str) -> str:
    """Needs no salt and no slow hash, because a token has 128 random bits."""
    return hashlib.sha256(token.encode()).hexdigest()
