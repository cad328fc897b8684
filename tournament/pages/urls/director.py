"""Addresses of the director's pages."""

from django.urls import path

from tournament.pages import journal, records, winner_pictures
from tournament.pages.accounts import account, activity, installation
from tournament.pages.brackets import history
from tournament.pages.corrections import corrections
from tournament.pages.desk import desk, match, match_actions
from tournament.pages.draws import views as draws
from tournament.pages.entries import (
    attendance,
    copying,
    entries,
    entry,
    importing,
    late_entry,
    personal_data,
    same_person,
)
from tournament.pages.events import actions as event_actions
from tournament.pages.events import events, from_list, logo, people, setup
from tournament.pages.forecast import forecast
from tournament.pages.jackpots import desk as jackpots
from tournament.pages.phones import links, papers
from tournament.pages.room import room, tables
from tournament.pages.rounds import next_round, rounds
from tournament.pages.seats import swaps
from tournament.pages.tournaments import actions as tournament_actions
from tournament.pages.tournaments import times, tournaments

EVENT = "e/<slug:event>/"
TOURNAMENT = "e/<slug:event>/<slug:tournament>/"
ENTRY = f"{TOURNAMENT}entries/<uuid:entry>/"

urlpatterns = [
    path("events/new/", setup.event_new, name="event-new"),
    path("events/sample/", events.event_sample, name="event-sample"),
    path("events/from-list/", from_list.event_from_list, name="event-from-list"),
    path("bin/", event_actions.bin_page, name="bin"),
    path("bin/events/<uuid:event>/<str:action>/", event_actions.bin_event, name="bin-event"),
    path(
        "bin/tournaments/<uuid:tournament>/<str:action>/", event_actions.bin_tournament, name="bin-tournament"
    ),
    path("account/password/", account.password, name="password"),
    path("account/sessions/", account.session_list, name="sessions"),
    path("account/sessions/<slug:name>/end/", account.session_end, name="session-end"),
    path("account/sign-out-everywhere/", account.sign_out_everywhere, name="sign-out-everywhere"),
    path("account/tokens/", account.api_tokens, name="api-tokens"),
    path("account/tokens/<int:token>/revoke/", account.api_token_revoke, name="api-token-revoke"),
    path("account/activity/", activity.activity, name="account-activity"),
    path(
        "account/invitations/<int:invitation>/<str:action>/",
        activity.invitation_action,
        name="invitation-action",
    ),
    path("installation/", installation.installation_accounts, name="installation"),
    path("installation/accounts/<int:user>/", installation.installation_account, name="installation-account"),
    path(
        "installation/accounts/<int:user>/<str:action>/",
        installation.installation_account_action,
        name="installation-account-action",
    ),
    path(
        "installation/accounts/<int:user>/sessions/<slug:name>/end/",
        installation.installation_session_end,
        name="installation-session-end",
    ),
    path(
        "installation/accounts/<int:user>/tokens/<int:token>/revoke/",
        installation.installation_token_revoke,
        name="installation-token-revoke",
    ),
    path("installation/events/", installation.installation_events, name="installation-events"),
    path(
        "installation/events/<slug:event>/<str:action>/",
        installation.installation_event_action,
        name="installation-event-action",
    ),
    path("links/<int:link>/<str:action>/", links.link_action, name="link-action"),
    path(f"{EVENT}overview/", setup.overview, name="event-overview"),
    path(f"{EVENT}edit/", setup.event_edit, name="event-edit"),
    path(f"{EVENT}edit/logo/", logo.event_logo, name="event-logo"),
    path(f"{EVENT}edit/logo/<uuid:logo>/remove/", logo.event_logo_remove, name="event-logo-remove"),
    path(f"{EVENT}edit/logo/<uuid:logo>/restore/", logo.event_logo_restore, name="event-logo-restore"),
    path(f"{EVENT}edit/<str:action>/", event_actions.event_action, name="event-action"),
    path(f"{EVENT}copy/", event_actions.event_copy, name="event-copy"),
    path(f"{EVENT}people/", people.people, name="event-people"),
    path(f"{EVENT}people/helper/", people.make_helper, name="people-helper"),
    path(
        f"{EVENT}people/invitations/<int:invitation>/withdraw/",
        people.invitation_withdraw,
        name="invitation-withdraw",
    ),
    path(f"{EVENT}people/<int:user>/<str:action>/", people.people_action, name="people-action"),
    path(f"{EVENT}journal/", journal.event_journal, name="event-journal"),
    path(f"{EVENT}poster/", papers.poster_print, name="poster-print"),
    path(f"{EVENT}forecast/", forecast.forecast_page, name="forecast"),
    path(f"{EVENT}forecast/fragment/", forecast.forecast_fragment, name="forecast-fragment"),
    path(f"{EVENT}flow/", forecast.moved_page, {"to": "forecast"}, name="forecast-moved"),
    path(
        f"{EVENT}flow/fragment/",
        forecast.moved_page,
        {"to": "forecast-fragment"},
        name="forecast-fragment-moved",
    ),
    path(f"{EVENT}desk/", desk.event_desk, name="event-desk"),
    path(f"{EVENT}desk/fragment/", desk.event_desk_fragment, name="event-desk-fragment"),
    path(f"{EVENT}desk/count/", desk.desk_count, name="desk-count"),
    path(f"{EVENT}desk/selected/<str:action>/", desk.desk_selected, name="desk-selected"),
    path(f"{EVENT}room/", room.room, name="room"),
    path(f"{EVENT}room/fragment/", room.room_fragment, name="room-fragment"),
    path(f"{EVENT}room/<str:action>/", room.room_action, name="room-action"),
    path(f"{EVENT}room/calls/playing/<uuid:batch>/undo/", room.calls_playing_undo, name="calls-playing-undo"),
    path(
        f"{EVENT}room/calls/<uuid:call>/tables/<int:moved_to>/back/<int:table>/",
        room.call_move_undo,
        name="call-move-undo",
    ),
    path(f"{EVENT}room/calls/<uuid:call>/<str:action>/", room.call_action, name="call-action"),
    path(f"{EVENT}tables/", tables.tables_page, name="tables"),
    path(f"{EVENT}tables/calling/", tables.calling, name="calling"),
    path(f"{EVENT}tables/pins/", tables.pin_new, name="pin-new"),
    path(f"{EVENT}tables/pins/<int:pin>/", tables.pin_remove, name="pin-remove"),
    path(f"{EVENT}tables/save/", tables.tables_save, name="tables-save"),
    path(f"{EVENT}tables/changes/<uuid:batch>/undo/", tables.tables_undo, name="tables-undo"),
    path(f"{EVENT}tables/<int:table>/<str:action>/", tables.table_action, name="table-action"),
    path(f"{EVENT}new/", tournaments.tournament_new, name="tournament-new"),
    path(f"{TOURNAMENT}setup/", tournaments.tournament_edit, name="tournament-edit"),
    path(f"{TOURNAMENT}setup/<str:action>/", tournament_actions.tournament_action, name="tournament-action"),
    path(f"{EVENT}players/<uuid:player>/merge/", same_person.merge_with, name="merge-players"),
    path(f"{TOURNAMENT}entries/", entries.entries, name="entries"),
    path(f"{TOURNAMENT}entries/import/", importing.entries_import, name="entries-import"),
    path(f"{TOURNAMENT}entries/copy/", copying.entries_copy, name="entries-copy"),
    path(f"{TOURNAMENT}entries/copy/<uuid:batch>/undo/", copying.entries_copy_undo, name="entries-copy-undo"),
    path(f"{TOURNAMENT}entries/bulk/", attendance.entries_bulk, name="entries-bulk"),
    path(
        f"{TOURNAMENT}entries/bulk/<uuid:batch>/undo/", attendance.entries_bulk_undo, name="entries-bulk-undo"
    ),
    path(ENTRY, entry.entry_edit, name="entry-edit"),
    path(f"{ENTRY}person/", personal_data.person, name="person"),
    path(f"{ENTRY}person/file/", personal_data.person_file, name="person-file"),
    path(f"{ENTRY}again/", late_entry.entry_reenter, name="entry-reenter"),
    path(f"{ENTRY}<str:action>/", entry.entry_action, name="entry-action"),
    path(f"{TOURNAMENT}slips/", papers.slips, name="slips"),
    path(f"{TOURNAMENT}cards/", papers.cards, name="score-cards"),
    path(f"{TOURNAMENT}draw/", draws.draw, name="draw"),
    path(f"{TOURNAMENT}seats/", swaps.seats, name="seats"),
    path(f"{TOURNAMENT}seats/changes/<int:change>/undo/", swaps.seats_undo, name="seats-undo"),
    path(f"{TOURNAMENT}late/", late_entry.late, name="late-entry"),
    path(f"{TOURNAMENT}reentry/", late_entry.reentry_terms, name="reentry-terms"),
    path(f"{TOURNAMENT}times/", times.times, name="times"),
    path(
        f"{TOURNAMENT}winner-picture/<slug:bracket>/", winner_pictures.winner_picture, name="winner-picture"
    ),
    path(
        f"{TOURNAMENT}winner-picture/<uuid:picture>/<slug:action>/",
        winner_pictures.winner_picture_action,
        name="winner-picture-action",
    ),
    path(f"{TOURNAMENT}rounds/", rounds.rounds, name="rounds"),
    path(f"{TOURNAMENT}rounds/next/", next_round.next_round, name="next-round"),
    path(
        f"{TOURNAMENT}rounds/next/<int:number>/<slug:action>/",
        next_round.automatic_pairing,
        name="automatic-pairing",
    ),
    path(f"{TOURNAMENT}jackpots/", jackpots.jackpots, name="jackpots"),
    path(
        f"{TOURNAMENT}jackpots/<uuid:jackpot>/<str:action>/", jackpots.jackpot_action, name="jackpot-action"
    ),
    path(f"{TOURNAMENT}as-at/", history.as_at, name="as-at"),
    path(f"{TOURNAMENT}desk/", desk.desk_page, name="desk"),
    path(f"{TOURNAMENT}desk/fragment/", desk.desk_fragment, name="desk-fragment"),
    path(f"{TOURNAMENT}desk/<int:pairing>/", match.desk_match, name="desk-match"),
    path(f"{TOURNAMENT}desk/<int:pairing>/correct/", corrections.desk_correct, name="desk-correct"),
    path(
        f"{TOURNAMENT}corrections/<uuid:correction>/undo/",
        corrections.correction_undo,
        name="correction-undo",
    ),
    path(f"{TOURNAMENT}desk/<int:pairing>/record/", records.desk_record, name="desk-record"),
    path(f"{TOURNAMENT}desk/<int:pairing>/no-show/", match_actions.desk_no_show, name="desk-no-show"),
    path(
        f"{TOURNAMENT}desk/<int:pairing>/no-show/<uuid:result>/undo/",
        match_actions.desk_no_show_undo,
        name="desk-no-show-undo",
    ),
    path(f"{TOURNAMENT}desk/<int:pairing>/<str:action>/", match.desk_action, name="desk-action"),
    path(f"{TOURNAMENT}questions/<uuid:question>/", desk.question_close, name="question-close"),
]
