"""Loads the desk's entry list, filtered and sorted. Reads only."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Count, Q, QuerySet

from tournament.ledger.charging import schedule_of
from tournament.models import Entry, PersonalLink, Tournament
from tournament.runtime.errors import NotFound
from tournament.runtime.name_search import has_words
from tournament.runtime.name_search import split_words as words_of
from tournament.runtime.text import comparison_key


@dataclass(frozen=True, slots=True)
class EntryLine:
    """An entry with the numbers of connected phones, of phones that wait for approval, and of approved links.

    `pools` are the names of its side pools; None if the tournament has no side pools.
    """

    entry: Entry
    phones: int
    waiting: int
    codes: int
    pools: tuple[str, ...] | None = None


ORDERS: dict[str, Callable[[EntryLine], Any]] = {
    "name": lambda line: comparison_key(line.entry.player.registered_name),
    "seed": lambda line: line.entry.seed,
    "rating": lambda line: None if line.entry.player.rating is None else -line.entry.player.rating,
    "country": lambda line: line.entry.player.country or None,
    "club": lambda line: comparison_key(line.entry.player.club) or None,
    "phone": lambda line: -line.phones - line.waiting or None,
    "arrived": lambda line: line.entry.checked_in_at,
    "paid": lambda line: line.entry.is_paid or None,
    "pools": lambda line: line.pools or None,
    "entered": lambda line: line.entry.entered_at,
}
"""Sort keys; None comes last in both directions."""
FILTERS: dict[str, Q] = {
    "all": Q(),
    "not-arrived": Q(checked_in_at__isnull=True, withdrawn_at__isnull=True),
    "unpaid": Q(is_paid=False, withdrawn_at__isnull=True),
    "no-phone": Q(phones=0, withdrawn_at__isnull=True),
    "active": Q(withdrawn_at__isnull=True),
    "not-printed": Q(codes=0, withdrawn_at__isnull=True),
    "withdrawn": Q(withdrawn_at__isnull=False),
}
POOL = "pool-"
"""Before the key of a side pool, the name of a filter for its entries."""


def entry_list(
    tournament: Tournament, order: str = "name", filter_name: str = "all", words: str = ""
) -> list[EntryLine]:
    """An order with a leading "-" is reversed. Unknown names of orders and filters fall back to "name" and "all".
    `pool_filters` names further filters.

    All `words` must occur in name, club, team, country or federation number.
    """
    search_words, pools = words_of(words), _pool_names(tournament)
    pool = filter_name.removeprefix(POOL) if filter_name in pool_filters(tournament) else ""
    lines = [
        _entry_line(entry, pools)
        for entry in _with_link_counts(tournament).filter(FILTERS.get(filter_name, Q()))
        if has_words(_searchable_text(entry), search_words) and (not pool or pool in entry.pools)
    ]
    by_name = sorted(lines, key=ORDERS["name"])
    key_of = ORDERS.get(order.removeprefix("-"), ORDERS["name"])
    with_value = [line for line in by_name if key_of(line) is not None]
    without_value = [line for line in by_name if key_of(line) is None]
    return sorted(with_value, key=key_of, reverse=order.startswith("-")) + without_value


def entry_line(tournament: Tournament, entry_id: UUID) -> EntryLine:
    """Raises Entry.DoesNotExist."""
    entry = _with_link_counts(tournament).get(pk=entry_id)
    return _entry_line(entry, _pool_names(tournament))


def pool_filters(tournament: Tournament) -> dict[str, str]:
    """The filters for the entries of one side pool, with its name."""
    return {f"{POOL}{key}": name for key, name in _pool_names(tournament).items()}


def _pool_names(tournament: Tournament) -> Mapping[str, str]:
    schedule = schedule_of(tournament)
    return schedule.pool_names if schedule else {}


def find_entry_for_desk(tournament: Tournament, entry_id: UUID) -> Entry:
    """Returns an entry with player, tournament and event. Raises NotFound."""
    entries = Entry.objects.filter(tournament=tournament).select_related("player", "tournament__event")
    entry = entries.filter(pk=entry_id).first()
    if entry is None:
        raise NotFound
    return entry


def links_of_tournament(tournament: Tournament) -> QuerySet[PersonalLink]:
    """Returns the personal links of all entries, in any state."""
    return PersonalLink.objects.filter(entry__tournament=tournament).select_related("entry__player")


def list_links(entry: Entry) -> Sequence[PersonalLink]:
    """Returns all links of the entry's player in the tournament, revoked ones included, newest first."""
    links = PersonalLink.objects.filter(entry__player=entry.player_id, entry__tournament=entry.tournament_id)
    return list(links.order_by("-made_at"))


def _with_link_counts(tournament: Tournament) -> Any:
    """A link of a player opens all entries of the player in this tournament."""
    links = "player__entries__links"
    here = Q(player__entries__tournament=tournament, **{f"{links}__revoked_at__isnull": True})
    is_approved = here & Q(**{f"{links}__approved_at__isnull": False})
    is_open = is_approved & Q(**{f"{links}__connected_at__isnull": False})
    is_waiting = here & Q(**{f"{links}__approved_at__isnull": True, f"{links}__isnull": False})
    return (
        Entry.objects.filter(tournament=tournament)
        .select_related("player")
        .annotate(
            phones=Count(links, filter=is_open),
            waiting=Count(links, filter=is_waiting),
            codes=Count(links, filter=is_approved),
        )
    )


def _entry_line(entry: Any, pools: Mapping[str, str]) -> EntryLine:
    """`entry` has the counts of links. `pools` are the names of the tournament's side pools by key."""
    names = tuple(name for key, name in pools.items() if key in entry.pools)
    return EntryLine(entry, entry.phones, entry.waiting, entry.codes, names if pools else None)


def _searchable_text(entry: Entry) -> str:
    player = entry.player
    return f"{player.registered_name} {player.club} {player.team} {player.country} {player.federation_id}"
