"""Phones on a bad network: what they send arrives twice, late, and in another order."""

import random
import uuid
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

from matches.models import CardRow, Match
from tests.flows import replay
from tests.flows.hall import Hall, OpenMatch, game_row, open_hall
from tests.flows.waiting import until_all_advanced
from tournament.models import Question, Result
from tournament.rehearsal.wire import Answer, Wire

TIMES_EACH = 3


def rows_of(hall: Hall, table: OpenMatch) -> list[dict[str, object]]:
    """The games of a match as a phone queues them: each names the one before."""
    rows: list[dict[str, object]] = []
    for game in hall.games_of(table):
        rows.append(game_row(game, uuid.UUID(str(rows[-1]["key"])) if rows else table.match))
    return rows


def hand_in(hall: Hall, entry: uuid.UUID, table: OpenMatch, rows: list[dict[str, object]]) -> list[Answer]:
    """Sends the rows in this order, from one phone."""
    wire = Wire(hall.site.url, hall.tokens[entry])
    return [wire.post(f"/api/v1/matches/{table.match}/games/", row) for row in rows]


def shuffled(rows: list[dict[str, object]], seed: int) -> list[dict[str, object]]:
    many = rows * TIMES_EACH
    random.Random(seed).shuffle(many)
    return many


def test_games_sent_repeatedly_in_any_order_are_stored_once_in_order(stage):
    hall = open_hall(stage, entries=2, length=9)
    table = hall.open_matches()[0]
    rows = rows_of(hall, table)
    taken: dict[str, list[object]] = {}
    tries = 0
    while len(taken) < len(rows):
        tries += 1
        with ThreadPoolExecutor(4) as threads:
            sent = [shuffled(rows, seed) for seed in range(tries, tries + 4)]
            answers = list(threads.map(lambda queue: hand_in(hall, table.left, table, queue), sent))
        for queue, heard in zip(sent, answers, strict=True):
            for row, answer in zip(queue, heard, strict=True):
                assert answer.status in (201, 409), answer
                if answer.status == 201:
                    taken.setdefault(str(row["key"]), []).append(answer.body)
        assert tries <= len(rows)
    assert all(answers == [answers[0]] * len(answers) for answers in taken.values())
    with stage.database():
        stored = list(CardRow.objects.filter(card__match_id=table.match).order_by("number"))
        assert [str(row.key) for row in stored] == [row["key"] for row in rows]
        assert all(later.predecessor == row.key for row, later in pairwise(stored))


def test_a_repeated_confirmation_posts_one_result(stage):
    hall = open_hall(stage, entries=4)
    table = hall.open_matches()[0]
    tail = hall.phone(table.left).enter(table.match, hall.games_of(table))
    path, body = f"/api/v1/matches/{table.match}/confirm/", {"tail": str(tail)}
    with ThreadPoolExecutor(6) as threads:
        answers = list(
            threads.map(lambda _: Wire(stage.url, hall.tokens[table.right]).post(path, body), range(12))
        )
    assert [(answer.status, answer.body["state"]) for answer in answers] == [(200, "posted")] * 12
    with stage.database():
        until_all_advanced(stage)
        assert Result.objects.count() == 1
        assert replay.stored_seats(hall.tournament) == replay.resolved_seats(hall.tournament)


def test_two_agreeing_cards_post_a_result_without_the_desk(stage):
    hall = open_hall(stage, entries=2, length=5)
    table = hall.open_matches()[0]
    with ThreadPoolExecutor(2) as threads:
        sides = (table.left, table.right)
        answers = list(threads.map(lambda side: hand_in(hall, side, table, rows_of(hall, table)), sides))
    assert {answer.status for heard in answers for answer in heard} == {201}
    with stage.database():
        assert Match.objects.get(pk=table.match).state == "posted"
        assert str(Result.objects.get().winner_id) == str(hall.winner_of(table))


def test_a_card_sent_after_the_result_opens_a_question_only(stage):
    hall = open_hall(stage, entries=2)
    table = hall.open_matches()[0]
    hall.play(table)
    late = hand_in(hall, table.right, table, rows_of(hall, table)[:1] * 2)
    assert [answer.status for answer in late] == [202, 202]
    with stage.database():
        assert Question.objects.get().kind == "late_card"
        assert Result.objects.get().winner_id == hall.winner_of(table)
