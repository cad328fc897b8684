"""Tasks and terms of the money for the help page."""

from django.utils.translation import gettext_lazy as _

from tournament.pages.help.topic import Topic

MONEY_TASKS = (
    Topic(
        "fees",
        _("Set the fees"),
        _(
            "Open “Set-up” of the tournament, then “Fees”. Choose a template, or write what an entry costs. "
            "Shares of the entry fee go to the organizer or the federation, and the rest goes to the pot. The "
            "examples show what players pay. Entries are charged at once; a later change lists who pays more "
            "or less before you confirm it."
        ),
    ),
    Topic(
        "side-pools",
        _("Side pools and prices for members"),
        _(
            "Under “Fees”, name the side pool and write its fee. Then open “Prices and side pools”, and tick "
            "who is a member and who joins which pool. Under “Prizes”, choose how the pool is split. A pool has "
            "the currency of the entry fee, and players may pay it in another one at your rate. A pool in a "
            "second currency needs a tournament of its own."
        ),
    ),
    Topic(
        "buy-backs",
        _("Re-entries and buy-backs"),
        _(
            "Allow them under “Set-up”, “Re-entry”, and write their prices under “Fees”, “Prices of "
            "re-entries”. When a player is out, open the entry and press “Re-enter”. The cash desk then shows "
            "the new charge. The page of the entry says whether a side pool counts the new entry too."
        ),
    ),
    Topic(
        "cash-desk",
        _("Take a payment"),
        _(
            "Open “Money” of the event. The button with the amount records what the player owes as paid in "
            "cash. “Other” records a part, a bank transfer, a card, another currency or a refund. “Take back” "
            "under “Last payments” undoes a payment."
        ),
    ),
    Topic(
        "paid-in-advance",
        _("Payments in advance from a list"),
        _(
            "Set the fees, then import the list of players with a column “Paid” that says how much each player "
            "has paid in all. The preview shows the payments, and you choose how they were made. Import a newer "
            "list at any time before the draw: only what is new in it is recorded."
        ),
    ),
    Topic(
        "tills",
        _("Tills and counting"),
        _(
            "Each helper has a till of their own: cash goes into the till of the user who takes it. Open "
            "“Money”, “Tills”, press “Count”, enter the notes and coins, and print the sheet. A difference "
            "needs a reason. “Hand cash over” moves cash from one till to another. "
            "A wrong count is taken back on its sheet."
        ),
    ),
    Topic(
        "receipts",
        _("Receipts"),
        _(
            "Press “Receipt” beside a payment at the cash desk. For an earlier payment, find the player under "
            "“Money”, “Receipts”. Numbers have no gaps. A payment that is taken back gets a counter-receipt."
        ),
    ),
    Topic(
        "refunds",
        _("Refunds and withdrawals"),
        _(
            "Open “Fees” of the tournament, then “Refunds for withdrawals”, and write until which day how "
            "much is given back. When a player withdraws, confirm the refund under “Money”, “Withdrawals”. "
            "The cash desk then shows the amount to give back."
        ),
    ),
    Topic(
        "exchange-rates",
        _("Payments in another currency"),
        _(
            "Set your own rate under “Money”, “Exchange rates”. At the cash desk, “Other” then offers the "
            "amount in this currency. A rate works in one direction, and recorded payments keep their rate."
        ),
    ),
    Topic(
        "prizes",
        _("Prizes"),
        _(
            "Open “Set-up” of the tournament, then “Prizes”. Choose a split, and check the amounts from the "
            "present pot. Add money of the organizer, or guarantee a sum. A tick shows the prizes on the "
            "public pages."
        ),
    ),
    Topic(
        "worth",
        _("What players can win now"),
        _(
            "Open “Payouts”, then the tournament under “What players are worth now”. The page shows what each "
            "player wins on average from here, for players who want to hedge or settle."
        ),
    ),
    Topic(
        "settle",
        _("Settle a match"),
        _(
            "Two players share their prizes and end the match. One proposes it on the page of the match on "
            "the phone, and the other accepts; or the desk opens the match and chooses “Settle the match”. "
            "The page shows a fair split."
        ),
    ),
    Topic(
        "hedge",
        _("Hedge a match"),
        _(
            "Two players play their match, and its winner gives the other one an amount out of the prize. One "
            "proposes it on the page “Settle the match” of the phone, and the other accepts. Only these two and "
            "people who handle the money see it. “Payouts” lists it as an agreement, with the prizes. "
            "If the match is settled, the hedge does not count."
        ),
    ),
    Topic(
        "payouts",
        _("Award and pay the prizes"),
        _(
            "When the prizes are decided, open “Money”, “Payouts”, and award them. Pay each player with one "
            "button, with a signature on the screen, or several together. Open fees are taken out of a prize. "
            "“Envelopes” prints labels and a list to sign."
        ),
    ),
    Topic(
        "payout-corrections",
        _("A result is corrected after the payout"),
        _(
            "The correction shows beforehand who gets more and who owes. After it, “Payouts” lists both: “To pay” "
            "and “To collect”. If prizes change for another reason, press “Post the changes” there."
        ),
    ),
    Topic(
        "jackpots",
        _("Jackpots"),
        _(
            "Open “Jackpots” of the tournament, and write the size, the match length and the price. Players "
            "join there or on their phones. If the tournament has fees, each player who joins is charged the "
            "price."
        ),
    ),
    Topic(
        "auction",
        _("Auction of players (Calcutta)"),
        _(
            "Open “Fees” of the tournament, then “Auction of players”, and save the terms. Add a lot for each "
            "player, record the bids, and sell. Buyers pay at the cash desk. “Award the owners” pays the pot "
            "to the owners of those who place."
        ),
    ),
    Topic(
        "bank",
        _("Payment codes and bank statements"),
        _(
            "The owner writes the bank account under “Money”, “Organizer”. Phones then show a QR "
            "code with the amount and the reference of the player, and so do slips if you tick it when you print "
            "them. Import the statement of the bank as a CSV "
            "file under “Bank statement”: it proposes the players, and you confirm."
        ),
    ),
    Topic(
        "books",
        _("Where the money is"),
        _(
            "“Money”, “Books” shows each till, the bank, the debts of players, the pots and the incomes. "
            "“Download the books” at the end of the cash desk saves them as CSV or Excel."
        ),
    ),
    Topic(
        "own-money",
        _("The money of a player"),
        _(
            "Players see their own fees, payments and prizes on their phones under “Your money”, with the "
            "ways to pay. Only the owner, directors and helpers of the cash desk see the money of others."
        ),
    ),
)
MONEY_TERMS = (
    Topic(
        "side-pool",
        _("Side pool"),
        _("A pot of its own that players may join for an extra fee. Only those who joined can win it."),
    ),
    Topic(
        "pot",
        _("Pot"),
        _(
            "The money of the entry fees that is paid out as prizes. Shares for the organizer or the "
            "federation are not in it."
        ),
    ),
    Topic(
        "added-money",
        _("Added money"),
        _("Money of the organizer or a sponsor that is added to the prizes of the pot."),
    ),
    Topic(
        "open-amount",
        _("Open"),
        _("What a player was charged and has not paid yet. A minus means that the player gets money back."),
    ),
    Topic(
        "till",
        _("Till"),
        _("The cash of one helper in one currency. Each till is counted separately."),
    ),
    Topic(
        "over-short",
        _("Over and short"),
        _("Cash that a count found too much or too little in a till, with the reason."),
    ),
    Topic(
        "settlement",
        _("Settlement"),
        _("Two players agree how to share the prizes of their match. One of them is named the winner."),
    ),
    Topic(
        "fair-split",
        _("Fair split"),
        _(
            "Each player gets the smaller prize for sure, and a part of the difference by the chance to win "
            "the match."
        ),
    ),
    Topic(
        "worth-now",
        _("Worth now"),
        _("The prize money that a player wins on average if the tournament goes on from here."),
    ),
    Topic(
        "jackpot",
        _("Jackpot"),
        _("A small extra knock-out, often of four players, that starts when it is full."),
    ),
    Topic(
        "calcutta",
        _("Calcutta"),
        _("An auction of the players. Their owners share the pot of the auction by the places."),
    ),
    Topic(
        "rake",
        _("Rake"),
        _("The part of the pot of an auction that stays with the organizer."),
    ),
    Topic(
        "payment-reference",
        _("Reference"),
        _("A code that names the player on a bank transfer, so that the payment is found."),
    ),
)
