"""Addresses that everyone may look at, and those of signing in and out."""

from django.urls import include, path

from tournament.pages import results, standings, winner_pictures
from tournament.pages.accounts import sign_in
from tournament.pages.brackets import bracket
from tournament.pages.draws import public_draw
from tournament.pages.events import events, logo
from tournament.pages.help import views as help_views
from tournament.pages.matches import match
from tournament.pages.phones import player, poster
from tournament.pages.system import hall_https, reach, site_files, stream_auth

TOURNAMENT = "e/<slug:event>/<slug:tournament>/"
BRACKET = f"{TOURNAMENT}bracket/<slug:bracket>/"
MATCH = f"{TOURNAMENT}match/<uuid:match>/"

urlpatterns = [
    path("", events.home, name="home"),
    path("sign-in/", sign_in.sign_in, name="sign-in"),
    path("sign-in/", sign_in.sign_in, name="account_login"),  # allauth's name for it
    path("account/second-factor/", include("allauth.mfa.urls")),
    path(".well-known/change-password", sign_in.change_password, name="change-password"),
    path("sign-in/<str:token>/", sign_in.sign_in_link, name="sign-in-link"),
    path("sign-out/", sign_in.sign_out, name="sign-out"),
    path("account/confirm/", sign_in.confirm_identity, name="confirm-identity"),
    path("help/", help_views.help_page, name="help"),
    path("reach/", reach.reach, name="reach"),
    path("reach/check/", reach.reach_check, name="reach-check"),
    path("reach/https/", hall_https.hall_https, name="hall-https"),
    path("reach/certificate/", hall_https.hall_certificate, name="hall-certificate"),
    path("healthz", reach.healthz, name="healthz"),
    path("readyz", reach.readyz, name="readyz"),
    path("robots.txt", site_files.robots_txt, name="robots-txt"),
    path(".well-known/security.txt", site_files.security_txt, name="security-txt"),
    path("live/stream-auth/", stream_auth.stream_auth, name="stream-auth"),
    path("e/<slug:event>/join/", poster.poster, name="poster"),
    path("e/<slug:event>/join/wait/", poster.poster_wait, name="poster-wait"),
    path("e/<slug:event>/logo/<uuid:logo>/", logo.event_logo_file, name="event-logo-file"),
    path(TOURNAMENT, bracket.bracket, name="bracket"),
    path(f"{TOURNAMENT}fragment/", bracket.bracket_fragment, name="bracket-fragment"),
    path(f"{TOURNAMENT}print/", bracket.bracket_print, name="bracket-print"),
    path(f"{TOURNAMENT}sheet/", bracket.bracket_sheet, name="bracket-sheet"),
    path(BRACKET, bracket.bracket, name="side-bracket"),
    path(f"{BRACKET}fragment/", bracket.bracket_fragment, name="side-bracket-fragment"),
    path(f"{BRACKET}print/", bracket.bracket_print, name="side-bracket-print"),
    path(f"{TOURNAMENT}standings/", standings.standings, name="standings"),
    path(f"{TOURNAMENT}standings/<slug:bracket>/", standings.standings, name="side-standings"),
    path(f"{TOURNAMENT}results/", results.results_page, name="results-page"),
    path(
        f"{TOURNAMENT}results/picture/<uuid:picture>/",
        winner_pictures.winner_picture_file,
        name="winner-picture-file",
    ),
    path(f"{TOURNAMENT}players/", standings.entry_list, name="entry-list"),
    path(f"{TOURNAMENT}players/<uuid:entry>/", player.player_page, name="player-page"),
    path(MATCH, match.match_page, name="match-page"),
    path(f"{MATCH}fragment/", match.match_fragment, name="match-fragment"),
    path(f"{MATCH}board/<uuid:record>/", match.match_board, name="match-board"),
    path(f"{TOURNAMENT}draw-proof/", public_draw.draw_proof, name="draw-proof"),
    path(f"{TOURNAMENT}draw-proof/<int:number>/", public_draw.draw_document, name="draw-document"),
    path("verify-draw/", public_draw.verify_script, name="verify-script"),
    path(f"{TOURNAMENT}rules/", standings.rules_page, name="rules-page"),
]
