"""Live streams by the thousand: when each is told of one change, and of many at the same moment; what one costs."""

import time
import uuid
from concurrent.futures import ThreadPoolExecutor

from deploy.bench.answers import BadAnswer
from deploy.bench.crowd import Crowd
from deploy.bench.figures import Figures
from deploy.bench.memory import megabytes
from deploy.bench.reading.marks import Figure, Sizes
from deploy.bench.reading.stand import LENGTH, Stand, seen
from tournament.models import Pairing, Result
from tournament.rehearsal.wire import Wire

EVENT_SECONDS = 0.2
SETTLE_SECONDS = 60.0


def streams_of(stand: Stand, sizes: Sizes) -> dict[str, Figure]:
    many = sizes.streams
    before = megabytes(stand.ground.parts).get("MB web", 0.0)
    with Crowd(stand.ground.parts.url, str(stand.bracket.pk), many) as crowd:
        time.sleep(1)
        kilobytes = (megabytes(stand.ground.parts).get("MB web", 0.0) - before) * 1024 / many
        first = stand.bracket.version + 1
        events = []
        for version in range(first, first + sizes.events):
            events.append((stand.tell(version), version))
            time.sleep(EVENT_SECONDS)
        time.sleep(1)
        seen = crowd.seen(events)
        broken = crowd.saw.broken
    told: dict[str, Figure] = {
        f"told to {many} streams": Figures.of(seen),
        f"never told to {many} streams": float(len(events) * many - len(seen) + broken),
    }
    if before:
        told["memory of a stream, kB"] = round(kilobytes, 1)
    return told | _at_once(stand, sizes)


def _at_once(stand: Stand, sizes: Sizes) -> dict[str, Figure]:
    """Every open match is confirmed in the same moment; when each spectator was told of the last of it."""
    many, results = sizes.streams, sizes.results
    open_now = Pairing.objects.filter(round__bracket=stand.bracket, match__isnull=False).select_related(
        "match"
    )
    pairings = list(open_now[:results])
    phones = [_reported(stand.ground.parts.url, stand, pairing) for pairing in pairings]
    with Crowd(stand.ground.parts.url, str(stand.bracket.pk), many) as crowd:
        time.sleep(1)
        with ThreadPoolExecutor(results) as threads:
            accepted = list(threads.map(lambda one: _confirmed(*one), phones))
        _wait_until_advanced(stand)
        time.sleep(1)
        stand.bracket.refresh_from_db()
        told = _last_told(stand, pairings, crowd)
    name = f"{results} results at once"
    return {
        f"{name}, accepted": Figures.of([after - before for before, after in accepted]),
        f"{name}, seen by {many}": Figures.of(told),
        f"{name}, never seen": float(results * many - len(told)),
    }


def _last_told(stand: Stand, pairings: list[Pairing], crowd: Crowd) -> list[float]:
    """For each result and spectator: from its commit until a version was told that shows it.

    Each posting made one version under the tournament's lock, in the order of their moments.
    """
    rows = list(Result.objects.filter(pairing__in=pairings).values_list("posted_at", "advanced_at"))
    moments = [(posted, True) for posted, _ in rows] + [(advanced, False) for _, advanced in rows if advanced]
    skew = time.time() - time.perf_counter()
    first = stand.bracket.version - len(moments) + 1
    results = [
        (at.timestamp() - skew, version)
        for version, (at, is_posting) in enumerate(sorted(moments), start=first)
        if is_posting
    ]
    return crowd.seen(results)


def _reported(url: str, stand: Stand, pairing: Pairing) -> tuple[Wire, uuid.UUID]:
    """The loser's phone, which only has to confirm what the winner's has reported."""
    match = pairing.match
    if match is None:
        raise BadAnswer("A match that should be open is not.")
    left, right = (Wire(url, stand.tokens[entry]) for entry in (match.left, match.right))
    row = {"key": str(uuid.uuid4()), "predecessor": str(match.pk), "left": LENGTH, "right": LENGTH - 2}
    seen(left.post(f"/api/v1/matches/{match.pk}/final/", row))
    seen(right.get(f"/api/v1/matches/{match.pk}/"))
    left.close()
    return right, match.pk


def _confirmed(phone: Wire, match: uuid.UUID) -> tuple[float, float]:
    began = time.perf_counter()
    seen(phone.post(f"/api/v1/matches/{match}/confirm/"))
    ended = time.perf_counter()
    phone.close()
    return began, ended


def _wait_until_advanced(stand: Stand) -> None:
    ends = time.monotonic() + SETTLE_SECONDS
    waiting = Result.objects.filter(pairing__round__bracket=stand.bracket, advanced_at__isnull=True)
    while waiting.exists():
        if time.monotonic() > ends:
            raise TimeoutError(f"Results were not advanced in {SETTLE_SECONDS:.0f} s.")
        time.sleep(0.05)
