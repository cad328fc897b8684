"""Addresses of the pages about prizes."""

from django.urls import path

from tournament.pages.money import prizes

TOURNAMENT = "e/<slug:event>/<slug:tournament>/"

urlpatterns = [
    path(f"{TOURNAMENT}prizes/", prizes.prizes, name="prizes"),
    path(f"{TOURNAMENT}prizes/remove/", prizes.remove_prizes, name="remove-prizes"),
    path(f"{TOURNAMENT}prizes/templates/remove/", prizes.remove_own_template, name="remove-prize-template"),
]
