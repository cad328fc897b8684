"""The digest of a token. The database stores digests, so a copy of it opens nothing."""

import hashlib


def digest(token: str) -> str:
    """What is stored of a token. 128 random bits need no salt and no slow hash."""
    return hashlib.sha256(token.encode()).hexdigest()
