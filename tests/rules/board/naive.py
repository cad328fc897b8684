"""A second generator of legal plays, slow and plain: it tries every step, then applies the obligation.

It shares no code with the product and follows the rules catalogue row by row.
"""

from itertools import permutations

from rules.ruleset import BearOff, DiceObligation, Ruleset


def every_sequence(mine, theirs, dice, ruleset):
    """Every run of legal steps with a prefix of these dice: (steps, mine after, theirs after, dice used)."""
    sequences = [((), mine, theirs, ())]
    for end in range(len(dice)):
        for taken, own, rival, used in [entry for entry in sequences if len(entry[0]) == end]:
            for point in range(25, 0, -1):
                if can_step(own, rival, point, dice[end], ruleset):
                    sequences.append((*_stepped(taken, own, rival, point, dice[end]), (*used, dice[end])))
    return sequences


def can_step(mine, theirs, point, die, ruleset):
    if mine[point] == 0:
        return False
    if mine[25] > 0 and point != 25:  # BAR-1
        return False
    outside = sum(mine[7:26])
    if ruleset.hit_checker_first and sum(mine) < 15 and outside > 0 and point <= 6:  # OFF-7
        return False
    target = point - die
    if target > 0:  # MOVE-2
        return theirs[25 - target] <= 1
    if outside > 0:  # OFF-1
        return False
    if target == 0:  # OFF-2
        return True
    higher = any(mine[above] for above in range(point + 1, 7))
    if not higher:  # OFF-4
        return True
    if ruleset.bear_off is BearOff.LOWER_ALLOWED:  # OFF-6
        return mine[die] == 0 and any(mine[above] for above in range(die + 1, 7))
    return False  # OFF-3


def _stepped(taken, mine, theirs, point, die):
    mine, theirs = list(mine), list(theirs)
    target = max(0, point - die)
    mine[point] -= 1
    if target:
        mine[target] += 1
        if theirs[25 - target] == 1:  # HIT-1
            theirs[25 - target] = 0
            theirs[25] += 1
    return (*taken, (point, target)), tuple(mine), tuple(theirs)


def legal_results(position, dice, ruleset=None):
    """The set of (mine, theirs) that this roll may lead to, both as tuples of 26."""
    ruleset = ruleset or Ruleset()
    mine, theirs = tuple(position.mine), tuple(position.theirs)
    orders = {(dice[0],) * 4} if dice[0] == dice[1] else set(permutations(dice))
    sequences = [
        sequence
        for order in orders
        for sequence in every_sequence(mine, theirs, order, ruleset)
        if sequence[0]
    ]
    most = max((len(sequence[0]) for sequence in sequences), default=0)
    allowed = [sequence for sequence in sequences if _is_enough(sequence, sequences, most, dice, ruleset)]
    return {(sequence[1], sequence[2]) for sequence in allowed}


def _is_enough(sequence, sequences, most, dice, ruleset):
    used = sequence[3]
    is_double = dice[0] == dice[1]
    if ruleset.dice_obligation is DiceObligation.LARGER_DIE_SUFFICES:  # DICE-3
        if is_double or len(used) == 2 or used == (max(dice),):
            return True
        larger_at_all = any(max(dice) in sequence[3] for sequence in sequences)
        return not larger_at_all
    if len(used) < most:  # DICE-1
        return False
    if most == 1 and not is_double and ruleset.dice_obligation is DiceObligation.ALL_THEN_LARGER:  # DICE-2
        return max(dice) in used or not any(max(dice) in sequence[3] for sequence in sequences)
    return True
