"""The glossary: terms of backgammon and pairing. The keys are anchors of the help page.

The marks beside fields and columns come from the mappings at the end.
"""

from collections.abc import Mapping

from django.utils.translation import gettext_lazy as _

from tournament.draw.formats import Kind
from tournament.draw.standings import TieBreak
from tournament.pages.help.money_topics import MONEY_TERMS
from tournament.pages.help.topic import Topic

TERMS = (
    Topic(
        "bye",
        _("Bye"),
        _("A player without an opponent in a round advances, or gets the point of the round."),
    ),
    Topic(
        "walkover",
        _("Walkover"),
        _("A match decided without play, because the opponent did not come or withdrew."),
    ),
    Topic(
        "no-show",
        _("No-show"),
        _("A player did not come to a match. The opponent wins it without play."),
    ),
    Topic(
        "seed",
        _("Seed"),
        _("A number for a strong player. Seeded players are placed so that they meet late."),
    ),
    Topic(
        "seed-text",
        _("Seed text"),
        _(
            "The start of the random numbers of a draw. With the same entries and the same text, "
            "everybody gets the same draw and can check it."
        ),
    ),
    Topic(
        "public-draw",
        _("Public draw"),
        _(
            "A draw that anyone can check: the entries are closed and a secret is fixed first, then dice "
            "are thrown in the hall."
        ),
    ),
    Topic(
        "consolation",
        _("Consolation"),
        _(
            "A second bracket for players who lost in the main bracket. In a simple one only the losers of "
            "the first match play."
        ),
    ),
    Topic(
        "last-chance",
        _("Last chance"),
        _("A third bracket, for players who lost in the consolation too. It is often short."),
    ),
    Topic(
        "progressive",
        _("Progressive consolation"),
        _(
            "Losers of the first rounds start at once, and losers of later rounds join in later rounds of"
            " the consolation."
        ),
    ),
    Topic(
        "feed-in",
        _("Feed-in consolation"),
        _("Losers of later rounds join round by round and meet the winners of the consolation so far."),
    ),
    Topic(
        "drop-notation",
        _("Drop notation"),
        _(
            "A short text that says in which round of a consolation the losers of each main round come "
            "in, such as “A.B.|.C.|”. A letter stands for the losers of one main round: A for the first "
            "round."
        ),
    ),
    Topic(
        "knock-out",
        _("Knock-out"),
        _("The winner of a match plays on. The loser is out, or drops to a consolation."),
    ),
    Topic(
        "double-elimination",
        _("Double elimination"),
        _(
            "A player is out after the second loss. The winner of the lower bracket meets the winner of "
            "the upper bracket in the final."
        ),
    ),
    Topic(
        "round-robin",
        _("Round robin"),
        _("Everybody plays everybody. The crosstable shows all results."),
    ),
    Topic(
        "groups",
        _("Groups and play-off"),
        _("Players of a group all meet. The best of each group play a knock-out, the play-off."),
    ),
    Topic(
        "swiss",
        _("Swiss"),
        _(
            "Everybody plays each round against an opponent with about the same number of wins. Two "
            "players meet at most once."
        ),
    ),
    Topic(
        "monrad",
        _("Monrad"),
        _("A fixed number of rounds. In each round, neighbours in the standings meet."),
    ),
    Topic(
        "lives",
        _("Lives"),
        _("Each loss costs a life. A player without lives is out."),
    ),
    Topic(
        "lasted",
        _("Lasted to round"),
        _("A tie-break with lives: the last round in which a player still had a life."),
    ),
    Topic(
        "lives-left",
        _("Lives left"),
        _("A tie-break with lives: the losses that a player can still afford."),
    ),
    Topic(
        "re-entry",
        _("Re-entry"),
        _("A player who is out pays again and comes back with a new entry."),
    ),
    Topic(
        "tie-break",
        _("Tie-break"),
        _(
            "It decides the order of players with the same score. Tie-breaks are applied in order, "
            "until one separates the players."
        ),
    ),
    Topic(
        "score",
        _("Score"),
        _("The matches that a player has won. Byes and walkovers count where the tournament says so."),
    ),
    Topic(
        "losses",
        _("Losses"),
        _("While matches of a group are open, fewer losses come first among players with the same score."),
    ),
    Topic(
        "buchholz",
        _("Buchholz"),
        _(
            "A tie-break: the sum of the scores of all opponents. Median Buchholz leaves out the best and"
            " the worst of them, another form only the worst. A bye usually counts as an opponent with the"
            " player's own score."
        ),
    ),
    Topic(
        "sonneborn-berger",
        _("Sonneborn-Berger"),
        _("A tie-break: the sum of the scores of the opponents that a player has beaten."),
    ),
    Topic(
        "head-to-head",
        _("Head-to-head"),
        _("A tie-break: wins in the matches among the tied players, if all of them met equally often."),
    ),
    Topic(
        "defeated-scores",
        _("Wins of those beaten"),
        _("A tie-break: the matches that the opponents whom a player has beaten won at the board."),
    ),
    Topic(
        "cumulative",
        _("Cumulative score"),
        _("A tie-break: the sum of the scores after each round, so that early wins count more."),
    ),
    Topic(
        "performance-rating",
        _("Performance rating"),
        _("A tie-break that comes from the quality of play. Smaller is better."),
    ),
    Topic(
        "play-off",
        _("Play-off match"),
        _("A match that decides between tied players."),
    ),
    Topic(
        "lot",
        _("Lot"),
        _("Chance decides between tied players. The lot is drawn with the seed text."),
    ),
    Topic(
        "points-difference",
        _("Points difference"),
        _("A tie-break: points won minus points lost. Credited: no match counts more than its length."),
    ),
    Topic(
        "match-length",
        _("Match length"),
        _("The points that win a match. A match to 7 ends when a player has 7 points or more."),
    ),
    Topic(
        "cube",
        _("Doubling cube"),
        _("It multiplies the points of a game. The opponent takes a double, or drops and loses the game."),
    ),
    Topic(
        "beaver",
        _("Beaver"),
        _("The player who takes a double turns the cube once more and keeps it. Used in play for stakes."),
    ),
    Topic(
        "automatic-double",
        _("Automatic double"),
        _("Both players roll the same number in the opening: the cube is doubled before the game begins."),
    ),
    Topic(
        "gammon",
        _("Gammon and backgammon"),
        _(
            "A gammon counts twice the cube: the loser has borne no checker off. A backgammon counts "
            "three times the cube."
        ),
    ),
    Topic(
        "crawford",
        _("Crawford game"),
        _(
            "The one game after a player first comes within one point of the match. It is played without "
            "the cube; afterwards the cube is back."
        ),
    ),
    Topic(
        "post-crawford",
        _("After the Crawford game"),
        _("The trailing player can double in each game. Usually this happens at the first chance."),
    ),
    Topic(
        "double-match-point",
        _("Double match point"),
        _("Both players need one point. The winner of this game wins the match."),
    ),
    Topic(
        "jacoby",
        _("Jacoby rule"),
        _(
            "Gammons and backgammons count as a single game unless a double was offered in the game. It "
            "is used in play for stakes, not in matches."
        ),
    ),
    Topic(
        "stake-play",
        _("Stake play"),
        _(
            "Play without a match length: a number of games or of minutes. Points won minus points lost decide."
        ),
    ),
    Topic(
        "rule-numbers",
        _("Rule numbers such as CARD-1"),
        _(
            "Each rule has a number. The page “Rules” of a tournament shows the numbers on request."
            " CARD-1, for example, says that both players keep a running score card."
        ),
    ),
    Topic(
        "score-card",
        _("Score card"),
        _("The list of the games of a match with their points. The phone adds them up."),
    ),
    Topic(
        "game-record",
        _("Game record"),
        _("A file with all moves of a match, such as .mat. The program checks it move by move."),
    ),
    *MONEY_TERMS,
)

