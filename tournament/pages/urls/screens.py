"""Addresses of screens in the hall, of the kiosk at the door, of overlays for a stream, and of spectators.

They come before the others: a fixed word such as /e/open/screens/ is not a tournament's name.
"""

from django.urls import path

from tournament.pages.kiosk import kiosk
from tournament.pages.kiosk import setup as kiosk_setup
from tournament.pages.matches import overlay
from tournament.pages.screens import screen, setup
from tournament.pages.spectators import event, spectators

EVENT = "e/<slug:event>/"
SCREEN = "d/<str:token>/"
CODE = "s/<str:token>/"
KIOSK = "k/<str:token>/"
MATCH = "e/<slug:event>/<slug:tournament>/match/<uuid:match>/"
PLAYER = "e/<slug:event>/<slug:tournament>/players/<uuid:entry>/"
SLIDE = f"{EVENT}screens/slides/<uuid:slide>/"

urlpatterns = [
    path(SCREEN, screen.screen, name="screen"),
    path(f"{SCREEN}deck/", screen.screen_deck, name="screen-deck"),
    path(f"{SCREEN}picture/<uuid:slide>/", screen.screen_picture, name="screen-picture"),
    path(f"{SCREEN}logo/<uuid:logo>/", screen.screen_logo, name="screen-logo"),
    path(CODE, screen.screen, name="screen-by-code"),
    path(f"{CODE}deck/", screen.screen_deck, name="screen-deck-by-code"),
    path(f"{CODE}picture/<uuid:slide>/", screen.screen_picture, name="screen-picture-by-code"),
    path(f"{CODE}logo/<uuid:logo>/", screen.screen_logo, name="screen-logo-by-code"),
    path(KIOSK, kiosk.kiosk, name="kiosk"),
    path(f"{KIOSK}lock/", kiosk.kiosk_lock, name="kiosk-lock"),
    path(f"{KIOSK}check-in/", kiosk.kiosk_check_in, name="kiosk-check-in"),
    path(f"{KIOSK}<uuid:entry>/", kiosk.kiosk_entry, name="kiosk-entry"),
    path(f"{KIOSK}<uuid:entry>/undo/", kiosk.kiosk_undo, name="kiosk-undo"),
    path(f"{EVENT}kiosk/", kiosk_setup.kiosk_setup, name="kiosk-setup"),
    path(f"{EVENT}kiosk/off/", kiosk_setup.kiosk_off, name="kiosk-off"),
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
