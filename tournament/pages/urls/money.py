"""Addresses of the pages about money."""

from django.urls import path

from tournament.pages.money import (
    bank_statement,
    books,
    cash_desk,
    choices,
    desk_settlement,
    event_fees,
    fees,
    files,
    moved_payments,
    my_money,
    my_settlement,
    organizer,
    payouts,
    player_money,
    rates,
    receipts,
    refunds,
    tills,
    worth,
)

EVENT = "e/<slug:event>/"
TOURNAMENT = "e/<slug:event>/<slug:tournament>/"
SETTLEMENT = "me/<uuid:match>/settlement/"

urlpatterns = [
    # Fees, and what they charge
    path(f"{TOURNAMENT}fees/", fees.fees, name="fees"),
    path(f"{TOURNAMENT}fees/choices/", choices.fee_choices, name="fee-choices"),
    path(f"{TOURNAMENT}fees/refunds/", refunds.refund_tiers, name="refund-tiers"),
    path(f"{EVENT}fees/", event_fees.event_fees, name="event-fees"),
    path(f"{EVENT}cash/withdrawals/", refunds.withdrawals, name="withdrawals"),
    path(f"{EVENT}cash/withdrawals/back/", refunds.post_refund, name="refund-withdrawal"),
    path(f"{EVENT}cash/withdrawals/charges/", refunds.post_waiver, name="waive-charges"),
    # The cash desk and its payments
    path(f"{EVENT}cash/", cash_desk.cash_desk, name="cash-desk"),
    path(f"{EVENT}cash/players/<uuid:player>/", player_money.player_money, name="player-money"),
    path(f"{EVENT}cash/selected/", cash_desk.pay_selected, name="pay-selected"),
    path(f"{EVENT}cash/payments/", cash_desk.take_payment, name="take-payment"),
    path(f"{EVENT}cash/payments/all/", cash_desk.payment_list, name="payment-list"),
    path(f"{EVENT}cash/payments/undo/", cash_desk.undo_payments, name="undo-payments"),
    path(f"{EVENT}cash/payments/<int:transaction>/undo/", cash_desk.undo_payment, name="undo-payment"),
    path(f"{EVENT}cash/payments/<int:transaction>/move/", moved_payments.move_payment, name="move-payment"),
    path(f"{EVENT}cash/statement/", bank_statement.bank_statement, name="bank-statement"),
    path(f"{EVENT}cash/rates/", rates.exchange_rates, name="exchange-rates"),
    path(f"{EVENT}cash/rates/<int:rate>/remove/", rates.remove_rate, name="remove-rate"),
    # Tills
    path(f"{EVENT}cash/tills/", tills.list_of_tills, name="tills"),
    path(f"{EVENT}cash/tills/<str:currency>/<slug:till>/", tills.count_till, name="count-till"),
    path(f"{EVENT}cash/own/", tills.move_own_cash, name="own-cash"),
    path(f"{EVENT}cash/own/<int:transaction>/undo/", tills.undo_own_cash, name="undo-own-cash"),
    path(f"{EVENT}cash/closings/<int:closing>/", tills.closing, name="cash-closing"),
    path(f"{EVENT}cash/closings/<int:closing>/undo/", tills.undo_count, name="undo-count"),
    path(f"{EVENT}cash/handovers/<int:transaction>/undo/", tills.undo_handover, name="undo-handover"),
    # Receipts
    path(f"{EVENT}cash/payments/<int:transaction>/receipt/", receipts.issue_receipt, name="issue-receipt"),
    path(f"{EVENT}cash/receipts/", receipts.receipt_list, name="receipts"),
    path(f"{EVENT}cash/receipts/<uuid:receipt>/", receipts.receipt, name="receipt"),
    path("receipts/<uuid:receipt>/<str:key>/", receipts.payer_receipt, name="payer-receipt"),
    # Prizes and payouts
    path(f"{TOURNAMENT}award/", payouts.award, name="award-prizes"),
    path(f"{EVENT}payouts/", payouts.payouts, name="payouts"),
    path(f"{EVENT}payouts/envelopes/", payouts.envelopes, name="envelopes"),
    path(f"{EVENT}payouts/pay/", payouts.pay_out, name="pay-out"),
    path(f"{EVENT}payouts/selected/", payouts.pay_out_selected, name="pay-out-selected"),
    path(f"{EVENT}payouts/undo/", payouts.undo_payouts, name="undo-payouts"),
    path(f"{EVENT}payouts/<int:transaction>/undo/", payouts.undo_payout, name="undo-payout"),
    # Matches: what players can expect, and how they share prizes
    path(f"{TOURNAMENT}worth/", worth.worth_now, name="worth-now"),
    path(f"{TOURNAMENT}settlements/<int:pairing>/", desk_settlement.desk_settlement, name="desk-settlement"),
    path(SETTLEMENT, my_settlement.my_settlement, name="my-settlement"),
    path(f"{SETTLEMENT}accept/", my_settlement.my_settlement_accept, name="my-settlement-accept"),
    path(f"{SETTLEMENT}undo/", my_settlement.my_settlement_undo, name="my-settlement-undo"),
    path(f"{SETTLEMENT}close/", my_settlement.my_settlement_close, name="my-settlement-close"),
    path(f"{SETTLEMENT}hedge/", my_settlement.my_hedge, name="my-hedge"),
    path(f"{SETTLEMENT}hedge/accept/", my_settlement.my_hedge_accept, name="my-hedge-accept"),
    path(f"{SETTLEMENT}hedge/close/", my_settlement.my_hedge_close, name="my-hedge-close"),
    # Books, and who keeps them
    path(f"{EVENT}cash/books/", books.books, name="books"),
    path("me/money/", my_money.my_money, name="my-money"),
    path(f"{EVENT}cash/organizer/", organizer.organizer, name="organizer"),
    path(f"{EVENT}cash/organizer/choose/", organizer.choose_organizer, name="choose-organizer"),
    path(f"{EVENT}cash/year.<str:kind>", files.year_file, name="money-year-file"),
    path(f"{EVENT}cash/<slug:table>.<str:kind>", files.money_file, name="money-file"),
]
