"""Addresses of a player's phone, and of the records that both players and the desk look at."""

from django.urls import path

from tournament.pages import records
from tournament.pages.cards import forms, old_queue
from tournament.pages.cards import views as cards
from tournament.pages.cards.old_queue import accepts_old_queue
from tournament.pages.disputes import views as disputes
from tournament.pages.jackpots import player as my_jackpots
from tournament.pages.phones import offline_app, player

MATCH = "me/<uuid:match>/"
RECORD = "records/<uuid:record>/"

urlpatterns = [
    path("manifest.webmanifest", offline_app.manifest, name="manifest"),
    path("worker.js", offline_app.worker, name="worker-script"),
    path("p/<str:token>/", player.personal_link, name="personal-link"),
    path("me/", player.my_matches, name="my-matches"),
    path("me/fragment/", player.my_matches_fragment, name="my-matches-fragment"),
    path("me/forget/", player.forget_phone, name="forget-phone"),
    path("me/jackpots/", my_jackpots.my_jackpots, name="my-jackpots"),
    path("me/jackpots/<uuid:jackpot>/<uuid:entry>/<str:action>/", my_jackpots.my_jackpot, name="my-jackpot"),
    path(MATCH, cards.my_match, name="my-match"),
    path(f"{MATCH}fragment/", cards.my_match_fragment, name="my-match-fragment"),
    path(f"{MATCH}card.json", old_queue.card, name="my-card"),
    path(f"{MATCH}row/", accepts_old_queue(forms.GameForm, cards.my_row), name="my-row"),
    path(f"{MATCH}undo/", accepts_old_queue(forms.UndoForm, cards.my_undo), name="my-undo"),
    path(f"{MATCH}final/", accepts_old_queue(forms.FinalForm, cards.my_final), name="my-final"),
    path(f"{MATCH}stop/", accepts_old_queue(forms.StopForm, cards.my_stop), name="my-stop"),
    path(f"{MATCH}confirm/", cards.my_confirm, name="my-confirm"),
    path(f"{MATCH}confirm/undo/", cards.my_confirm_undo, name="my-confirm-undo"),
    path(f"{MATCH}dispute/", disputes.my_dispute, name="my-dispute"),
    path(f"{MATCH}dispute/photo/", disputes.my_photo, name="my-photo"),
    path(f"{MATCH}dispute/end/", disputes.my_dispute_end, name="my-dispute-end"),
    path(f"{MATCH}take/line/", cards.my_take_line, name="my-take-line"),
    path(f"{MATCH}take/card/", cards.my_take_card, name="my-take-card"),
    path(f"{MATCH}take/undo/", cards.my_take_undo, name="my-take-undo"),
    path("evidence/<uuid:evidence>/", disputes.evidence, name="evidence"),
    path(f"{MATCH}record/", records.my_record, name="my-record"),
    path(RECORD, records.record_page, name="record-page"),
    path(f"{RECORD}fragment/", records.record_fragment, name="record-fragment"),
    path(f"{RECORD}file/", records.record_file, name="record-file"),
    path(f"{RECORD}left/", records.record_left, name="record-left"),
    path(f"{RECORD}board/<int:number>/", records.record_board, name="record-board"),
]
