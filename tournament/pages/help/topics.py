"""The texts of the help page: tasks, and terms of backgammon and pairing. The keys are anchors of the page."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class Topic:
    key: str
    title: Promise
    text: Promise


TASKS = (
    Topic(
        "begin",
        _("Begin an event"),
        _(
            "On the first page choose “New event”. Add a tournament, enter or import the players, make "
            "the draw, and release it. The event is private until you publish it."
        ),
    ),
    Topic(
        "visibility",
        _("Hide or publish an event"),
        _(
            "Open “Event details” and choose who can see it: only staff and players, visitors with a "
            "secret address, or everybody. A single tournament has the same choice under “Set-up”."
        ),
    ),
    Topic(
        "copy",
        _("Copy last week's event"),
        _(
            "Open “Event details” and choose “Copy the event”. Tournaments, match lengths, rules, tables "
            "and screens are copied; players and results are not."
        ),
    ),
    Topic(
        "undo-delete",
        _("Bring a deleted event back"),
        _(
            "Open the bin at the end of the first page and choose “Restore”. Deleted events and "
            "tournaments stay there for 30 days."
        ),
    ),
    Topic(
        "phones",
        _("Players' phones"),
        _(
            "Print slips and give one to each player. The code on the slip opens the player's matches, "
            "and scores can be entered without an account. Scores entered without a connection are sent "
            "later."
        ),
    ),
    Topic(
        "late",
        _("A late player"),
        _(
            "After the draw, open “Entries” and enter the player late. A free seat in the first round is "
            "used where there is one."
        ),
    ),
    Topic(
        "correct",
        _("A wrong result"),
        _(
            "Open the match at the desk and choose to correct the result. You see what changes in the "
            "bracket before you confirm, and you can undo it."
        ),
    ),
    Topic(
        "no-show",
        _("A player does not come"),
        _(
            "Open the match at the desk and post a no-show. Withdraw the player too if no more matches "
            "are to be played."
        ),
    ),
    Topic(
        "next-round",
        _("The next round of a Swiss tournament"),
        _(
            "When the last result of a round is in, pair the next round. Look at the preview, change "
            "pairs if you need to, then release the round."
        ),
    ),
    Topic(
        "screens",
        _("Screens in the hall"),
        _(
            "Open “Screens”, make a link for each screen, and open it there. On a TV, type the short "
            "address. A lost link can be replaced by a new one."
        ),
    ),
    Topic(
        "kiosk",
        _("A tablet for check-in at the door"),
        _(
            "Open “Kiosk”, turn it on, and open its link on the tablet. Players tap their name to check in "
            "and see their next match. The link opens nothing else."
        ),
    ),
)

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
        "seed",
        _("Seed"),
        _("A number for a strong player. Seeded players are placed so that they meet late."),
    ),
    Topic(
        "consolation",
        _("Consolation"),
        _(
            "A second bracket for players who lost in the main bracket. A last chance is a third one for "
            "those who lose there."
        ),
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
        "drop-notation",
        _("Drop notation"),
        _(
            "A short text that says in which round of a consolation the losers of each main round come "
            "in, such as “A.B.|.C.|”. A letter stands for the losers of one main round: A for the first "
            "round."
        ),
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
        _("A number of rounds in which neighbours in the standings meet."),
    ),
    Topic(
        "lives",
        _("Lives"),
        _("Each loss costs a life. A player without lives is out."),
    ),
    Topic(
        "jackpot",
        _("Jackpot"),
        _("A small extra knock-out, often of four players, that starts when it is full."),
    ),
    Topic(
        "re-entry",
        _("Re-entry"),
        _("A player who is out pays again and comes back with a new entry."),
    ),
    Topic(
        "buchholz",
        _("Buchholz"),
        _(
            "A tie-break: the sum of the scores of all opponents. Median Buchholz leaves out the best and"
            " the worst of them."
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
        "points-difference",
        _("Points difference"),
        _("A tie-break: points won less points lost."),
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
            "Play without a match length: a number of games or of minutes. Points won less points lost "
            "decide."
        ),
    ),
    Topic(
        "rule-numbers",
        _("Rule numbers such as CARD-1"),
        _(
            "Each rule has a number. The page “Rules” of a tournament shows the rules with their numbers."
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
)


def search_topics(topics: tuple[Topic, ...], words: str) -> list[Topic]:
    """Returns the topics that contain all these words, in the language of the reader."""
    wanted = words.casefold().split()
    return [
        topic for topic in topics if all(word in f"{topic.title} {topic.text}".casefold() for word in wanted)
    ]
