"""Pages of an event's journal, with values before and after and names instead of ids. Reads only.

The number of statements does not depend on the number of lines.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet

from tournament.models import Entry, Event, JournalLine, Pairing, Player, Tournament
from tournament.queries.brackets.bracket_context import load_numbers
from tournament.queries.brackets.numbering import Number
from tournament.queries.entries.names import names_by_id
from tournament.queries.journal_undo import Undo, find_undos
from tournament.queries.money.tills import holders
from tournament.runtime.name_search import has_words, split_words

PAGE = 50
MOST_CHANGES = 12
Path = tuple[str, ...]
PLAYER, SYSTEM = "player", "system"
MONEY_VERBS = (
    "charge", "pay", "refund", "take payment back", "move payment", "award prizes", "pay out", "take payout back",
    "close till", "take count back", "hand over cash", "take handover back",
    "put cash in", "take cash out", "undo cash in or out",
    "propose settlement", "agree settlement", "close settlement", "propose hedge", "agree hedge", "close hedge",
    "set exchange rate", "remove exchange rate", "change organizer", "choose organizer",
    "issue receipt",
    "set auction", "remove auction", "change lots", "bid", "take bid back", "sell lot", "take sale back", "share lot",
    "award auction",
)  # fmt: skip
HANDOVERS = ("hand over cash", "take handover back")
RESULT_VERBS = ("post result", "correct result", "take result back")
NAMED_BY: Mapping[str, str] = {"ruleset": "title", "format": "kind"}


@dataclass(frozen=True, slots=True)
class Change:
    """One value before and after; `path` leads to it through codes of fields and names of players."""

    path: Path
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class Subject:
    """The thing that an action is about, with its name. `kind` and `id` are stored with the line.

    `pairing` is the id of the pairing of a match, `sides` are the names of its players, and `number` is its number.
    """

    kind: str
    id: str
    name: str
    pairing: int | None = None
    sides: tuple[str, str] = ("", "")
    number: str = ""


@dataclass(frozen=True, slots=True)
class JournalFilter:
    """Limits the lines of a journal. Empty texts do not limit them.

    `tournament` is a slug. `player`: words of the name of a player whom the line is about, or who acted. `actor` is a
    user name, "player" or "system".
    """

    tournament: str = ""
    verb: str = ""
    player: str = ""
    actor: str = ""


@dataclass(frozen=True, slots=True)
class JournalPageLine:
    """`actor` is user, player, system or stranger; `who` is the user's or player's name. `more` counts the changes that
    are not listed.

    `slug` is the tournament's, if the tournament still exists. `is_change`: there was a value before. `before` and
    `after` are the stored values.
    """

    id: int
    at: datetime
    actor: str
    who: str
    verb: str
    subject: Subject
    tournament: str
    slug: str
    changes: tuple[Change, ...]
    more: int
    reason: str
    is_change: bool
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    undo: Undo


@dataclass(frozen=True, slots=True)
class JournalPage:
    """A page of the journal, newest first; `older` is the position of the next page."""

    lines: tuple[JournalPageLine, ...]
    verbs: tuple[str, ...]
    users: tuple[str, ...]
    older: int | None


def load_journal(
    event: Event,
    wanted: JournalFilter = JournalFilter(),
    before: int | None = None,
    *,
    with_money: bool = True,
) -> JournalPage:
    """Loads the newest lines of the event, or those before a line. A card row is part of the result that it posts.

    `with_money`: also what players were charged and paid.
    """
    readable = _readable(with_money=with_money)
    condition = _condition(event, wanted) & readable
    if before is not None:
        condition &= Q(pk__lt=before)
    rows = JournalLine.objects.filter(condition).select_related("user", "entry__player", "tournament")
    rows_and_next = list(rows.order_by("-pk")[: PAGE + 1])
    page = rows_and_next[:PAGE]
    of_event = JournalLine.objects.filter(readable, event=event)
    return JournalPage(
        lines=_lines(page),
        verbs=tuple(of_event.order_by("verb").values_list("verb", flat=True).distinct()),
        users=tuple(
            of_event.filter(user__isnull=False)
            .order_by("user__username")
            .values_list("user__username", flat=True)
            .distinct()
        ),
        older=page[-1].pk if len(rows_and_next) > PAGE else None,
    )


def _condition(event: Event, wanted: JournalFilter) -> Q:
    condition = Q(event=event)
    if wanted.tournament:
        condition &= Q(tournament__slug=wanted.tournament)
    if wanted.verb:
        condition &= Q(verb=wanted.verb)
    if wanted.actor in (PLAYER, SYSTEM):
        condition &= Q(actor=wanted.actor)
    elif wanted.actor:
        condition &= Q(user__username=wanted.actor)
    if words := split_words(wanted.player):
        condition &= _is_about_players(event, words)
    return condition


def _is_about_players(event: Event, words: Sequence[str]) -> Q:
    """Lines about an entry or a match of the players whose names have all these words, and what these players did."""
    entries = [
        pk
        for pk, name in names_by_id(Entry.objects.filter(tournament__event=event)).items()
        if has_words(name, words)
    ]
    seated = Pairing.objects.filter(Q(left__in=entries) | Q(right__in=entries))
    pairings, matches = set(), set()
    for pairing, match in seated.values_list("pk", "match"):
        pairings.add(str(pairing))
        matches.add(str(match))
    players = Entry.objects.filter(pk__in=entries).values_list("player", flat=True)
    return (
        Q(entry__in=entries)
        | Q(subject="player", subject_id__in=[str(pk) for pk in players])
        | Q(subject="entry", subject_id__in=[str(pk) for pk in entries])
        | Q(subject="pairing", subject_id__in=pairings)
        | Q(subject="match", subject_id__in=matches)
    )


def journal_lines(event: Event, *, with_money: bool) -> QuerySet[JournalLine]:
    """`with_money`: as in `load_journal`."""
    return JournalLine.objects.filter(_readable(with_money=with_money), event=event).select_related("user")


def _readable(*, with_money: bool) -> Q:
    return Q() if with_money else ~Q(verb__in=MONEY_VERBS)


def list_journal_tournaments(event: Event) -> list[Tournament]:
    """Returns the tournaments by which the journal of the event can be filtered."""
    return list(Tournament.objects.filter(event=event))


def load_match_journal(event: Event, pairing: Pairing, *, with_money: bool) -> tuple[JournalPageLine, ...]:
    """Loads journal lines of a pairing and its match, newest first. `with_money`: as in `load_journal`."""
    about = Q(subject="pairing", subject_id=str(pairing.pk))
    if pairing.match_id is not None:
        about |= Q(subject="match", subject_id=str(pairing.match_id))
    rows = JournalLine.objects.filter(about, _readable(with_money=with_money), event=event).select_related(
        "user", "entry__player", "tournament"
    )
    return _lines(list(rows.order_by("-pk")[:PAGE]))


@dataclass(frozen=True, slots=True)
class _Loaded:
    """The names of ids ("subject:id" -> name), the pairings of subjects, and the lines that can be undone."""

    names: Mapping[str, str]
    pairings: Mapping[str, Pairing]
    numbers: Mapping[int, Number]
    undos: Mapping[int, Undo]

    def subject(self, row: JournalLine) -> Subject:
        key = f"{row.subject}:{row.subject_id}"
        pairing = self.pairings.get(key)
        if pairing is None:
            return Subject(row.subject, row.subject_id, self.names.get(key, ""))
        number = self.numbers.get(pairing.pk)
        return Subject(
            row.subject,
            row.subject_id,
            self.names.get(key, ""),
            pairing.pk,
            _player_names(pairing),
            number.called if number else "",
        )


def _lines(rows: Sequence[JournalLine]) -> tuple[JournalPageLine, ...]:
    if not rows:
        return ()
    names, pairings = _names(rows)
    with_matches = {row.tournament for row in rows if f"{row.subject}:{row.subject_id}" in pairings}
    numbers = load_numbers(*(tournament for tournament in with_matches if tournament is not None))
    loaded = _Loaded(names, pairings, numbers, find_undos(rows))
    lines = [_line(row, loaded) for row in rows]
    return tuple(
        line for line, newer in zip(lines, [None, *lines[:-1]], strict=True) if not _is_part(line, newer)
    )


def _is_part(line: JournalPageLine, newer: JournalPageLine | None) -> bool:
    """True for a row on a card that posted the result of the next line."""
    return (
        newer is not None
        and line.verb == "write on card"
        and newer.verb in RESULT_VERBS
        and line.subject.pairing == newer.subject.pairing
        and line.who == newer.who
        and newer.at - line.at < timedelta(seconds=1)
    )


def _line(row: JournalLine, loaded: _Loaded) -> JournalPageLine:
    changes = list(_changes(row.before, row.after, loaded.names))
    who = row.user.get_username() if row.user else (row.entry.name if row.entry else "")
    return JournalPageLine(
        id=row.pk,
        at=row.at,
        actor=row.actor,
        who=who,
        verb=row.verb,
        subject=loaded.subject(row),
        tournament=row.tournament.name if row.tournament else "",
        slug=row.tournament.slug if row.tournament else "",
        changes=tuple(changes[:MOST_CHANGES]),
        more=max(0, len(changes) - MOST_CHANGES),
        reason=row.reason,
        is_change=bool(row.before),
        before=row.before,
        after=row.after,
        undo=loaded.undos.get(row.pk, Undo()),
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
    return names.get(f"entry:{value}", names.get(value, value)) if isinstance(value, str) else value


def _names(rows: Sequence[JournalLine]) -> tuple[dict[str, str], dict[str, Pairing]]:
    """Returns the name of every id on the page ("subject:id" -> name), and the pairings of its subjects."""
    subjects = {(row.subject, row.subject_id) for row in rows}
    users = User.objects.filter(pk__in=[int(pk) for kind, pk in subjects if kind == "user"])
    pairings = _pairings_of(subjects)
    names = {
        **{f"user:{user.pk}": user.get_username() for user in users},
        **{key: " – ".join(_player_names(pairing)) for key, pairing in pairings.items()},
        **_names_of_entries(rows),
        **_names_of_players(subjects),
        **_names_of_tills(rows),
    }
    return names, pairings


def _names_of_players(subjects: Collection[tuple[str, str]]) -> dict[str, str]:
    players = Player.objects.filter(pk__in=[UUID(pk) for kind, pk in subjects if kind == "player"])
    return {f"player:{player.pk}": player.registered_name for player in players}


def _names_of_tills(rows: Iterable[JournalLine]) -> dict[str, str]:
    events = Event.objects.filter(pk__in={row.event_id for row in rows if row.verb in HANDOVERS})
    return {f"till:{till}": name for event in events for till, name in holders(event).items()}


def _player_names(pairing: Pairing) -> tuple[str, str]:
    return (pairing.left.name if pairing.left else "?", pairing.right.name if pairing.right else "?")


def _pairings_of(subjects: Collection[tuple[str, str]]) -> dict[str, Pairing]:
    pairings = Pairing.objects.filter(
        Q(pk__in=[int(pk) for kind, pk in subjects if kind == "pairing"])
        | Q(match_id__in=[UUID(pk) for kind, pk in subjects if kind == "match"])
    ).select_related("left__player", "right__player")
    by_subject: dict[str, Pairing] = {}
    for pairing in pairings:
        by_subject[f"pairing:{pairing.pk}"] = by_subject[f"match:{pairing.match_id}"] = pairing
    return by_subject


def _names_of_entries(rows: Iterable[JournalLine]) -> dict[str, str]:
    """Returns the names of all entries of the event."""
    events = {row.event_id for row in rows}
    entries = Entry.objects.filter(tournament__event__in=events)
    return {f"entry:{pk}": name for pk, name in names_by_id(entries).items()}
