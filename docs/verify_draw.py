#!/usr/bin/env python3
"""Makes a published draw of a backgammon tournament again and says whether it is what it should be.

    python3 verify_draw.py draw.json

It needs nothing but Python 3.8 or newer, and asks the program that made the draw nothing: everything below is written
down anew, to be read. How the draw is made:

- Before entries closed, a secret was made and its hash was shown. After entries closed, the hash of the closing was
  shown (format, rules, how many dice count, every entry with its name, and every earlier closing), and dice were
  thrown in the hall. Compare the hashes that are printed with those you saw then: no program can do that for you.
- Secret, dice and closing together give one long number, the seed text. It gives the shuffles.
- Seeds stand on their lines, all others are shuffled. Byes, and keeping players of one club apart, follow rules.
- Groups and round 1 follow from the order.

Draws of version 1 have no closing: names, format and earlier closings are not part of what they prove.

Ends with 0 when the draw is as it should be, 1 when something is not, 2 when the file cannot be read.
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
            raise ValueError("this is no draw of version 1 or 2")
        wrong = problems(draw)
        closing = draw["closing"] if draw["version"] == 2 else {"entries": draw["entries"], "reopened": []}
        heading = f"{draw['event']}, {draw['tournament']}, draw {draw['draw']}"
    except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        print(f"{path} cannot be read: {error!r}", file=sys.stderr)
        return 2
    print(f"{heading}: {len(closing['entries'])} entries, dice {draw['public']}")
    print(f"hash of the secret:      {draw['secret_hash']}\nhash of the entries:     {draw['entries_hash']}")
    for one in closing["reopened"]:
        print(f"closed before, reopened: {one['entries_hash']} ({one['reason']})")
    print("\n".join(wrong) or "The draw is as it should be, if these hashes are those shown beforehand.")
    return 1 if wrong else 0


def problems(draw):
    return problems_1(draw) if draw["version"] == 1 else problems_2(draw)


def problems_1(draw):
    listed = hashed(entry_list(draw))
    text = ["backgammon draw v1", draw["secret"], one_line(draw["public"]), listed, str(draw["draw"])]
    right = {
        "secret_hash": hashed(draw["secret"]),
        "entries_hash": listed,
        "seed_text": hashed("\n".join(text)),
        "method": "seeded" if any(entry["seed"] for entry in draw["entries"]) else "random",
    }
    names = {entry["id"]: entry["name"] for entry in draw["entries"]}
    wrong = [f"{name}: {right[name]}, published {draw[name]}" for name in right if right[name] != draw[name]]
    return wrong + positions_and_changes(draw, draw, names, right["seed_text"])


def problems_2(draw):
    """The closing is hashed as it is published, so all that is drawn follows from it."""
    closing, names = draw["closing"], draw["names"]
    listed = hashed(json.dumps(closing, sort_keys=True, separators=(",", ":"), ensure_ascii=False))
    public = spelling(closing["public"], draw["public"])
    text = ["backgammon draw v2", draw["secret"], public, listed, str(closing["draw"])]
    seed = hashed("\n".join(text))
    right = {"draw": closing["draw"], "secret_hash": hashed(draw["secret"]), "entries_hash": listed}
    right.update(public=public, seed_text=seed)
    wrong = [f"{name}: {right[name]}, published {draw[name]}" for name in right if right[name] != draw[name]]
    if right["secret_hash"] != closing["secret_hash"]:
        wrong.append("entries were closed for another secret")
    for entry in closing["entries"]:
        name = names.get(entry["id"], "")
        if name and hashed(f"{entry['id']}\n{one_line(name)}") != entry["name_hash"]:
            wrong.append(f"entry {entry['id']} was not closed with the name {name}")
    times = [closing["committed_at"]]
    for number, one in enumerate(closing["reopened"], 1):
        if one["number"] != number or not one["reason"].strip():
            wrong.append(f"entries were reopened without a reason or out of turn after closing {number}")
        times += [one["closed_at"], one["reopened_at"]]
    times += [closing["closed_at"], draw["made_at"]]
    if times != sorted(times):
        wrong.append("entries were closed, reopened and drawn in an order that cannot be")
    wrong += positions_and_changes(draw, closing, names, seed)
    return wrong + beginning(draw, seed)


def positions_and_changes(draw, fixed, names, seed):
    """What is wrong with the order, and with the seats given to others since; `fixed` has the rules and the entries."""
    rules = fixed["rules"]
    wrong = list(differences("position", names, positions(fixed, seed), draw["order"]))
    now = dict(enumerate(draw["order"], 1))
    reasons = [("The draw was made again", fixed["draw"] > 1, draw["reason"])]
    reasons.append(("Byes were given by hand", rules["byes"] == "by_hand", rules["byes_reason"]))
    for change in draw["changes"]:
        if now.get(change["position"]) != change["before"]:
            wrong.append(f"position {change['position']} was taken from somebody who was not there")
        reasons.append((f"Position {change['position']} was changed", True, change["reason"]))
        now[change["position"]] = change["after"]
    seated = [now.get(position) for position in range(1, max(now) + 1)]
    while seated and seated[-1] is None:
        seated.pop()
    wrong += differences("after the changes, position", names, seated, draw["seated"])
    return wrong + [f"{deed} without a reason" for deed, done, why in reasons if done and not why.strip()]


def differences(what, names, right, published):
    names = {entry: f"{name} ({entry})" for entry, name in names.items()}
    names[None] = "a bye"
    for position, (one, other) in enumerate(zip_longest(right, published), 1):
        if one != other:
            yield f"{what} {position}: drawn {names.get(one, one)}, published {names.get(other, other)}"


# The seed text.


def hashed(text):
    return sha256(text.encode()).hexdigest()


def one_line(text):
    return " ".join(text.split())


def entry_list(draw):
    """The text that is hashed: a line for the rules, then one for each entry; tabs between, each line ended."""
    rules = draw["rules"]
    chosen = [rules["byes"], rules["seeded_lines"], rules["separate"], str(rules["protected_rounds"])]
    lines = [["byes", *chosen, ",".join(rules["by_hand"])]]
    for entry in draw["entries"]:
        seed = "-" if entry["seed"] is None else str(entry["seed"])
        lines.append([entry["id"], seed, *[one_line(entry[name]) for name in ("club", "country", "team")]])
    return "".join("\t".join(line) + "\n" for line in lines)


# Chance: numbers of 64 bits from the hashes of "SEED/0", "SEED/1", ...


def numbers(seed):
    block = 0
    while True:
        digits = hashed(f"{seed}/{block}")
        yield from (int(digits[at : at + 16], 16) for at in (0, 16, 32, 48))
        block += 1


def below(n, chance):
    """A number from 0 to n - 1. The few numbers that would favour some are passed over."""
    number = next(chance)
    while number >= 2**64 - 2**64 % n:
        number = next(chance)
    return number % n


def shuffle(items, seed):
    items, chance = list(items), numbers(seed)
    for last in range(len(items) - 1, 0, -1):
        other = below(last + 1, chance)
        items[last], items[other] = items[other], items[last]
    return items


# What was thrown, in its one spelling: 31 52 66, the larger die first.


def spelling(public, typed):
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


def beginning(draw, seed):
    """What is wrong with the groups and with round 1."""
    played, order = draw["closing"]["played"], draw["order"]
    groups = {}
    if played["kind"] == "groups":
        groups = {
            f"group {number}": members for number, members in enumerate(deal(order, played["groups"]), 1)
        }
    wrong = [] if groups == draw["groups"] else ["the groups are not those of this draw"]
    meetings = [(one["bracket"], one["line"], one["left"], one["right"]) for one in draw["first_round"]]
    if sorted(meetings, key=str) != sorted(first_round(played, order, groups, seed, meetings), key=str):
        wrong.append("the meetings of round 1 are not those of this draw")
    return wrong


def deal(order, groups):
    """1 2 3 to the first, second and third group, then 4 5 6 from the third back."""
    members = [[] for _ in range(groups)]
    for at, entry in enumerate(order):
        row, column = divmod(at, groups)
        members[column if row % 2 == 0 else groups - 1 - column].append(entry)
    return members


def first_round(played, order, groups, seed, published):
    if played["kind"] in ("knockout", "double_elimination"):
        there = dict(enumerate(order, 1))
        size = 2
        while size < len(order):
            size *= 2
        lines = [there.get(position) for position in lines_of(size)]
        return [("main", at // 2 + 1, lines[at], lines[at + 1]) for at in range(0, size, 2)]
    if played["kind"] in ("groups", "round_robin"):
        tables = groups or {"main": order}
        return [
            (key, line, *pair)
            for key, members in tables.items()
            for line, pair in enumerate(in_a_ring(members), 1)
        ]
    if played["separate"] != "none":
        return apart(order, published)
    pairs = by_records(played, [entry for entry in order if entry is not None], seed)
    return [("main", line, *pair) for line, pair in enumerate(pairs, 1)]


def in_a_ring(members):
    """The first meets the last, the second the last but one; of an odd number the first sits out, on the last line."""
    ring = members + [None] * (len(members) % 2)
    pairs = [(ring[at], ring[-1 - at]) for at in range(len(ring) // 2)]
    return sorted(pairs, key=lambda pair: pair[1] is None)


def by_records(played, order, seed):
    if played["kind"] != "monrad" and played["seeding"] == "chance":
        order = shuffle(order, f"{seed}/round 1")
    last = [(order.pop(), None)] if len(order) % 2 else []
    half = len(order) // 2
    if played["kind"] == "monrad":
        return [(order[at], order[at + 1]) for at in range(0, len(order), 2)] + last
    lower = order[half:] if played["seeding"] == "slide" else order[half:][::-1]
    return [(order[at], lower[at]) for at in range(half)] + last


def apart(order, published):
    """Where players are kept apart, round 1 is a search for the cheapest pairs, which is not repeated here: it is only
    looked at whether everybody is in it once. `manage.py verify_draw` pairs it again."""
    paired = [entry for meeting in published for entry in meeting[2:] if entry is not None]
    return published if sorted(paired) == sorted(entry for entry in order if entry is not None) else []


# The sheet. Position p meets position size + 1 - p first. A bye is the text "bye", an open position is None.


def positions(draw, seed):
    """Who stands on positions 1, 2, 3 ...; None is a bye."""
    rules, entries = draw["rules"], [entry["id"] for entry in draw["entries"]]
    numbered = {entry["seed"]: entry["id"] for entry in draw["entries"] if entry["seed"]}
    seeds = [numbered[number] for number in sorted(numbered)]
    standing = list(seeds)
    first = 3
    while rules["seeded_lines"] == "drawn" and first <= len(seeds):
        standing[first - 1 : 2 * first - 2] = shuffle(
            seeds[first - 1 : 2 * first - 2], f"{seed} lines {first}"
        )
        first = 2 * first - 1
    size = 2
    while size < len(entries):
        size *= 2
    sheet = dict.fromkeys(range(1, size + 1))
    sheet.update(enumerate(standing, 1))
    where = {entry: standing.index(entry) + 1 for entry in seeds}
    lucky = place_byes(sheet, entries, where, rules, seed)
    lot = shuffle([entry for entry in entries if entry not in seeds], seed)
    if rules["separate"] == "none":
        fill(sheet, lot, lucky)
    else:
        clubs = {entry["id"]: one_line(entry[rules["separate"]]).casefold() for entry in draw["entries"]}
        keep_apart(sheet, lot, lucky, clubs, rules["protected_rounds"], seed)
    order = [None if sheet[position] == "bye" else sheet[position] for position in sheet]
    return order if None in order[: len(entries)] else order[: len(entries)]


def place_byes(sheet, entries, where, rules, seed):
    """Writes the byes into the sheet; returns who has one by name, None where byes belong to positions."""
    size, byes, lucky = len(sheet), len(sheet) - len(entries), None
    free = [position for position in range(1, size // 2 + 1) if sheet[position] is None]
    if rules["byes"] == "top_seeds":
        through = list(where.values())[:byes]
        through += range(len(through) + 1, byes + 1)
    elif rules["byes"] == "balanced_lottery":
        through = share(lines_of(size), byes, numbers(f"{seed} byes"))
    else:
        names = (
            rules["by_hand"] if rules["byes"] == "by_hand" else lottery(entries, where, byes, len(free), seed)
        )
        lucky = [entry for entry in names if entry not in where]
        through = [where[entry] for entry in names if entry in where]
        through += shuffle(free, f"{seed} bye lines")[: len(lucky)]
    for position in through:
        sheet[size + 1 - position] = "bye"
    return lucky


def lottery(entries, where, byes, room, seed):
    """Everybody is as lucky as the others, but no two seeds meet at once because of somebody's luck."""
    names = []
    for entry in shuffle(entries, f"{seed} byes"):
        if len(names) < byes and (entry in where or room > 0):
            names.append(entry)
            room -= entry not in where
    return names


