"""Addresses of the pages about prizes and about the auction of players."""

from django.urls import path

from tournament.pages.money import calcutta, prizes

TOURNAMENT = "e/<slug:event>/<slug:tournament>/"

urlpatterns = [
    path(f"{TOURNAMENT}calcutta/", calcutta.calcutta, name="calcutta"),
    path(f"{TOURNAMENT}calcutta/terms/", calcutta.calcutta_terms, name="calcutta-terms"),
    path(f"{TOURNAMENT}calcutta/remove/", calcutta.calcutta_off, name="calcutta-off"),
    path(f"{TOURNAMENT}calcutta/lots/", calcutta.calcutta_lots, name="calcutta-lots"),
    path(f"{TOURNAMENT}calcutta/lot/", calcutta.calcutta_lot, name="calcutta-lot"),
    path(f"{TOURNAMENT}calcutta/award/", calcutta.calcutta_award, name="calcutta-award"),
    path(f"{TOURNAMENT}auction/", calcutta.auction_page, name="auction"),
    path(f"{TOURNAMENT}prizes/", prizes.prizes, name="prizes"),
    path(f"{TOURNAMENT}prizes/remove/", prizes.remove_prizes, name="remove-prizes"),
    path(f"{TOURNAMENT}prizes/templates/remove/", prizes.remove_own_template, name="remove-prize-template"),
]
