"""Addresses of screens in the hall, of the overlay for a stream, and of those who look for players and follow them.

They come before the others: a fixed word such as /e/open/screens/ is not a tournament's name.
"""

from django.urls import path

from tournament.pages.matches import overlay
from tournament.pages.screens import screen, setup
from tournament.pages.spectators import event, spectators

EVENT = "e/<slug:event>/"
SCREEN = "d/<str:token>/"
MATCH = "e/<slug:event>/<slug:tournament>/match/<uuid:match>/"
PLAYER = "e/<slug:event>/<slug:tournament>/players/<uuid:entry>/"
SLIDE = f"{EVENT}screens/slides/<uuid:slide>/"

urlpatterns = [
    path(SCREEN, screen.screen, name="screen"),
    path(f"{SCREEN}deck/", screen.screen_deck, name="screen-deck"),
    path(f"{SCREEN}picture/<uuid:slide>/", screen.screen_picture, name="screen-picture"),
    path(f"{MATCH}overlay/", overlay.overlay, name="overlay"),
    path(f"{MATCH}overlay/fragment/", overlay.overlay_fragment, name="overlay-fragment"),
    path(f"{EVENT}overlay/<int:table>/", overlay.table_overlay, name="table-overlay"),
    path(
        f"{EVENT}overlay/<int:table>/fragment/", overlay.table_overlay_fragment, name="table-overlay-fragment"
    ),
    path(EVENT, event.event_page, name="event"),
    path(f"{EVENT}fragment/", event.event_fragment, name="event-fragment"),
    path(f"{EVENT}find/", spectators.find_player, name="find-player"),
    path(f"{EVENT}followed/", spectators.followed_fragment, name="followed"),
    path(f"{PLAYER}<str:action>/", spectators.follow, name="follow"),
    path(f"{EVENT}screens/", setup.screens, name="screens"),
    path(f"{EVENT}screens/<uuid:link>/", setup.screen_edit, name="screen-edit"),
    path(f"{EVENT}screens/<uuid:link>/renew/", setup.screen_renew, name="screen-renew"),
    path(f"{EVENT}screens/<uuid:link>/revoke/", setup.screen_revoke, name="screen-revoke"),
    path(f"{EVENT}screens/slides/", setup.slide_add, name="slide-add"),
    path(f"{SLIDE}picture/", setup.slide_picture, name="slide-picture"),
    path(f"{SLIDE}<str:action>/", setup.slide_action, name="slide-action"),
]
