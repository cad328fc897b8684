"""Addresses of the pages about money."""

from django.urls import path

from tournament.pages.money import cash_desk, choices, event_fees, fees, tills

EVENT = "e/<slug:event>/"
TOURNAMENT = "e/<slug:event>/<slug:tournament>/"

urlpatterns = [
    path(f"{TOURNAMENT}fees/", fees.fees, name="fees"),
    path(f"{TOURNAMENT}fees/choices/", choices.fee_choices, name="fee-choices"),
    path(f"{EVENT}fees/", event_fees.event_fees, name="event-fees"),
    path(f"{EVENT}cash/", cash_desk.cash_desk, name="cash-desk"),
    path(f"{EVENT}cash/payments/", cash_desk.take_payment, name="take-payment"),
    path(f"{EVENT}cash/selected/", cash_desk.pay_selected, name="pay-selected"),
    path(f"{EVENT}cash/payments/<int:transaction>/undo/", cash_desk.undo_payment, name="undo-payment"),
    path(f"{EVENT}cash/tills/", tills.list_of_tills, name="tills"),
    path(f"{EVENT}cash/tills/<str:currency>/<slug:till>/", tills.count_till, name="count-till"),
    path(f"{EVENT}cash/closings/<int:closing>/", tills.closing, name="cash-closing"),
    path(f"{EVENT}cash/handovers/<int:transaction>/undo/", tills.undo_handover, name="undo-handover"),
]
