"""Builds the page of a correction's preview: affected matches, places, kept seats and prizes. Reads only."""

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from tournament.brackets.storage import Sheet
from tournament.corrections import Preview
from tournament.draw.formats import Format
from tournament.draw.graph import BYE
from tournament.draw.seating import Facts, Seating
from tournament.draw.seating.corrections import Affected, Stage, Treatment
from tournament.draw.standings.knockout_places import knockout_places
from tournament.models import Bracket, Correction, Entry, Pairing, Result, Shape, Tournament
from tournament.places.by_record import rank_by_record
from tournament.queries.brackets.bracket_context import load_numbers
from tournament.queries.brackets.labels import bracket_title
from tournament.queries.brackets.numbering import Number
from tournament.queries.corrections.later_rounds import load_later_rounds
from tournament.queries.standings.prizes import PrizeChange, prize_changes
from tournament.results.awards import WITHOUT_SCORE

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class MatchAffected:
    """A match whose players would change. `before` and `after` are names, empty for unknown players."""

    pairing: int
    number: str
    bracket: str
    round: int
    stage: Stage
    treatment: Treatment
    before: tuple[str, str]
    after: tuple[str, str]
    score: tuple[int, int] | None

    @property
    def has_begun(self) -> bool:
        return self.stage != Stage.NOT_STARTED


@dataclass(frozen=True, slots=True)
class PlaceAffected:
    """An entry whose places in a bracket would change; None if it would not be in the bracket."""

    bracket: str
    name: str
    before: Span | None
    after: Span | None


@dataclass(frozen=True, slots=True)
class SeatLifted:
    """An entry whose kept seat would be released."""

    number: str
    bracket: str
    round: int
    name: str


@dataclass(frozen=True, slots=True)
class NamedLaterRounds:
    """Later rounds that were paired from the old records, with names; see `LaterRounds`."""

    first: int
    last: int
    out: tuple[str, ...]
    missing: tuple[str, ...]
    twice: tuple[str, ...]
    can_be_taken_back: bool


@dataclass(frozen=True, slots=True)
class CorrectionPage:
    """A preview with names: matches (begun ones first), places, rounds that stay as drawn, and kept seats that would be
    released.
    """

    matches: tuple[MatchAffected, ...]
    places: tuple[PlaceAffected, ...]
    stays: tuple[MatchAffected, ...]
    lifted: tuple[SeatLifted, ...]
    prizes: tuple[PrizeChange, ...]
    rounds_after: NamedLaterRounds | None
    double_entries: tuple[Entry, ...]

    @property
    def begun(self) -> tuple[MatchAffected, ...]:
        return tuple(match for match in self.matches if match.has_begun)

    @property
    def not_started(self) -> tuple[MatchAffected, ...]:
        return tuple(match for match in self.matches if not match.has_begun)


def load_correction_page(preview: Preview) -> CorrectionPage:
    """The preview with names, scores and places."""
    tournament = preview.pairing.round.bracket.tournament
    names = {entry.pk: entry.name for entry in _entries(tournament)}
    scores, numbers = _scores(preview.affected), load_numbers(tournament)
    matches = tuple(_match(preview.sheet, affected, names, scores, numbers) for affected in preview.affected)
    return CorrectionPage(
        matches,
        _places(tournament, preview, names),
        _unchanged_pairings(preview, names, numbers),
        _lifted(preview, names, numbers),
        affected_prizes(preview, names),
        _rounds_after(preview, names),
        preview.double_entries,
    )


def _rounds_after(preview: Preview, names: Mapping[uuid.UUID, str]) -> NamedLaterRounds | None:
    rounds = load_later_rounds(preview)
    if rounds is None:
        return None
    return NamedLaterRounds(
        rounds.first,
        rounds.last,
        tuple(names[entry] for entry in rounds.out),
        tuple(names[entry] for entry in rounds.missing),
        tuple(dict.fromkeys(names[entry] for entry, _keys in rounds.twice)),
        rounds.can_be_taken_back,
    )


def affected_prizes(preview: Preview, names: Mapping[uuid.UUID, str]) -> tuple[PrizeChange, ...]:
    consequences = preview.consequences
    now, then = (preview.sheet.facts, consequences.before), (consequences.facts, consequences.after)
    tournament = preview.pairing.round.bracket.tournament
    return prize_changes(tournament, preview.sheet, now, then, names)


def find_correction(tournament: Tournament, correction_id: uuid.UUID) -> Correction | None:
    return Correction.objects.filter(pk=correction_id, tournament=tournament).first()


def corrections_of(pairing: Pairing) -> list[Correction]:
    """Returns the corrections of this match's result, newest first."""
    return list(Correction.objects.filter(pairing=pairing).select_related("made_by").order_by("-made_at"))


def kept_names(pairing: Pairing) -> list[str]:
    """Returns the names of the players who sit here because this match was kept as played."""
    kept_seats = pairing.kept_seats.filter(lifted_at__isnull=True).order_by("seat")
    return [seat.entry.name for seat in kept_seats.select_related("entry__player")]


