"""Writers of Match IDs and XGIDs, for round trips. The product only reads these IDs."""

import binascii

from rules.score import Side

CENTRE = 3
MATCH_ID_OWNERS = {None: CENTRE, Side.LEFT: 0, Side.RIGHT: 1}
XG_OWNERS = {None: 0, Side.LEFT: 1, Side.RIGHT: -1}
SIDES = (Side.LEFT, Side.RIGHT)
MATCH_ID_WIDTHS = (4, 2, 1, 1, 3, 1, 1, 2, 3, 3, 15, 15, 15, 1)
XG_LETTERS = "-abcdefghijklmno"


def match_id(situation):
    """The Match ID, the larger die first."""
    dice = sorted(situation.dice or (0, 0), reverse=True)
    numbers = (
        situation.cube.bit_length() - 1,
        MATCH_ID_OWNERS[situation.owner],
        SIDES.index(situation.on_roll),
        situation.is_crawford,
        situation.progress,
        SIDES.index(situation.turn),
        situation.is_doubled,
        situation.resigned or 0,
        *dice,
        situation.length or 0,
        *situation.score,
        not situation.jacoby,
    )
    bits = shift = 0
    for number, width in zip(numbers, MATCH_ID_WIDTHS, strict=True):
        bits |= number << shift
        shift += width
    return binascii.b2a_base64(bits.to_bytes(9, "little"), newline=False).rstrip(b"=").decode()


def xgid(position, situation):
    """The XGID of a position as the player on roll sees it."""
    upper_case_view = position if situation.on_roll is Side.LEFT else position.swapped()
    uppers = "".join(XG_LETTERS[count] for count in upper_case_view.mine).upper()
    lowers = "".join(XG_LETTERS[count] for count in reversed(upper_case_view.theirs))
    points = "".join(max(upper, lower) for upper, lower in zip(uppers, lowers, strict=True))
    stake_rules = situation.jacoby + 2 * situation.are_beavers_played
    fields = (
        points,
        situation.cube.bit_length() - 1,
        XG_OWNERS[situation.owner],
        XG_OWNERS[situation.on_roll],
        dice_or_double(situation),
        *situation.score,
        int(situation.is_crawford) if situation.length else stake_rules,
        situation.length or 0,
        situation.cube_limit.bit_length() - 1,
    )
    return "XGID=" + ":".join(map(str, fields))


def dice_or_double(situation):
    if situation.is_doubled:
        return "DBR"[situation.beavers]
    return "".join(map(str, situation.dice)) if situation.dice else "00"
