#!/usr/bin/env python3
"""Computes a published draw of a backgammon tournament again and compares it with the published one.

    python3 verify_draw.py draw.json

It needs only Python 3.8 or newer, and nothing of the program that made the draw. A draw is made like this:

1. Before the entries were closed, a secret was made and its hash was shown.
2. The closing fixes the format, the rules, how many dice count, every entry with its name, and every earlier closing.
   Its hash was shown.
3. Dice were thrown in the hall.
4. Secret, dice and closing together give one long number, the seed text. All shuffles follow from it.
5. Seeds stand on their lines; all other entries are shuffled. Rules place byes and keep players of one club apart.
6. Groups and round 1 follow from the order.

Compare the two hashes that the script prints with those shown in the hall. No program can do that for you.
Draws of version 1 have no closing: they do not fix names, format or earlier closings.

Exit code: 0 if the draw is correct, 1 if it is not, 2 if the file cannot be read.
"""

import json
import sys
from hashlib import sha256
from itertools import zip_longest


def main(path):
    try:
        with sys.stdin if path == "-" else open(path, encoding="utf-8") as file:
            draw = json.load(file)
        if draw["format"] != "backgammon draw" or draw["version"] not in (1, 2):
            raise ValueError("this is not a draw of version 1 or 2")
        errors = problems(draw)
        closing = draw["closing"] if draw["version"] == 2 else {"entries": draw["entries"], "reopened": []}
        heading = f"{draw['event']}, {draw['tournament']}, draw {draw['draw']}"
    except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        print(f"{path} cannot be read: {error!r}", file=sys.stderr)
        return 2
    print(f"{heading}: {len(closing['entries'])} entries, dice {draw['public']}")
    print(f"hash of the secret:      {draw['secret_hash']}\nhash of the entries:     {draw['entries_hash']}")
    for earlier in closing["reopened"]:
        print(f"closed before, reopened: {earlier['entries_hash']} ({earlier['reason']})")
    print("\n".join(errors) or "The draw is correct, if these hashes are the ones shown before the dice.")
    return 1 if errors else 0


def problems(draw):
    """Returns a list of sentences, empty if the draw is correct."""
    return problems_of_version_1(draw) if draw["version"] == 1 else problems_of_version_2(draw)


def problems_of_version_1(draw):
    entries_hash = hash_of(entry_list(draw))
    text = ["backgammon draw v1", draw["secret"], one_line(draw["public"]), entries_hash, str(draw["draw"])]
    computed = {
        "secret_hash": hash_of(draw["secret"]),
        "entries_hash": entries_hash,
        "seed_text": hash_of("\n".join(text)),
        "method": "seeded" if any(entry["seed"] for entry in draw["entries"]) else "random",
    }
    names = {entry["id"]: entry["name"] for entry in draw["entries"]}
    return different_fields(computed, draw) + order_problems(draw, draw, names, computed["seed_text"])


def problems_of_version_2(draw):
    """The closing is hashed exactly as published, so everything that is drawn follows from it."""
    closing, names = draw["closing"], draw["names"]
    entries_hash = hash_of(json.dumps(closing, sort_keys=True, separators=(",", ":"), ensure_ascii=False))
    dice = normal_form_of_dice(closing["public"], draw["public"])
    text = ["backgammon draw v2", draw["secret"], dice, entries_hash, str(closing["draw"])]
    seed_text = hash_of("\n".join(text))
    computed = {"draw": closing["draw"], "secret_hash": hash_of(draw["secret"]), "entries_hash": entries_hash}
    computed.update(public=dice, seed_text=seed_text)
    errors = different_fields(computed, draw)
    if computed["secret_hash"] != closing["secret_hash"]:
        errors.append("entries were closed for another secret")
    for entry in closing["entries"]:
        name = names.get(entry["id"], "")
        if name and hash_of(f"{entry['id']}\n{one_line(name)}") != entry["name_hash"]:
            errors.append(f"entry {entry['id']} was not closed with the name {name}")
    errors += closing_problems(closing, draw["made_at"])
    errors += order_problems(draw, closing, names, seed_text)
    return errors + round_1_problems(draw, seed_text)


