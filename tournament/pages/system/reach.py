"""The network check (“Can phones reach me?”) with addresses to try, and health checks for machines."""

import time
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import SplitResult

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from redis.exceptions import RedisError

from tournament.pages.system.hall_https import base_address, hall_context
from tournament.queries.readiness import health
from tournament.web.addresses import is_this_computer, listens_at, network_addresses
from tournament.web.qr_codes import qr_picture

VISITOR_KEY = "reach:visitor"
REMEMBERED_SECONDS = 600
USUAL_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class PhoneAddress:
    """An address to try with a phone, as text and QR code. `is_open`: this computer listens there."""

    address: str
    picture: str
    is_open: bool


@never_cache
@require_safe
def reach(request: HttpRequest) -> HttpResponse:
    visitor = str(request.META.get("REMOTE_ADDR", ""))
    at_laptop = is_this_computer(visitor)
    _remember(visitor, at_laptop=at_laptop)
    ways = _phone_addresses(request) if at_laptop else []
    context = {
        "at_laptop": at_laptop,
        "visitor": visitor,
        "here": f"{request.scheme}://{request.get_host()}",
        "ways": ways,
        "is_open": any(way.is_open for way in ways),
        "is_public": bool(settings.PUBLIC_URL),
        "seen": _last_visitor() if at_laptop else "",
        **hall_context(),
    }
    return render(request, "public/reach.html", context)


@never_cache
@require_safe
def reach_check(request: HttpRequest) -> HttpResponse:
    """Returns the visitor's address as JSON; at the laptop itself also the address of the last phone."""
    visitor = str(request.META.get("REMOTE_ADDR", ""))
    at_laptop = is_this_computer(visitor)
    _remember(visitor, at_laptop=at_laptop)
    return JsonResponse({"you": visitor, "seen": _last_visitor() if at_laptop else ""})


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """Returns 200 if this process answers. Checks nothing else."""
    return HttpResponse("ok\n", content_type="text/plain")


@never_cache
@require_safe
def readyz(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """Returns 200 if results can be saved, else 503, and the state of database, disk and broker."""
    readiness = health()
    return JsonResponse(
        {
            "ready": readiness.is_ready,
            "says": readiness.says,
            "database": readiness.database,
            "writable": readiness.database and readiness.is_writable,
            "tables": readiness.tables.value,
            "broker": readiness.broker,
            "oldest_result_waiting_seconds": readiness.oldest_waiting,
        },
        status=200 if readiness.is_ready else 503,
    )


def _remember(visitor: str, *, at_laptop: bool) -> None:
    if visitor and not at_laptop:
        with suppress(RedisError):
            cache.set(VISITOR_KEY, {"address": visitor, "at": int(time.time())}, REMEMBERED_SECONDS)


def _last_visitor() -> str:
    """Empty on a public server, whose visitors are not phones in this hall."""
    if settings.PUBLIC_URL:
        return ""
    with suppress(RedisError):
        seen = cache.get(VISITOR_KEY)
        return str(seen["address"]) if seen else ""
    return ""


def _phone_addresses(request: HttpRequest) -> list[PhoneAddress]:
    """Returns the address in use if phones can use it, then every address of this computer in the network."""
    if settings.PUBLIC_URL:
        return [_phone_address(settings.PUBLIC_URL, is_open=True)]
    used = base_address(request)
    if settings.HALL_HTTPS and used.scheme == "https":
        return [_phone_address(settings.HALL_HTTPS, is_open=True)]
    name, addresses = used.hostname or "", network_addresses()
    is_own = name in addresses or name == "localhost" or is_this_computer(name)
    ways = [] if is_own else [_phone_address(used.geturl(), is_open=True)]
    port = int(request.META["SERVER_PORT"])
    return ways + [
        _phone_address(_at(used, address, port), is_open=listens_at(address, port)) for address in addresses
    ]


def _at(used: SplitResult, address: str, port: int) -> str:
    """Returns the address with the port that this computer listens at, which a proxy may hide from the request."""
    is_usual = port == USUAL_PORTS.get(used.scheme)
    return used._replace(netloc=address if is_usual else f"{address}:{port}").geturl()


def _phone_address(address: str, *, is_open: bool) -> PhoneAddress:
    return PhoneAddress(address, qr_picture(f"{address}/reach/"), is_open)
