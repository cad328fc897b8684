"""How often one token may ask. Per token, not per address: a whole hall shares one address.

While the cache is away everybody is let through: a full hall matters more than a greedy program.
"""

import logging
from typing import TYPE_CHECKING

from redis.exceptions import RedisError
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from tournament.access import digest
from tournament.actors import Actor

if TYPE_CHECKING:
    from rest_framework.views import APIView

log = logging.getLogger(__name__)


class PerToken(SimpleRateThrottle):
    """Strangers only read public pages and are not counted."""

    scope = "token"
    rate = "1200/min"

    def get_rate(self) -> str:
        return self.rate

    def get_cache_key(self, request: Request, view: "APIView") -> str | None:  # noqa: ARG002
        actor = request.user
        if not isinstance(actor, Actor):
            return None
        who = f"link-{actor.link.pk}" if actor.link else f"user-{actor.user.pk if actor.user else 0}"
        return self.cache_format % {"scope": self.scope, "ident": digest(who)}

    def allow_request(self, request: Request, view: "APIView") -> bool:
        try:
            return bool(super().allow_request(request, view))
        except RedisError as error:
            log.warning("requests are not counted while the cache is away: %s", error)
            return True