def different_fields(computed, draw):
    return [
        f"{name}: {value}, published {draw[name]}" for name, value in computed.items() if value != draw[name]
    ]


def closing_problems(closing, drawn_at):
    errors, times = [], [closing["committed_at"]]
    for number, earlier in enumerate(closing["reopened"], 1):
        if earlier["number"] != number or not earlier["reason"].strip():
            errors.append(f"entries were reopened without a reason, or out of order, after closing {number}")
        times += [earlier["closed_at"], earlier["reopened_at"]]
    times += [closing["closed_at"], drawn_at]
    if times != sorted(times):
        errors.append("the times of closing, reopening and drawing are in an impossible order")
    return errors


def order_problems(draw, fixed, names, seed_text):
    """Problems with the drawn order, and with seats changed later. `fixed` has the rules and the entries."""
    rules = fixed["rules"]
    errors = list(differences("position", names, positions(fixed, seed_text), draw["order"]))
    current = dict(enumerate(draw["order"], 1))
    reasons = [("The draw was made again", fixed["draw"] > 1, draw["reason"])]
    reasons.append(("Byes were given by hand", rules["byes"] == "by_hand", rules["byes_reason"]))
    for change in draw["changes"]:
        if current.get(change["position"]) != change["before"]:
            errors.append(f"position {change['position']} was taken from an entry that was not there")
        reasons.append((f"Position {change['position']} was changed", True, change["reason"]))
        current[change["position"]] = change["after"]
    seated = [current.get(position) for position in range(1, max(current) + 1)]
    while seated and seated[-1] is None:
        seated.pop()
    errors += differences("after the changes, position", names, seated, draw["seated"])
    return errors + [
        f"{action} without a reason" for action, applies, why in reasons if applies and not why.strip()
    ]


def differences(label, names, computed, published):
    names = {entry: f"{name} ({entry})" for entry, name in names.items()}
    names[None] = "a bye"
    for position, (drawn, listed) in enumerate(zip_longest(computed, published), 1):
        if drawn != listed:
            yield f"{label} {position}: drawn {names.get(drawn, drawn)}, published {names.get(listed, listed)}"


# The seed text.


def hash_of(text):
    return sha256(text.encode()).hexdigest()


def one_line(text):
    return " ".join(text.split())


def entry_list(draw):
    """The text that version 1 hashes: a line for the rules, then one for each entry. Tabs separate the fields."""
    rules = draw["rules"]
    chosen = [rules["byes"], rules["seeded_lines"], rules["separate"], str(rules["protected_rounds"])]
    lines = [["byes", *chosen, ",".join(rules["by_hand"])]]
    for entry in draw["entries"]:
        seed = "-" if entry["seed"] is None else str(entry["seed"])
        lines.append([entry["id"], seed, *[one_line(entry[name]) for name in ("club", "country", "team")]])
    return "".join("\t".join(line) + "\n" for line in lines)


# Random numbers: 64 bits each, from the hashes of "SEED/0", "SEED/1", ...


def random_numbers(seed):
    block = 0
    while True:
        digits = hash_of(f"{seed}/{block}")
        yield from (int(digits[start : start + 16], 16) for start in (0, 16, 32, 48))
        block += 1


def random_below(limit, chance):
    """A number from 0 to limit - 1. Skips the few numbers that would make some results more likely."""
    number = next(chance)
    while number >= 2**64 - 2**64 % limit:
        number = next(chance)
    return number % limit


def shuffle(items, seed):
    items, chance = list(items), random_numbers(seed)
    for last in range(len(items) - 1, 0, -1):
        other = random_below(last + 1, chance)
        items[last], items[other] = items[other], items[last]
    return items


# The dice, in their normal form: 31 52 66, the larger die first.