def share(lines, byes, chance):
    """Byes spread evenly over halves, quarters, eighths; chance decides where the odd one goes."""
    if len(lines) == 2:
        return [min(lines)] if byes else []
    upper = byes // 2
    if byes % 2 and below(2, chance) == 0:
        upper += 1
    half = len(lines) // 2
    return share(lines[:half], upper, chance) + share(lines[half:], byes - upper, chance)


def fill(sheet, lot, lucky):
    """The free positions from 1 on, in the order of the lot; those with byes of their own where a bye is."""
    for entry in lot:
        open_ones = (position for position in sheet if sheet[position] is None)
        sheet[next(position for position in open_ones if suits(sheet, position, entry, lucky))] = entry


def suits(sheet, position, entry, lucky):
    return lucky is None or (sheet[len(sheet) + 1 - position] == "bye") == (entry in lucky)


def lines_of(size):
    """The positions from the top line of the sheet to the bottom: 1 8 5 4 3 6 7 2 for eight."""
    lines = [1]
    while len(lines) < size:
        pairs = [(p, 2 * len(lines) + 1 - p) for p in lines]
        lines = [p for at, pair in enumerate(pairs) for p in (pair if at % 2 == 0 else pair[::-1])]
    return lines


# Keeping a club apart. A section of round r is 2^r neighbouring lines: those who can meet by then.


