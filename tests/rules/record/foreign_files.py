"""Small .xg and .bgf files, built by hand for the tests: just what a reader looks at, the rest zeros."""

import json
import struct
import zlib

XG_RECORD = 2_560
XG_HEADER = 8_232
START = (0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0)
AFTER_31 = (0, -2, 0, 0, 0, 2, 4, 0, 2, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0)
NEITHER = (-1, -1, -1, -1, -1, -1, -1, -1)


def xg_file(*records, packed=True):
    stream = b"".join(records)
    header = b"RGMH" + bytes(XG_HEADER - 4)
    return header + (zlib.compress(stream) if packed else stream)


def _xg_record(kind, *fields):
    record = bytearray(XG_RECORD)
    record[8] = kind
    for offset, form, *values in fields:
        struct.pack_into(form, record, offset, *values)
    return bytes(record)


def xg_match(names=("Ann", "Bob"), length=5, crawford=1, jacoby=0, beaver=0):
    fields = [(92, "<i", length), (100, "<3B", crawford, jacoby, beaver)]
    for place, name in zip((880, 1138), names, strict=True):
        fields.append((place, f"<{2 * len(name)}s", name.encode("utf-16-le")))
    return _xg_record(0, *fields)


def xg_game(score=(0, 0), crawford=0, number=1):
    return _xg_record(1, (12, "<2i", *score), (20, "<B", crawford), (48, "<i", number))


def xg_cube(player, doubled=1, take=1):
    return _xg_record(2, (12, "<3i", player, doubled, take))


def xg_move(player, dice, after, moves=NEITHER, before=START, illegal=0):
    """`moves` are those of its one candidate, whose position is the one that was played to; None: no candidate."""
    fields = [(9, "<26b", *before), (35, "<26b", *after), (64, "<i", player), (100, "<2i", *dice)]
    fields.append((2480, "<i", 2 if illegal else 0))
    if moves is not None:
        fields += [(120, "<i", 1), (192, "<26b", *after), (1024, "<8b", *moves)]
    return _xg_record(3, *fields)


def xg_end(score, winner, points, termination=1):
    return _xg_record(4, (12, "<2i", *score), (24, "<3i", winner, points, termination))


def bgf_file(document, *, packed=True):
    payload = b":)\n\x00" + smile(document)
    return json.dumps({"format": "BGF"}).encode() + b"\n" + (zlib.compress(payload) if packed else payload)


def smile(value):
    """Binary JSON, as far as the tests need it."""
    if value is None or isinstance(value, bool):
        return {None: b"\x21", False: b"\x22", True: b"\x23"}[value]
    if isinstance(value, int):
        return b"\x24" + _number(2 * value if value >= 0 else -2 * value - 1)
    if isinstance(value, str):
        return b"\xe4" + value.encode() + b"\xfc" if value else b"\x20"
    if isinstance(value, list):
        return b"\xf8" + b"".join(map(smile, value)) + b"\xf9"
    pairs = (bytes([0x80 + len(key) - 1]) + key.encode() + smile(item) for key, item in value.items())
    return b"\xfa" + b"".join(pairs) + b"\xfb"


def _number(value):
    last, value = 0x80 | value & 0x3F, value >> 6
    parts = [last]
    while value:
        parts.insert(0, value & 0x7F if value < 64 else value & 0x3F)
        value >>= 6
    return bytes(parts)
