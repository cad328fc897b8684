"""The prize money that the last players with lives can expect before the next round is drawn. Reads only."""

import uuid
from collections.abc import Mapping
from fractions import Fraction

from tournament.brackets.storage import Sheet
from tournament.draw.formats import Format, Kind
from tournament.draw.pairing import Stop
from tournament.fees.schedule import MAIN_POT
from tournament.models import Entry, Tournament
from tournament.money.win_chances import chance_of_left
from tournament.places.by_record import rank_by_record
from tournament.places.feats import pair_of_three
from tournament.prizes.last_lives import LastLives, PossibleDraw
from tournament.prizes.structure import Feat, PrizeStructure
from tournament.prizes.table import prize_table
from tournament.prizes.wins import win_parts
from tournament.prizes.worth import CERTAIN

MAIN = "main"
MOST_PLAYERS = 5
"""With more players the draws are too many to compare."""


def draws_of_last_lives(
    tournament: Tournament,
    structure: PrizeStructure,
    sheet: Sheet,
    entries: Mapping[uuid.UUID, Entry],
    pots: Mapping[str, int],
) -> list[PossibleDraw[uuid.UUID]]:
    """Every draw of the next round; none while matches are open or many players left, or if prizes ask for more."""
    chosen = Format.from_json(tournament.format)
    states = {key: state for key, state in sheet.seated().items() if sheet.rows[key].bracket == MAIN}
    is_plain = not (structure.bubble or structure.condition or structure.pools or win_parts(structure))
    if chosen.kind is not Kind.LIVES or chosen.stop is not Stop.ONE_LEFT or not is_plain or not states:
        return []
    ranked = rank_by_record(tournament, sheet.rows, sheet.facts, states)
    is_open = any(state.result.how is None for state in states.values())
    if is_open or not 1 < len(ranked.still_in) <= MOST_PLAYERS:
        return []
    lives = {
        row.entry: chosen.lives - row.record.all_losses
        for row in ranked.standings
        if row.entry in ranked.still_in
    }
    table = prize_table(structure, pots.get(MAIN_POT, 0))
    by_place = table.places.get(MAIN, {})
    prizes = [by_place.get(place, 0) for place in range(1, max(by_place, default=0) + 1)]
    length = max(sheet.rows.values(), key=lambda row: row.round).length

    def chance(first: uuid.UUID, second: uuid.UUID) -> int:
        return round(chance_of_left(entries[first], entries[second], None, length) * CERTAIN)

    bonus = table.feats.get((MAIN, Feat.PAIR_OF_THREE), 0)
    is_paid = bool(pair_of_three(sheet.rows, states))
    return LastLives(prizes, bonus, chance).possible_draws(lives, is_bonus_paid=is_paid)


def mean_amounts(draws: list[PossibleDraw[uuid.UUID]]) -> dict[uuid.UUID, Fraction]:
    """Every draw is equally likely."""
    sums: dict[uuid.UUID, Fraction] = {}
    for draw in draws:
        for entry, minor in draw.amounts.items():
            sums[entry] = sums.get(entry, Fraction(0)) + minor
    return {entry: minor / len(draws) for entry, minor in sums.items()}