class Apart:
    """The sheet while those of one club are kept apart."""

    def __init__(self, sheet, lucky, clubs, rounds):
        self.sheet, self.lucky, self.clubs = sheet, lucky, clubs
        self.lines = lines_of(len(sheet))
        self.widest = min(2**rounds, len(sheet))
        self.line = {position: line for line, position in enumerate(self.lines)}

    def section(self, position, width):
        first = self.line[position] // width * width
        return self.lines[first : first + width]

    def members(self, section, club):
        return sum(self.clubs.get(self.sheet[p]) == club for p in section) if club else 0

    def room(self, section, entry):
        return sum(self.sheet[p] is None and suits(self.sheet, p, entry, self.lucky) for p in section)

    def deal(self, entry, chance):
        """To where fewest of the club are, of these where most room is, of these by lot; then within, to one line."""
        sections = [self.lines[at : at + self.widest] for at in range(0, len(self.lines), self.widest)]
        while True:
            ranked = [(self.members(s, self.clubs[entry]), -self.room(s, entry), s) for s in sections]
            ranked = [rank for rank in ranked if rank[1] < 0]
            best = min(rank[:2] for rank in ranked)
            tied = [rank[2] for rank in ranked if rank[:2] == best]
            section = tied[below(len(tied), chance)]
            if len(section) == 1:
                self.sheet[section[0]] = entry
                return
            half = len(section) // 2
            sections = [section[:half], section[half:]]

    def pairs(self, one, other):
        """How many of one club could meet in the sections of two positions, round by round."""
        counts, width = [], 2
        while width <= self.widest:
            found = 0
            for section in {tuple(self.section(p, width)) for p in (one, other)}:
                there = [self.clubs[self.sheet[p]] for p in section if self.clubs.get(self.sheet[p])]
                found += sum(there[:at].count(club) for at, club in enumerate(there))
            counts.append(found)
            width *= 2
        return counts

    def exchange(self, one, other):
        self.sheet[one], self.sheet[other] = self.sheet[other], self.sheet[one]

    def helps(self, one, other):
        """Exchanges two if that leaves fewer such pairs, round 1 before all later; byes by name stay with their own."""
        pairs = ((one, self.sheet[other]), (other, self.sheet[one]))
        if not all(suits(self.sheet, position, entry, self.lucky) for position, entry in pairs):
            return False
        before = self.pairs(one, other)
        self.exchange(one, other)
        if self.pairs(one, other) < before:
            return True
        self.exchange(one, other)
        return False

    def is_crowded(self, position):
        return self.members(self.section(position, self.widest), self.clubs[self.sheet[position]]) > 1


def keep_apart(sheet, lot, lucky, clubs, rounds, seed):
    """The largest club is dealt out first, of equal ones the one that the lot names first; those of none come last."""
    apart, chance = Apart(sheet, lucky, clubs, rounds), numbers(f"{seed} separation")
    everybody = list(clubs.values())
    named = [clubs[entry] for entry in lot]
    order = {e: (-everybody.count(clubs[e]), named.index(clubs[e])) if clubs[e] else (0, 0) for e in lot}
    for entry in sorted(lot, key=order.get):
        apart.deal(entry, chance)
    loose = shuffle([position for position in apart.lines if sheet[position] in lot], f"{seed} exchanges")
    while any(apart.is_crowded(one) and any(apart.helps(one, other) for other in loose) for one in loose):
        pass


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
