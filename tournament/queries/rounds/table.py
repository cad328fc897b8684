"""Every round of every bracket with its match length and its clock, and whether they can still change. Reads only."""

from dataclasses import dataclass

from django.db.models import Count, Q

from matches.models import MatchState
from tournament.brackets.clocks import RoundClock, clock_of
from tournament.models import Round, Tournament
from tournament.queries.brackets.round_names import codes_of


@dataclass(frozen=True, slots=True)
class RoundLine:
    """`name` is the code of its name; `clock` its own one, None where the ruleset's holds. `being_played` counts its
    matches with a score and without a winner."""

    id: int
    bracket: str
    name: str
    pairings: int
    length: int | None
    games: int | None
    minutes: int | None
    clock: RoundClock | None
    has_begun: bool
    being_played: int


def round_table(tournament: Tournament) -> list[RoundLine]:
    """In the order in which brackets were drawn."""
    rounds = Round.objects.filter(bracket__tournament=tournament).order_by("bracket__position", "number")
    begun = Count("pairings", filter=Q(pairings__match__began_at__isnull=False))
    is_played = Q(pairings__match__began_at__isnull=False, pairings__match__state=MatchState.OPEN)
    playing = Count("pairings", filter=is_played)
    rows = list(
        rounds.select_related("bracket").annotate(drawn=Count("pairings"), begun=begun, playing=playing)
    )
    names = codes_of({row.bracket_id for row in rows})
    return [
        RoundLine(
            id=row.pk,
            bracket=row.bracket.key,
            name=names[row.pk],
            pairings=row.drawn,
            length=row.length,
            games=row.games,
            minutes=row.minutes,
            clock=clock_of(row),
            has_begun=row.begun > 0,
            being_played=row.playing,
        )
        for row in rows
    ]
