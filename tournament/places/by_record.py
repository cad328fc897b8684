"""Ranks the entries of a bracket by records, or with lives by how long they lasted. Reads only."""

import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from tournament.brackets.ranking import PairingRow, lot_of, pairing_notes
from tournament.draw.formats import Format, Kind
from tournament.draw.pairing import Contender, LivesRules, is_over
from tournament.draw.seating import UNDECIDED, Facts, How, State
from tournament.draw.standings import (
    ExternalValues,
    Record,
    Standing,
    StandingRules,
    TieBreak,
    rank,
    rank_lives,
    records_of,
    round_of_elimination,
    with_starting_losses,
)
from tournament.models import Entry, Tournament

Rows = Mapping[int, PairingRow]
States = Mapping[int, State[uuid.UUID]]


@dataclass(frozen=True, slots=True)
class RecordStandings:
    """`standings` are best first. `still_in` are the entries with a life left while an event with lives is not over."""

    standings: tuple[Standing[uuid.UUID], ...]
    still_in: frozenset[uuid.UUID] = frozenset()


@dataclass(frozen=True, slots=True)
class RankingRules:
    """The format of a tournament, its lot, and with lives the starting losses of all entries."""

    format: Format
    external_values: ExternalValues[uuid.UUID]
    starting_losses: Mapping[uuid.UUID, int]


def ranking_rules(tournament: Tournament) -> RankingRules:
    chosen = Format.from_json(tournament.format)
    has_lot, has_lives = TieBreak.LOT in chosen.standings.criteria, chosen.kind is Kind.LIVES
    entries = Entry.objects.filter(tournament=tournament).values_list("pk", "starting_losses")
    return RankingRules(
        chosen, lot_of(tournament) if has_lot else ExternalValues(), dict(entries) if has_lives else {}
    )


def rank_by_record(
    tournament: Tournament, rows: Rows, facts: Facts[int, uuid.UUID], states: States
) -> RecordStandings:
    """Ranks the bracket of these pairings. `facts` may differ from the stored ones, for previews of corrections.

    While matches of a group are open, fewer losses come before the tie-breaks.
    """
    return rank_by_rules(ranking_rules(tournament), rows, facts, states)


def rank_by_rules(
    ranking: RankingRules, rows: Rows, facts: Facts[int, uuid.UUID], states: States
) -> RecordStandings:
    """As `rank_by_record`, for simulations that rank many times. Reads nothing."""
    tournament_format = ranking.format
    played = _last_round_played(rows, states)
    states = _without_byes_after(played, rows, states)
    rules = tournament_format.standings if played else _without_lot(tournament_format.standings)
    if not tournament_format.is_growing and any(state.result.how is None for state in states.values()):
        rules = _with_losses(rules)
    pairings = [rows[key] for key in states]
    records = records_of(pairings, states, facts.decisions, pairing_notes(rows, states, facts.decisions))
    if tournament_format.kind is not Kind.LIVES:
        return RecordStandings(rank(records, rules, ranking.external_values))
    records = with_starting_losses(records, _starting_losses(ranking, records, facts))
    withdrawn = facts.withdrawn.keys()
    ranked = rank_lives(records, tournament_format.lives, rules, ranking.external_values, withdrawn)
    remaining = [
        record
        for record in records.values()
        if record.entry not in withdrawn and round_of_elimination(record, tournament_format.lives) is None
    ]
    over = is_over(map(_contender, remaining), _lives_rules(tournament_format), _rounds_played(rows, states))
    return RecordStandings(ranked, frozenset() if over else frozenset(record.entry for record in remaining))


def _last_round_played(rows: Rows, states: States) -> int:
    """Returns the last round with a decided match, or 0. Byes are not matches."""
    decided = (rows[key].round for key, state in states.items() if state.result.how not in (None, How.BYE))
    return max(decided, default=0)


def _without_byes_after(played: int, rows: Rows, states: States) -> States:
    """Byes of later rounds do not count yet."""
    return {
        key: state._replace(result=UNDECIDED)
        if state.result.how is How.BYE and rows[key].round > played
        else state
        for key, state in states.items()
    }


def _without_lot(rules: StandingRules) -> StandingRules:
    """Before the first result all entries are equal, so the lot may not part them."""
    return replace(rules, tie_breaks=tuple(kind for kind in rules.tie_breaks if kind is not TieBreak.LOT))


def _with_losses(rules: StandingRules) -> StandingRules:
    """Without the losses, an entry with more matches would rank higher: it has more opponents to add up."""
    if TieBreak.LOSSES in rules.tie_breaks:
        return rules
    place = rules.criteria.index(TieBreak.SCORE) + 1
    return replace(rules, tie_breaks=(*rules.criteria[:place], TieBreak.LOSSES, *rules.criteria[place:]))


def _starting_losses(
    ranking: RankingRules, ranked: Collection[uuid.UUID], facts: Facts[int, uuid.UUID]
) -> dict[uuid.UUID, int]:
    """Returns the starting losses by entry, including late entrants who wait for their first match."""
    entries = ranking.starting_losses.items()
    return {pk: losses for pk, losses in entries if pk in ranked or pk not in facts.withdrawn}


def _contender(record: Record[uuid.UUID]) -> Contender[uuid.UUID]:
    return Contender(record.entry, losses=record.all_losses)


def _lives_rules(tournament_format: Format) -> LivesRules:
    return LivesRules(tournament_format.lives, tournament_format.stop, tournament_format.rounds)


def _rounds_played(rows: Rows, states: States) -> int:
    drawn = {rows[key].round for key in states}
    still_open = {rows[key].round for key, state in states.items() if state.result.how is None}
    return len(drawn - still_open)


def is_played_out(chosen: Format, rows: Rows, states: States) -> bool:
    """Returns True if no match of the bracket is left. Events with lives also need an empty `still_in`."""
    drawn = {rows[key].round for key in states}
    return all(state.result.how is not None for state in states.values()) and (
        not chosen.is_growing or chosen.rounds <= len(drawn)
    )