def _lifted(
    preview: Preview, names: Mapping[uuid.UUID, str], numbers: Mapping[int, Number]
) -> tuple[SeatLifted, ...]:
    rows, kept_seats = preview.sheet.rows, preview.sheet.facts.kept_seats
    return tuple(
        SeatLifted(
            _label(key, numbers),
            bracket_title(rows[key].bracket),
            rows[key].round,
            names[kept_seats[key, seat]],
        )
        for key, seat in preview.consequences.released_seats
    )


def _entries(tournament: Tournament) -> Iterable[Entry]:
    return Entry.objects.filter(tournament=tournament).select_related("player")


def _scores(affected: Iterable[Affected[int, uuid.UUID]]) -> dict[int, tuple[int, int]]:
    """Returns the current scores by the current left and right player. An award without points has no score."""
    now = {match.key: match.before for match in affected}
    rows = Pairing.objects.filter(pk__in=now, match__began_at__isnull=False)
    current = Result.objects.filter(pairing=OuterRef("pk"), superseded_by__isnull=True)
    rows = rows.exclude(Exists(current.filter(kind__in=WITHOUT_SCORE)))
    points = rows.values_list("pk", "match__left", "match__left_points", "match__right_points")
    return {
        pk: (left_points, right_points) if now[pk].left == left else (right_points, left_points)
        for pk, left, left_points, right_points in points
    }


def _match(
    sheet: Sheet,
    affected: Affected[int, uuid.UUID],
    names: Mapping[uuid.UUID, str],
    scores: Mapping[int, tuple[int, int]],
    numbers: Mapping[int, Number],
) -> MatchAffected:
    row = sheet.rows[affected.key]
    before, after = (
        (_name(state.left, names), _name(state.right, names)) for state in (affected.before, affected.after)
    )
    return MatchAffected(
        affected.key,
        _label(affected.key, numbers),
        bracket_title(row.bracket),
        row.round,
        affected.stage,
        affected.treatment,
        before,
        after,
        scores.get(affected.key),
    )


def _label(pairing: int, numbers: Mapping[int, Number]) -> str:
    return numbers[pairing].called if pairing in numbers else ""


def _name(occupant: object, names: Mapping[uuid.UUID, str]) -> str:
    if occupant is BYE:
        return _("bye")
    return names.get(occupant, "") if isinstance(occupant, uuid.UUID) else ""


def _places(
    tournament: Tournament, preview: Preview, names: Mapping[uuid.UUID, str]
) -> tuple[PlaceAffected, ...]:
    affected: list[PlaceAffected] = []
    then = preview.consequences.facts
    for bracket in Bracket.objects.filter(tournament=tournament).order_by("position"):
        before = _place_spans(
            tournament, bracket, preview.sheet, (preview.sheet.facts, preview.consequences.before)
        )
        after = _place_spans(tournament, bracket, preview.sheet, (then, preview.consequences.after))
        changed = [entry for entry in {**before, **after} if before.get(entry) != after.get(entry)]
        affected += [
            PlaceAffected(bracket_title(bracket.key), names[entry], before.get(entry), after.get(entry))
            for entry in sorted(changed, key=lambda entry: (after.get(entry, (9999, 0)), names[entry]))
        ]
    return tuple(affected)


def _place_spans(
    tournament: Tournament,
    bracket: Bracket,
    sheet: Sheet,
    facts_and_seating: tuple[Facts[int, uuid.UUID], Seating[int, uuid.UUID]],
) -> dict[uuid.UUID, Span]:
    facts, seating = facts_and_seating
    if bracket.shape == Shape.TREE:
        placed = knockout_places(sheet.graph, seating, [bracket.key])
        return {place.entry: (place.place_from, place.place_to) for place in placed}
    states = {pk: seating[pk] for pk, row in sheet.rows.items() if row.bracket == bracket.key}
    ranked = rank_by_record(tournament, sheet.rows, facts, states).standings
    return {standing.entry: (standing.place_from, standing.place_to) for standing in ranked}


def _unchanged_pairings(
    preview: Preview, names: Mapping[uuid.UUID, str], numbers: Mapping[int, Number]
) -> tuple[MatchAffected, ...]:
    """Returns later pairings of the two players in rounds paired by records. They stay as drawn."""
    bracket = preview.pairing.round.bracket
    if bracket.shape != Shape.TABLE or not Format.from_json(bracket.tournament.format).is_growing:
        return ()
    players = {preview.pairing.left_id, preview.pairing.right_id}
    later = [
        row
        for row in preview.sheet.rows.values()
        if row.bracket == bracket.key
        and row.round > preview.pairing.round.number
        and players & {row.left_id, row.right_id}
    ]
    return tuple(
        _match(
            preview.sheet,
            Affected(
                row.key,
                Stage.FINISHED if row.settled else Stage.NOT_STARTED,
                Treatment.KEEP,
                preview.consequences.before[row.key],
                preview.consequences.after[row.key],
            ),
            names,
            {},
            numbers,
        )
        for row in later
    )