def normal_form_of_dice(public, typed):
    digits = "".join(digit for digit in typed if digit in "0123456789")
    if public["kind"] == "number":
        fits = digits == typed and len(digits) == public["count"]
    else:
        fits = all(digit in "123456" for digit in digits) and len(digits) == 2 * public["count"]
    if not fits:
        return f"{public['count']} {'digits' if public['kind'] == 'number' else 'throws of two dice'}"
    if public["kind"] == "number":
        return digits
    return " ".join("".join(sorted(digits[at : at + 2], reverse=True)) for at in range(0, len(digits), 2))


# Groups and round 1, from the order.


def round_1_problems(draw, seed_text):
    played, order = draw["closing"]["played"], draw["order"]
    groups = {}
    if played["kind"] == "groups":
        dealt = deal_into_groups(order, played["groups"])
        groups = {f"group {number}": members for number, members in enumerate(dealt, 1)}
    errors = [] if groups == draw["groups"] else ["the groups are not those of this draw"]
    columns = ("bracket", "line", "left", "right")
    published = [tuple(row[name] for name in columns) for row in draw["first_round"]]
    computed = round_1(played, order, groups, seed_text, published)
    if sorted(published, key=str) != sorted(computed, key=str):
        errors.append("the pairings of round 1 are not those of this draw")
    return errors


def deal_into_groups(order, count):
    """Entries 1 2 3 go to the first, second and third group, then 4 5 6 from the third back to the first."""
    groups = [[] for _ in range(count)]
    for index, entry in enumerate(order):
        row, column = divmod(index, count)
        groups[column if row % 2 == 0 else count - 1 - column].append(entry)
    return groups


