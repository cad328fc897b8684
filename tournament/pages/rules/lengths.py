"""Labels for the match lengths of a tournament's brackets, for the rules page."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from tournament.brackets.lengths import stake_play
from tournament.draw.formats import Format, Kind
from tournament.models import Tournament
from tournament.queries.brackets.labels import ROUND_TITLES, bracket_title, session_length

BEFORE = {"play-off": "group", "final": "main"}
"""If the deciding bracket has its own lengths, the tournament's lengths apply to the bracket before it."""


def lengths_in_words(tournament: Tournament) -> list[tuple[str, str]]:
    """Returns pairs of matches and their lengths, first those of the starting bracket."""
    chosen = Format.from_json(tournament.format)
    side_lengths = {
        key: lengths for key, lengths in tournament.side_lengths.items() if _is_played(chosen, key)
    }
    stake = stake_play(tournament)
    if stake is not None:
        return [(_("Every session"), session_length(stake)), *_others(side_lengths)]
    for end, before in BEFORE.items():
        if end in side_lengths:
            return [*_others({before: tournament.lengths} | side_lengths)]
    return [*_first(chosen, tournament.lengths, alone=not side_lengths), *_others(side_lengths)]


def _is_played(chosen: Format, key: str) -> bool:
    """A tournament can store lengths of brackets that its format no longer has."""
    is_knockout, is_double = chosen.kind is Kind.KNOCKOUT, chosen.kind is Kind.DOUBLE
    is_played = {
        "third place": is_knockout and chosen.third_place,
        "consolation": is_knockout and chosen.consolation,
        "last chance": (is_knockout or is_double) and chosen.last_chance,
        "lower": is_double,
        "final": is_double,
        "play-off": chosen.kind is Kind.GROUPS,
        "group": chosen.kind is Kind.GROUPS,
    }
    return bool(is_played.get(key, True))


def _first(chosen: Format, lengths: list[int], *, alone: bool) -> Iterator[tuple[str, str]]:
    if len(set(lengths)) == 1:
        main = _("Play-off to") if chosen.kind is Kind.GROUPS else _("Main bracket to")
        yield _("Every match to") if alone else main, str(lengths[0])
        return
    distinct = _without_repeats(lengths)
    named = [_("{round} to").format(round=title) for title in ROUND_TITLES.values()]
    for words, length in zip([*named[: len(distinct) - 1], _("Before that to")], distinct, strict=True):
        yield words, str(length)


def _without_repeats(lengths: list[int]) -> list[int]:
    """The earliest rounds of one length count once; each round before the first named one has the last length."""
    last = len(lengths) - 1
    while last and lengths[last - 1] == lengths[-1]:
        last -= 1
    return lengths[: min(last, len(ROUND_TITLES)) + 1]


def _others(side_lengths: dict[str, list[int]]) -> Iterator[tuple[str, str]]:
    for key, lengths in side_lengths.items():
        words = _("{bracket} to") if len(lengths) == 1 else _("{bracket}, last round first, to")
        called = {"group": _("Groups"), "main": _("Main bracket")}
        yield words.format(bracket=called.get(key, bracket_title(key))), ", ".join(map(str, lengths))
