"""Pages of an event's journal, with values before and after and names instead of ids. Reads only.

The number of statements does not depend on the number of lines.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet

from tournament.models import Entry, Event, JournalLine, Pairing, Tournament
from tournament.queries.entries.names import names_by_id

PAGE = 50
MOST_CHANGES = 12
Path = tuple[str, ...]
NAMED_BY: Mapping[str, str] = {"ruleset": "title", "format": "kind"}


@dataclass(frozen=True, slots=True)
class Change:
    """One value before and after; `path` leads to it through codes of fields and names of players."""

    path: Path
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class JournalPageLine:
    """`actor` is user, player, system or stranger; `who` is the user's or player's name. `more` counts the changes that
    are not listed.

    `slug` is the tournament's, if the tournament still exists. `is_change`: there was a value before.
    """

    id: int
    at: datetime
    actor: str
    who: str
    verb: str
    subject: str
    tournament: str
    slug: str
    changes: tuple[Change, ...]
    more: int
    reason: str
    is_change: bool


@dataclass(frozen=True, slots=True)
class JournalPage:
    """A page of the journal, newest first; `older` is the position of the next page."""

    lines: tuple[JournalPageLine, ...]
    verbs: tuple[str, ...]
    older: int | None


def load_journal(
    event: Event, tournament: str = "", verb: str = "", before: int | None = None
) -> JournalPage:
    """Loads lines of the event, or of one tournament (its slug), optionally of one verb, and before a line."""
    condition = Q(event=event)
    if tournament:
        condition &= Q(tournament__slug=tournament)
    if verb:
        condition &= Q(verb=verb)
    if before is not None:
        condition &= Q(pk__lt=before)
    rows = JournalLine.objects.filter(condition).select_related("user", "entry__player", "tournament")
    rows_and_next = list(rows.order_by("-pk")[: PAGE + 1])
    page = rows_and_next[:PAGE]
    names = _names(page)
    verbs = JournalLine.objects.filter(event=event).order_by("verb").values_list("verb", flat=True)
    return JournalPage(
        lines=tuple(_line(row, names) for row in page),
        verbs=tuple(verbs.distinct()),
        older=page[-1].pk if len(rows_and_next) > PAGE else None,
    )


def journal_lines(event: Event) -> QuerySet[JournalLine]:
    return JournalLine.objects.filter(event=event).select_related("user")


def list_journal_tournaments(event: Event) -> list[Tournament]:
    """Returns the tournaments by which the journal of the event can be filtered."""
    return list(Tournament.objects.filter(event=event))


def load_match_journal(event: Event, pairing: Pairing) -> tuple[JournalPageLine, ...]:
    """Loads journal lines of a pairing and its match, newest first."""
    about = Q(subject="pairing", subject_id=str(pairing.pk))
    if pairing.match_id is not None:
        about |= Q(subject="match", subject_id=str(pairing.match_id))
    rows = JournalLine.objects.filter(about, event=event).select_related(
        "user", "entry__player", "tournament"
    )
    page = list(rows.order_by("-pk")[:PAGE])
    names = _names(page) if page else {}
    return tuple(_line(row, names) for row in page)


def _line(row: JournalLine, names: Mapping[str, str]) -> JournalPageLine:
    changes = list(_changes(row.before, row.after, names))
    who = row.user.get_username() if row.user else (row.entry.name if row.entry else "")
    return JournalPageLine(
        id=row.pk,
        at=row.at,
        actor=row.actor,
        who=who,
        verb=row.verb,
        subject=names.get(f"{row.subject}:{row.subject_id}", ""),
        tournament=row.tournament.name if row.tournament else "",
        slug=row.tournament.slug if row.tournament else "",
        changes=tuple(changes[:MOST_CHANGES]),
        more=max(0, len(changes) - MOST_CHANGES),
        reason=row.reason,
        is_change=bool(row.before),
    )


def _changes(before: Any, after: Any, names: Mapping[str, str]) -> Iterator[Change]:
    """Returns all values that differ, at any depth. Rules and formats contribute only their names."""
    flat_before, flat_after = dict(_flatten(before, names)), dict(_flatten(after, names))
    for path in [*flat_before, *(path for path in flat_after if path not in flat_before)]:
        was, became = flat_before.get(path), flat_after.get(path)
        is_new_rule = not before and path[-1] != NAMED_BY.get(path[0], path[-1])
        if _value_or_none(was) != _value_or_none(became) and not is_new_rule:
            yield Change(path, was, became)


def _value_or_none(value: Any) -> Any:
    """Returns the value, or None if it is empty. Zero counts as a value, because it may be a score."""
    return None if value is False or value in ("", ()) else value


def _flatten(value: Any, names: Mapping[str, str], path: Path = ()) -> Iterator[tuple[Path, Any]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _flatten(inner, names, (*path, names.get(f"entry:{key}", key)))
    elif isinstance(value, list):
        yield path, tuple(_with_name(item, names) for item in value)
    else:
        yield path, _with_name(value, names)


def _with_name(value: Any, names: Mapping[str, str]) -> Any:
    return names.get(f"entry:{value}", value) if isinstance(value, str) else value


def _names(rows: Iterable[JournalLine]) -> dict[str, str]:
    """Returns the name of every id on the page: "subject:id" -> name."""
    rows = list(rows)
    subjects = {(row.subject, row.subject_id) for row in rows}
    users = User.objects.filter(pk__in=[int(pk) for kind, pk in subjects if kind == "user"])
    return {
        **{f"user:{user.pk}": user.get_username() for user in users},
        **_names_of_pairings(subjects),
        **_names_of_entries(rows),
    }


def _names_of_pairings(subjects: Iterable[tuple[str, str]]) -> dict[str, str]:
    subjects = list(subjects)
    pairings = Pairing.objects.filter(
        Q(pk__in=[int(pk) for kind, pk in subjects if kind == "pairing"])
        | Q(match_id__in=[UUID(pk) for kind, pk in subjects if kind == "match"])
    ).select_related("left__player", "right__player")
    names: dict[str, str] = {}
    for pairing in pairings:
        player_names = [entry.name if entry else "?" for entry in (pairing.left, pairing.right)]
        names[f"pairing:{pairing.pk}"] = names[f"match:{pairing.match_id}"] = " – ".join(player_names)
    return names


def _names_of_entries(rows: Iterable[JournalLine]) -> dict[str, str]:
    """Returns the names of all entries of the event if the page refers to any of them."""
    events = {row.event_id for row in rows}
    entries = Entry.objects.filter(tournament__event__in=events)
    return {f"entry:{pk}": name for pk, name in names_by_id(entries).items()}