def round_1(played, order, groups, seed_text, published):
    """The pairings as (bracket, line, left, right)."""
    if played["kind"] in ("knockout", "double_elimination"):
        entry_at = dict(enumerate(order, 1))
        lines = [entry_at.get(position) for position in positions_by_line(sheet_size(order))]
        return [("main", at // 2 + 1, lines[at], lines[at + 1]) for at in range(0, len(lines), 2)]
    if played["kind"] in ("groups", "round_robin"):
        return [
            (bracket, line, *pair)
            for bracket, members in (groups or {"main": order}).items()
            for line, pair in enumerate(round_robin_pairs(members), 1)
        ]
    if played["separate"] != "none":
        return published_if_complete(order, published)
    pairs = pairs_by_order(played, [entry for entry in order if entry is not None], seed_text)
    return [("main", line, *pair) for line, pair in enumerate(pairs, 1)]


def round_robin_pairs(members):
    """The first meets the last, the second the last but one. In an odd group the first sits out, on the last line."""
    ring = members + [None] * (len(members) % 2)
    pairs = [(ring[at], ring[-1 - at]) for at in range(len(ring) // 2)]
    return sorted(pairs, key=lambda pair: pair[1] is None)


def pairs_by_order(played, order, seed_text):
    if played["kind"] != "monrad" and played["seeding"] == "chance":
        order = shuffle(order, f"{seed_text}/round 1")
    last = [(order.pop(), None)] if len(order) % 2 else []
    half = len(order) // 2
    if played["kind"] == "monrad":
        return [(order[at], order[at + 1]) for at in range(0, len(order), 2)] + last
    lower = order[half:] if played["seeding"] == "slide" else order[half:][::-1]
    return [(order[at], lower[at]) for at in range(half)] + last


def published_if_complete(order, published):
    """If players are kept apart, round 1 is the result of a search that this script does not repeat. It only checks
    that every entry is in round 1 once. `manage.py verify_draw` computes the pairs again."""
    paired = [entry for pairing in published for entry in pairing[2:] if entry is not None]
    return published if sorted(paired) == sorted(entry for entry in order if entry is not None) else []


# The sheet. Position p meets position size + 1 - p in round 1. A bye is the text "bye", an open position is None.


def positions(draw, seed_text):
    """The entries on positions 1, 2, 3 ...; None is a bye."""
    rules, entries = draw["rules"], [entry["id"] for entry in draw["entries"]]
    entry_of_seed = {entry["seed"]: entry["id"] for entry in draw["entries"] if entry["seed"]}
    seeds = [entry_of_seed[number] for number in sorted(entry_of_seed)]
    placed = list(seeds)
    first = 3
    while rules["seeded_lines"] == "drawn" and first <= len(seeds):
        last = 2 * first - 2
        placed[first - 1 : last] = shuffle(seeds[first - 1 : last], f"{seed_text} lines {first}")
        first = last + 1
    sheet = dict.fromkeys(range(1, sheet_size(entries) + 1))
    sheet.update(enumerate(placed, 1))
    seed_positions = {entry: placed.index(entry) + 1 for entry in seeds}
    with_bye = place_byes(sheet, entries, seed_positions, rules, seed_text)
    lot = shuffle([entry for entry in entries if entry not in seeds], seed_text)
    if rules["separate"] == "none":
        fill(sheet, lot, with_bye)
    else:
        clubs = {entry["id"]: one_line(entry[rules["separate"]]).casefold() for entry in draw["entries"]}
        keep_apart(sheet, lot, with_bye, clubs, rules["protected_rounds"], seed_text)
    order = [None if sheet[position] == "bye" else sheet[position] for position in sheet]
    return order if None in order[: len(entries)] else order[: len(entries)]


def sheet_size(entries):
    return max(2, 1 << (len(entries) - 1).bit_length())


def place_byes(sheet, entries, seed_positions, rules, seed_text):
    """Writes the byes into the sheet. Returns the unseeded entries with a bye, or None if byes belong to positions."""
    size, byes, with_bye = len(sheet), len(sheet) - len(entries), None
    free = [position for position in range(1, size // 2 + 1) if sheet[position] is None]
    if rules["byes"] == "top_seeds":
        opposite = list(seed_positions.values())[:byes]
        opposite += range(len(opposite) + 1, byes + 1)
    elif rules["byes"] == "balanced_lottery":
        opposite = spread_byes(positions_by_line(size), byes, random_numbers(f"{seed_text} byes"))
    else:
        if rules["byes"] == "by_hand":
            chosen = rules["by_hand"]
        else:
            chosen = draw_byes(entries, seed_positions, byes, len(free), seed_text)
        with_bye = [entry for entry in chosen if entry not in seed_positions]
        opposite = [seed_positions[entry] for entry in chosen if entry in seed_positions]
        opposite += shuffle(free, f"{seed_text} bye lines")[: len(with_bye)]
    for position in opposite:
        sheet[size + 1 - position] = "bye"
    return with_bye


def draw_byes(entries, seed_positions, byes, free, seed_text):
    """Every entry has the same chance, but byes never force two seeds to meet in round 1."""
    chosen = []
    for entry in shuffle(entries, f"{seed_text} byes"):
        if len(chosen) < byes and (entry in seed_positions or free > 0):
            chosen.append(entry)
            free -= entry not in seed_positions
    return chosen


def spread_byes(lines, byes, chance):
    """Spreads byes evenly over halves, quarters, eighths. Chance decides where an odd bye goes."""
    if len(lines) == 2:
        return [min(lines)] if byes else []
    upper = byes // 2
    if byes % 2 and random_below(2, chance) == 0:
        upper += 1
    half = len(lines) // 2
    return spread_byes(lines[:half], upper, chance) + spread_byes(lines[half:], byes - upper, chance)


def fill(sheet, lot, with_bye):
    """Fills open positions from 1 on, in the order of the lot. Entries with a bye go opposite a bye."""
    for entry in lot:
        open_positions = (position for position in sheet if sheet[position] is None)
        sheet[next(position for position in open_positions if fits(sheet, position, entry, with_bye))] = entry


def fits(sheet, position, entry, with_bye):
    return with_bye is None or (sheet[len(sheet) + 1 - position] == "bye") == (entry in with_bye)


def positions_by_line(size):
    """The positions from the top line of the sheet to the bottom: 1 8 5 4 3 6 7 2 for eight."""
    lines = [1]
    while len(lines) < size:
        pairs = [(p, 2 * len(lines) + 1 - p) for p in lines]
        lines = [p for at, pair in enumerate(pairs) for p in (pair if at % 2 == 0 else pair[::-1])]
    return lines


class SeparatedSheet:
    """Keeps a club apart. A section of round r is 2^r neighbouring lines: the entries that can meet by round r."""

    def __init__(self, sheet, with_bye, clubs, rounds):
        self.sheet, self.with_bye, self.clubs = sheet, with_bye, clubs
        self.lines = positions_by_line(len(sheet))
        self.widest = min(2**rounds, len(sheet))
        self.line = {position: line for line, position in enumerate(self.lines)}

    def section(self, position, width):
        first = self.line[position] // width * width
        return self.lines[first : first + width]

    def members(self, section, club):
        return sum(self.clubs.get(self.sheet[p]) == club for p in section) if club else 0

    def room(self, section, entry):
        return sum(self.sheet[p] is None and fits(self.sheet, p, entry, self.with_bye) for p in section)

    def deal(self, entry, chance):
        """Halves the sections down to one line: fewest members of the club first, then most room, then by lot."""
        sections = [self.lines[at : at + self.widest] for at in range(0, len(self.lines), self.widest)]
        while True:
            ranked = [(self.members(s, self.clubs[entry]), -self.room(s, entry), s) for s in sections]
            ranked = [rank for rank in ranked if rank[1] < 0]
            best = min(rank[:2] for rank in ranked)
            tied = [rank[2] for rank in ranked if rank[:2] == best]
            section = tied[random_below(len(tied), chance)]
            if len(section) == 1:
                self.sheet[section[0]] = entry
                return
            half = len(section) // 2
            sections = [section[:half], section[half:]]

    def club_pairs(self, first, second):
        """How many pairs of one club could meet in the sections of two positions, round by round."""
        counts, width = [], 2
        while width <= self.widest:
            pairs = 0
            for section in {tuple(self.section(p, width)) for p in (first, second)}:
                clubs = [self.clubs[self.sheet[p]] for p in section if self.clubs.get(self.sheet[p])]
                pairs += sum(clubs[:at].count(club) for at, club in enumerate(clubs))
            counts.append(pairs)
            width *= 2
        return counts

    def exchange_if_better(self, first, second):
        """Exchanges two entries if fewer of one club can meet then, early rounds first. Byes given by name stay."""
        exchanged = ((first, self.sheet[second]), (second, self.sheet[first]))
        if not all(fits(self.sheet, position, entry, self.with_bye) for position, entry in exchanged):
            return False
        sheet, before = self.sheet, self.club_pairs(first, second)
        sheet[first], sheet[second] = sheet[second], sheet[first]
        if self.club_pairs(first, second) < before:
            return True
        sheet[first], sheet[second] = sheet[second], sheet[first]
        return False

    def is_crowded(self, position):
        return self.members(self.section(position, self.widest), self.clubs[self.sheet[position]]) > 1


def keep_apart(sheet, lot, with_bye, clubs, rounds, seed_text):
    """Places the largest club first, clubs of equal size in the order of the lot, and entries without a club last."""
    separated = SeparatedSheet(sheet, with_bye, clubs, rounds)
    chance = random_numbers(f"{seed_text} separation")
    all_clubs = list(clubs.values())
    clubs_in_lot = [clubs[entry] for entry in lot]

    def rank(entry):
        club = clubs[entry]
        return (-all_clubs.count(club), clubs_in_lot.index(club)) if club else (0, 0)

    for entry in sorted(lot, key=rank):
        separated.deal(entry, chance)
    free = shuffle([p for p in separated.lines if sheet[p] in lot], f"{seed_text} exchanges")
    while any(
        separated.is_crowded(first) and any(separated.exchange_if_better(first, second) for second in free)
        for first in free
    ):
        pass


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
