"""The same short match in the hands of several sites and programs is the same record."""

import pytest

from rules.record.model import Claim
from rules.score import Side
from tests.rules.record.samples import codes, game_lines, record_of

PROGRAM = """\
; [EventDate "2026.04.01"]

 5 point match

 Game 1
 Ana : 0                        Bo : 0
  1)                             31: 8/5 6/5
  2) 52: 13/8 24/22              64: 24/18* 18/14
  3) 66:                          Doubles => 2
  4)  Takes                      21: 25/23 6/5*
  5) 41: 25/21 21/20*            33: 13/10 13/10 6/3 6/3
      Wins 4 points

 Game 2
 Ana : 4                        Bo : 0
  1) 61: 13/7 8/7                43: 24/20 13/10
      Wins 1 point
"""

STUDIO = """\
; [Site "A Studio"]\r
; [Player 1 "Ana"]\r
; [Player 2 "Bo"]\r
; [Crawford "On"]\r
\r
5 point match\r
\r
\r
 Game 1\r
 Ana : 0                                Bo : 0\r
  1)                                    31: 8/5 6/5\r
  2) 52: 13/8 24/22                     64: 24/18*/14\r
  3) 66: Cannot Move                     Doubles => 2\r
  4)  Takes                             21: bar/23 6/5*\r
  5) 41: bar/21 21/20*                  33: 13/10(2) 6/3(2)\r
  6)  Wins 4 point                      \r
  7)                                    \r
\r
 Game 2\r
 Ana : 4                                Bo : 0\r
  1) 61: 13/7 8/7                       43: 24/20 13/10\r
  2)  Wins 1 point                      \r
  3)                                    \r
"""

EXTREME = """\
\ufeff; [Site ""]
; [Match ID "1"]
; [CubeLimit "1024"]

5 point match

 Game 1
 Ana : 0                               Bo : 0
  1)                                   31: 8/5 6/5
  2) 52: 13/8 24/22                    64: 24/18* 18/14
  3) 66: Cannot Move                    Doubles => 2
  4)  Takes                            21: Bar/23 6/5*
  5) 41: Bar/21 21/20*                 33: 13/10(2) 6/3(2)

      Wins 4 point

 Game 2
 Ana : 4                               Bo : 0
  1) 61: 13/7 8/7                      43: 24/20 13/10
      Wins 1 point and the match
"""

SERVER = """\
; [Site "A server"]

5 point match

 Game 1
 Ana: 0                                   Bo: 0
  1)                                          31: 8/5 6/5
  2) 52: 13/8 24/22                           64: 24/18* 18/14
  3) 66:                                      Doubles => 2
  4) Takes                                    21: 25/23 6/5*
  5) 41: 25/21 21/20*                         33: 13/10 13/10 6/3 6/3
   Wins 4 points

 Game 2
 Ana: 4                                   Bo: 0
  1) 61: 13/7 8/7                             43: 24/20 13/10
  2)                                          Resigns
   Wins 1 point and the match
"""

GALAXY = """\
; [Site "A galaxy"]
5 point match

 Game 1
 Ana,1810 : 0                    Bo,1644 : 0
  1)                             31: 8/5 6/5
  2) 52: 13/8 24/22              64: 24/18* 18/14
  3) 66:                          Doubles => 2
  4)  Takes                      21: 25/23 6/5*
  5) 41: 25/21 21/20*            33: 13/10 13/10 6/3 6/3
  6)                              Losses 4 points
      Wins 4 points

 Game 2
 Ana,1810 : 4                    Bo,1644 : 0
  1) 61: 13/7 8/7 43: 24/20 13/10
  2)                              Losses 1004 points

      Wins 1004 points and the match
"""

TABS = """\
5 point match
Game 1
Ana : 0\t\tBo : 0
1)\t\t31: 8/5 6/5
2)\t52: 13/8 24/22\t64: 24/18* 18/14
3)\t66:\tDoubles => 2
4)\tTakes\t21: 25/23 6/5*
5)\t41: 25/21 21/20*\t33: 13/10 13/10 6/3 6/3
\tWins 4 points
Game 2
Ana : 4\t\tBo : 0
1)\t61: 13/7 8/7\t43: 24/20 13/10
2)\t\tResigns
\tWins 1 point
"""

SQUEEZED = """\
5 point match
Game 1
Ana : 0 Bo : 0
1) 31: 8/5 6/5
2) 52: 13/8 24/22 64: 24/18* 18/14
3) 66: Doubles => 2
4) Takes 21: 25/23 6/5*
5) 41: 25/21 21/20* 33: 13/10(2) 6/3(2)
Wins 4 points
Game 2
Ana : 4 Bo : 0
1) 61: 13/7 8/7 43: 24/20 13/10
Wins 1 point
"""


def padded(text: str) -> str:
    """Every line filled up with blanks, as some write them."""
    return "\n".join(line.ljust(80) for line in text.split("\n"))


FIRST_GAME = [
    "R 31 8/5 6/5",
    "L 52 13/8 24/22",
    "R 64 24/18* 18/14",
    "L 66",
    "R double 2",
    "L take",
    "R 21 25/23 6/5*",
    "L 41 25/21 21/20*",
    "R 33 13/10 13/10 6/3 6/3",
]
SECOND_GAME = ["L 61 13/7 8/7", "R 43 24/20 13/10"]


@pytest.mark.parametrize(
    "text",
    [PROGRAM, STUDIO, padded(EXTREME), padded(SERVER), GALAXY, TABS, SQUEEZED],
    ids=["program", "studio", "extreme", "server", "galaxy", "tabs", "squeezed"],
)
def test_the_dialects_of_all_sites_give_the_same_match(text):
    record = record_of(text)
    assert (record.length, record.names, codes(record)) == (5, ("Ana", "Bo"), [])
    first, second = record.games
    assert [line.replace(" pass", "") for line in game_lines(first)] == FIRST_GAME
    assert game_lines(second)[:2] == SECOND_GAME
    assert (first.score, second.score) == ((0, 0), (4, 0))
    assert (first.claim.winner, first.claim.points) == (Side.LEFT, 4)


def test_a_resignation_that_one_site_marks_with_1004_points_is_kept_as_written():
    assert record_of(GALAXY).games[1].claim == Claim(Side.LEFT, 1004, is_last=True, line=19)
