"""Addresses of a player's phone."""

from django.urls import path

from tournament.pages import card, player

MATCH = "me/<uuid:match>/"

urlpatterns = [
    path("p/<str:token>/", player.personal_link, name="personal-link"),
    path("me/", player.my_matches, name="my-matches"),
    path("me/fragment/", player.my_matches_fragment, name="my-matches-fragment"),
    path("me/forget/", player.forget_phone, name="forget-phone"),
    path(MATCH, card.my_match, name="my-match"),
    path(f"{MATCH}fragment/", card.my_match_fragment, name="my-match-fragment"),
    path(f"{MATCH}row/", card.my_row, name="my-row"),
    path(f"{MATCH}undo/", card.my_undo, name="my-undo"),
    path(f"{MATCH}final/", card.my_final, name="my-final"),
    path(f"{MATCH}confirm/", card.my_confirm, name="my-confirm"),
    path(f"{MATCH}disagree/", card.my_disagree, name="my-disagree"),
]
