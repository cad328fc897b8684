"""The choice of next calls: each player once, no reserved table without a pin, and every possible match."""

import uuid

from hypothesis import given
from hypothesis import strategies as st

from tournament.room.table_assignment import CallReason, FreeTable, WaitingMatch, assign_tables, keys_in_order

PLAYERS = [uuid.UUID(int=number) for number in range(1, 9)]
players = st.sampled_from(PLAYERS)


@st.composite
def rooms(draw):
    pins = draw(st.dictionaries(players, st.integers(1, 6), max_size=3))
    held = draw(st.dictionaries(st.integers(1, 8), st.integers(1, 6), max_size=2))
    tables = [
        FreeTable(
            number,
            is_reserved=draw(st.booleans()),
            players=frozenset(player for player, table in pins.items() if table == number),
            pairings=frozenset(pairing for pairing, table in held.items() if table == number),
        )
        for number in draw(st.lists(st.integers(1, 6), unique=True))
    ]
    waiting = []
    for key in draw(st.lists(st.integers(1, 8), unique=True)):
        pair = frozenset(draw(st.lists(players, min_size=2, max_size=2, unique=True)))
        is_pinned = key in held or not pair.isdisjoint(pins)
        since = draw(st.integers(0, 5))
        waiting.append(WaitingMatch(key, pair, since, draw(st.sampled_from([0.0, 20.0, 200.0])), is_pinned))
    return tables, waiting, draw(st.sets(players, max_size=2)), draw(st.randoms())


@given(rooms())
def test_every_playable_match_is_called_once(room):
    tables, waiting, busy, random = room
    chosen = assign_tables(tables, waiting, busy)
    matches, by_table = {match.key: match for match in waiting}, {table.key: table for table in tables}
    called = [player for choice in chosen for player in matches[choice.match].players]
    assert len(called) == len(set(called))
    assert not busy.intersection(called)
    assert len({choice.table for choice in chosen}) == len(chosen)
    order = keys_in_order(waiting)
    assert [choice.match for choice in chosen] == [
        key for key in order if key in {choice.match for choice in chosen}
    ]
    for choice in chosen:
        match, table = matches[choice.match], by_table[choice.table]
        is_own = match.key in table.pairings or not table.players.isdisjoint(match.players)
        assert is_own if match.is_pinned else not table.is_reserved
    left = [table for table in tables if table.key not in {choice.table for choice in chosen}]
    if any(not table.is_reserved for table in left):
        free_players = set(PLAYERS) - busy - set(called)
        assert not [match for match in waiting if not match.is_pinned and match.players <= free_players]
    shuffled = random.sample(waiting, len(waiting))
    assert assign_tables(tables, shuffled, busy) == chosen


def waiting(key: int, since: float, urgency: float = 0.0, **more) -> WaitingMatch:
    both = frozenset((uuid.UUID(int=2 * key), uuid.UUID(int=2 * key + 1)))
    return WaitingMatch(key, both, since, urgency, **more)


def test_pinned_matches_precede_urgent_ones_and_urgent_ones_the_longest_wait():
    line = [waiting(1, 0.0), waiting(2, 5.0, 90.0), waiting(3, 9.0, is_pinned=True), waiting(4, 4.0, 95.0)]
    tables = [FreeTable(1), FreeTable(2, pairings=frozenset({3})), FreeTable(3), FreeTable(4)]
    assert [(choice.match, choice.table, choice.because) for choice in assign_tables(tables, line, ())] == [
        (3, 2, CallReason.PINNED),
        (4, 1, CallReason.HOLDS_UP),
        (2, 3, CallReason.HOLDS_UP),
        (1, 4, CallReason.WAITS_LONGEST),
    ]


def test_a_delay_of_minutes_does_not_change_the_order():
    assert keys_in_order([waiting(1, 0.0, 61.0), waiting(2, 5.0, 74.0), waiting(3, 6.0, 75.0)]) == [3, 1, 2]
