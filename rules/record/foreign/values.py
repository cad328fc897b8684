"""Reads values of a decoded file, which may have any type."""

from typing import Any

from rules.record.texts import one_line

LARGEST_NUMBER = 999_999
_LONGEST_TEXT = 200


def number(value: object) -> int | None:
    """A whole number in the range of points, lengths and cubes."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= LARGEST_NUMBER:
        return None
    return value


def text(value: object) -> str:
    return one_line(value, _LONGEST_TEXT).strip() if isinstance(value, str) else ""


def numbers(value: object) -> list[int]:
    """A list of whole numbers of either sign, up to the first item that is not one."""
    result: list[int] = []
    for item in value if isinstance(value, list | tuple) else ():
        if not isinstance(item, int) or isinstance(item, bool) or abs(item) > LARGEST_NUMBER:
            break
        result.append(item)
    return result


def objects(value: object) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def sign(value: object) -> int:
    """1 or -1 for the two sides, 0 for anything else."""
    return value if isinstance(value, int) and value in (1, -1) else 0


def dice_of(value: object) -> tuple[int, int] | None:
    dice = numbers(value)
    return (dice[0], dice[1]) if len(dice) == 2 and all(1 <= die <= 6 for die in dice) else None