TERM_OF_FIELD: Mapping[str, str] = {
    "added": "added-money",
    "allowed": "re-entry",
    "automatic_doubles": "automatic-double",
    "beavers": "beaver",
    "bye_counts": "bye",
    "byes": "bye",
    "consolation": "consolation",
    "consolation_notation": "drop-notation",
    "crawford": "crawford",
    "cube": "cube",
    "given_losses": "lives",
    "how_many": "seed",
    "jacoby": "jacoby",
    "last_chance": "last-chance",
    "last_chance_notation": "drop-notation",
    "lives": "lives",
    "lower_notation": "drop-notation",
    "method": "seed",
    "rake": "rake",
    "reset": "double-elimination",
    "seed": "seed",
    "seed_text": "seed-text",
    "throws": "public-draw",
    "tie_break_1": "tie-break",
    "two_cards": "score-card",
    "walkover_counts": "walkover",
}
"""The term that explains a field of a form, by the name of the field."""
TERM_OF_KIND: Mapping[str, str] = {
    Kind.KNOCKOUT: "knock-out",
    Kind.DOUBLE: "double-elimination",
    Kind.SWISS: "swiss",
    Kind.MONRAD: "monrad",
    Kind.LIVES: "lives",
    Kind.GROUPS: "groups",
    Kind.ROUND_ROBIN: "round-robin",
}
TERM_OF_TIE_BREAK: Mapping[str, str] = {
    TieBreak.SCORE: "score",
    TieBreak.HEAD_TO_HEAD: "head-to-head",
    TieBreak.BUCHHOLZ: "buchholz",
    TieBreak.MEDIAN_BUCHHOLZ: "buchholz",
    TieBreak.BUCHHOLZ_WITHOUT_WORST: "buchholz",
    TieBreak.SONNEBORN_BERGER: "sonneborn-berger",
    TieBreak.DEFEATED_SCORES: "defeated-scores",
    TieBreak.POINTS_DIFFERENCE: "points-difference",
    TieBreak.CREDITED_DIFFERENCE: "points-difference",
    TieBreak.CUMULATIVE: "cumulative",
    TieBreak.PERFORMANCE_RATING: "performance-rating",
    TieBreak.PLAY_OFF: "play-off",
    TieBreak.LOT: "lot",
    TieBreak.LASTED: "lasted",
    TieBreak.LIVES_LEFT: "lives-left",
    TieBreak.LOSSES: "losses",
}
