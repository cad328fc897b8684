"""Money that many entries are charged."""

from collections import Counter

from tournament.fees.schedule import charges_of


def money_in(schedule, entries):
    """Minor units by target and pot."""
    totals = Counter()
    for facts in entries:
        for charge in charges_of(schedule, facts):
            totals[(charge.target, charge.pot)] += charge.minor
    return totals
