"""Refusals of money: transactions, payments, tills."""

from django.utils.translation import gettext_noop as _

from matches.refusals import Refusal

REVERSED_ALREADY = Refusal("reversed-already", _("This was taken back before. Load the page again."))
DEED_KEY_REUSED = Refusal(
    "key-reused", _("This was recorded before and has changed since. Load the page again and check it.")
)
OPEN_AMOUNT_CHANGED = Refusal(
    "open-amount-changed", _("The open amount of {name} has changed. Load the page again and check it.")
)
NOBODY_SELECTED = Refusal("nobody-selected", _("No player is selected. Select players first."))
OPEN_AMOUNTS_CHANGED = Refusal(
    "open-amounts-changed", _("The open amounts have changed. Check the list, then try again.")
)
REFUND_ABOVE_CLAIM = Refusal(
    "refund-above-claim",
    _("{name} may claim {claim}. To refund {amount} anyway, tick “Refund above the claim”."),
)
PAYMENT_ABOVE_DEBT = Refusal(
    "payment-above-debt",
    _("{name} owes {owed}. To take {amount} anyway, tick “Take more than is open”."),
)
PAYMENT_WITHOUT_RATE = Refusal(
    "payment-without-rate",
    _(
        "{name} owes {debt}, but nothing in {currency}. Set the rate under “Exchange rates” first. "
        "To take {amount} as a payment in advance, tick “Take more than is open”."
    ),
)
TILL_TOO_LOW = Refusal(
    "till-too-low",
    _("Your till holds {held}. To give {amount} out of it anyway, tick “Give more than the till holds”."),
)
PLAYER_IS_GONE = Refusal(
    "player-is-gone", _("The player was removed. Enter the player again, then take this back.")
)
PAYMENT_IS_THEIRS = Refusal("payment-is-theirs", _("{name} made this payment. Choose another player."))
PAYMENT_EXCHANGED = Refusal(
    "payment-exchanged",
    _("This payment was exchanged for {name}. Take it back, then record it for the other player."),
)
AMOUNT_TOO_LARGE = Refusal(
    "amount-too-large", _("This amount is too large at this rate. Check the amount and the rate.")
)
TOO_MANY_TEMPLATES = Refusal(
    "too-many-templates", _("An organizer has up to {most} templates. Remove one first.")
)
NAME_OF_TEMPLATE = Refusal(
    "name-of-template",
    _("The template was not saved. Give it a name of up to {most} characters and at least one prize."),
)
PAID_AT_CASH_DESK = Refusal(
    "paid-at-cash-desk",
    _("Fees are set for this tournament. Record the payment at the cash desk."),
)
HAS_PAID = Refusal("has-paid", _("{name} has paid. Refund the payment at the cash desk first."))
CHOICE_NOT_POSSIBLE = Refusal("choice-not-possible", _("{name}: {reason}"))
SEVERAL_CHOICES_NOT_POSSIBLE = Refusal("choices-not-possible", _("{first} {reason}"))
CHOICES_CHANGED = Refusal(
    "choices-changed", _("Somebody else changed the prices of {name}. Check them, then save.")
)
NO_SUCH_CLAIM = Refusal(
    "no-such-claim", _("The claim of this player has changed. Load the page again and check it.")
)
PAYOUT_ABOVE_CLAIM = Refusal(
    "payout-above-claim",
    _(
        "This is more than the player may claim, which is {amount}. Nothing was paid out. Enter a lower amount."
    ),
)
SIGNATURE_UNREADABLE = Refusal(
    "signature-unreadable",
    _("The signature is too long. Clear it and sign again, or pay out without a signature."),
)
SIGNATURE_OF_REMOVED_PLAYER = Refusal(
    "signature-of-removed-player",
    _("The personal data of this player are removed. Pay out without a signature."),
)
NOTHING_TO_AWARD = Refusal(
    "nothing-to-award", _("The tournament is not over yet. Award the prizes when every match is decided.")
)
AMOUNT_IS_ZERO = Refusal("amount-is-zero", _("The amount is zero. Enter the amount that is paid."))
AMOUNT_NOT_POSITIVE = Refusal(
    "amount-not-positive", _("The amount is zero or less. Enter an amount above zero.")
)
SAME_TILL = Refusal("same-till", _("The cash stays in the same till. Choose two different tills."))
TILL_OF_ANOTHER = Refusal(
    "till-of-another",
    _(
        "Only the holder of this till or a director can hand its cash over. Choose your own till, or ask them."
    ),
)
TILL_HAS_LESS = Refusal("till-has-less", _("The till holds less than that. Check the amount."))
CASH_NEEDS_REASON = Refusal(
    "cash-needs-reason", _("The reason is missing. Write where the cash comes from or goes to.")
)
COUNT_UNDO_NEEDS_REASON = Refusal(
    "count-undo-needs-reason", _("The reason is missing. Write why the count is taken back.")
)
COUNTED_SINCE = Refusal(
    "counted-since", _("The till was counted again since. Take the later count back first.")
)
TILL_CHANGED = Refusal(
    "till-changed", _("Cash moved while you counted. Check the new expected amount, and count again.")
)
COUNTED_ALREADY = Refusal(
    "counted-already", _("This cash was counted already, signed by {name}. Print that sheet and sign it.")
)
COUNT_IS_NEGATIVE = Refusal("count-is-negative", _("A count cannot be negative. Enter what is in the till."))
SIGN_THE_COUNT = Refusal(
    "sign-the-count", _("The count is not signed. Enter the name of the person who counted.")
)
DIFFERENCE_NEEDS_REASON = Refusal(
    "difference-needs-reason",
    _("The count differs from the expected amount. Count again, or give the reason."),
)
ORGANIZER_OF_ANOTHER = Refusal(
    "organizer-of-another",
    _("This organizer belongs to another user. Choose an organizer of your own for the event."),
)
IBAN_IS_WRONG = Refusal(
    "iban-is-wrong", _("This is not an IBAN, or its check digits are wrong. Copy the number again.")
)
BIC_IS_WRONG = Refusal("bic-is-wrong", _("This is not a BIC. A BIC has 8 or 11 letters and digits."))
COUNTRY_IS_WRONG = Refusal(
    "country-is-wrong", _("This is not the code of a country. Write two letters, such as CH.")
)
PAYMENT_LINK_IS_WRONG = Refusal(
    "payment-link-is-wrong",
    _("This link cannot be used. Start it with https:// and put {{amount}} where the amount goes."),
)
NO_EXCHANGE_RATE = Refusal(
    "no-exchange-rate",
    _(
        "There is no rate from {base} to {currency}. Set it under Exchange rates, or take the payment in {base}."
    ),
)
RATE_HAS_ONE_CURRENCY = Refusal(
    "rate-has-one-currency", _("Both currencies are the same. Choose two different currencies.")
)
RATE_NOT_POSITIVE = Refusal("rate-not-positive", _("This rate is out of range. Enter a rate above zero."))
PLAYERS_ARE_CHARGED = Refusal(
    "players-are-charged",
    _(
        "Players are charged for this tournament. Set its fees to 0 and take back the charges under Withdrawals, "
        "or move it to the archive."
    ),
)
PRIZES_ARE_AWARDED = Refusal(
    "prizes-are-awarded",
    _("Prizes of this tournament are awarded. Remove them and post the changes, or move it to the archive."),
)
MONEY_IN_POTS = Refusal(
    "money-in-pots",
    _(
        "The pots of this tournament hold money that the organizer added, or set some aside for a series. Remove "
        "its prizes and post the changes, or move it to the archive."
    ),
)
MONEY_IS_OPEN = Refusal(
    "money-is-open",
    _("Money of this event is not settled. Settle it first, or confirm that the event goes with its money."),
)
OPEN_AMOUNTS = Refusal(
    "open-amounts",
    _("{name} has an open amount. Settle it at the cash desk first, or move the tournament to the archive."),
)
WAIVING_NEEDS_REASON = Refusal(
    "taking-back-needs-reason", _("The reason is missing. Write why you take back the charge.")
)
REFUND_CHANGED = Refusal(
    "given-back-changed", _("The refund has changed. Check the new amount, then confirm it.")
)
CHARGE_HAS_CHANGED = Refusal(
    "charge-has-changed", _("The charge of this entry has changed. Load the page again and check it.")
)
PRICE_HAS_DECIMALS = Refusal(
    "price-has-decimals",
    _(
        "The price {price} of a jackpot cannot be paid in {currency}. Use fewer decimals, or another currency."
    ),
)
PRIZES_IN_ANOTHER_CURRENCY = Refusal(
    "prizes-in-another-currency",
    _("The fees of the tournament are in {currency}. Set its prizes in {currency} too."),
)
PRIZES_AWARDED_IN_CURRENCY = Refusal(
    "prizes-awarded-in-currency",
    _(
        "Prizes of this tournament are awarded in {currency}. Keep this currency, or take the prizes back first: "
        "remove them, take back the results of jackpots, then post the changes."
    ),
)
NO_FEES = Refusal("no-fees", _("This tournament has no fees yet. Set them first."))
FEES_NOT_CONFIRMED = Refusal(
    "fees-not-confirmed",
    _("The differences have changed since you confirmed them. Check them again, then confirm."),
)
FEES_CHANGED = Refusal(
    "fees-changed",
    _("Somebody else changed the fees. Load the page again to see them, or save again to replace them."),
)
REFUND_RULES_CHANGED = Refusal(
    "refund-rules-changed",
    _(
        "Somebody else changed the refund rules. Load the page again to see them, or save again to replace them."
    ),
)
PRIZES_CHANGED = Refusal(
    "prizes-changed",
    _("Somebody else changed the prizes. Load the page again to see them, or save again to replace them."),
)
ORGANIZER_CHANGED = Refusal(
    "organizer-changed",
    _("Somebody else changed the organizer. Load the page again to see it, or save again to replace it."),
)
AUCTION_CHANGED = Refusal(
    "auction-changed",
    _("Somebody else changed the auction. Load the page again to see it, or save again to replace it."),
)
LOT_CHANGED = Refusal(
    "lot-changed", _("Somebody else changed this lot. Check its last bid and its owners, then try again.")
)
LOT_NOT_POSSIBLE = Refusal(
    "lot-not-possible",
    _("This is not possible for this lot. Load the page again and check its players and owners."),
)
LOTS_ARE_SOLD = Refusal(
    "lots-are-sold",
    _(
        "Lots are sold already. Undo their sales before you change the part of the organizer, or remove the auction."
    ),
)
BIDS_ARE_RECORDED = Refusal(
    "bids-are-recorded",
    _("Bids in {currency} are recorded already. Undo them before you change the currency."),
)
ENTRY_HAS_LOT = Refusal(
    "entry-has-lot",
    _("{name} is in lot {number} of the auction of players. Remove the lot first, or withdraw the player."),
)
BID_TOO_LOW = Refusal("bid-too-low", _("The bid is too low. The next bid is at least {least}."))
STATEMENT_TOO_LARGE = Refusal(
    "statement-too-large", _("The file is larger than 1 MB. Export a shorter period.")
)
STATEMENT_UNREADABLE = Refusal(
    "statement-unreadable", _("This is not a CSV file. Export the statement as CSV.")
)
STATEMENT_TOO_LONG = Refusal(
    "statement-too-long", _("The file has more than {most} lines. Export a shorter period.")
)
