"""Names the rounds of a bracket as codes, from the shape of the bracket and never from its format. Reads only.

The codes of `RoundName` apply if half of the players of each round advance, up to the last. `second_final` is a final
that the loser of the final may play again, `bracket_final` the last round of a bracket whose winner plays on in
another, `round_3` any other round.
"""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from django.db.models import Count, F, Q

from tournament.draw.graph import Outcome
from tournament.draw.recipes import RoundName
from tournament.models import Bracket, Feed, Round, Shape

SECOND_FINAL, BRACKET_FINAL = "second_final", "bracket_final"
PLAIN = "round_"


def round_codes(
    rounds: Sequence[tuple[int, int]],
    *,
    is_table: bool = False,
    plays_again: bool = False,
    leads_on: bool = False,
) -> list[str]:
    """Returns a code for each round; `rounds` are their numbers and numbers of pairings, from the first to the last.

    `plays_again`: the last round is played only if the winner of the final had already lost once. `leads_on`: the
    winner plays on in another bracket.
    """
    codes = [f"{PLAIN}{number}" for number, _ in rounds]
    if is_table or not rounds:
        return codes
    last = len(rounds) - 1
    if leads_on:
        codes[last] = BRACKET_FINAL if rounds[last][1] == 1 else codes[last]
        return codes
    if plays_again:
        codes[last], last = SECOND_FINAL, last - 1
    for back, name in enumerate(RoundName):
        if back > last or rounds[last - back][1] != 2**back:
            break
        codes[last - back] = str(name)
    return codes


def round_codes_by_id(brackets: Iterable[uuid.UUID]) -> Mapping[int, str]:
    """The code of each round of these brackets by its id, in two statements."""
    bracket_ids = list(brackets)
    rows = Round.objects.filter(bracket__in=bracket_ids).order_by("bracket__position", "bracket_id", "number")
    fields = rows.values_list("pk", "bracket_id", "bracket__shape", "number")
    counted = fields.annotate(pairings_in=Count("pairings"))
    second_finals, leading_on = _special(bracket_ids)
    codes: dict[int, str] = {}
    for bracket, of_bracket in groupby(counted, key=lambda row: row[1]):
        own = list(of_bracket)
        bracket_codes = round_codes(
            [(row[3], row[4]) for row in own],
            is_table=own[0][2] == Shape.TABLE,
            plays_again=bracket in second_finals,
            leads_on=bracket in leading_on,
        )
        codes |= zip([row[0] for row in own], bracket_codes, strict=True)
    return codes


def _special(brackets: list[uuid.UUID]) -> tuple[set[uuid.UUID], set[uuid.UUID]]:
    """Returns the brackets with a second final, and the brackets whose winner plays on in another."""
    inside = Q(target__round__bracket=F("source__round__bracket"))
    feeds = Feed.objects.filter(source__round__bracket__in=brackets).filter(
        (Q(outcome=Outcome.FIRST_LOSS) & inside) | (Q(outcome=Outcome.WINNER) & ~inside)
    )
    outcomes = set(feeds.values_list("source__round__bracket", "outcome"))
    second_finals = {bracket for bracket, outcome in outcomes if outcome == Outcome.FIRST_LOSS}
    return second_finals, {bracket for bracket, outcome in outcomes if outcome == Outcome.WINNER}


def round_code(bracket: Bracket, round_id: int) -> str:
    return round_codes_by_id([bracket.pk])[round_id]
