"""Addresses of the director's pages."""

from django.urls import path

from tournament.pages.director import (
    account,
    as_at,
    desk,
    desk_correct,
    desk_match,
    desk_records,
    draw,
    entries,
    events,
    imports,
    jackpots,
    journal,
    late,
    papers,
    people,
    phones,
    rounds,
    seat_swaps,
    tournaments,
)

EVENT = "e/<slug:event>/"
TOURNAMENT = "e/<slug:event>/<slug:tournament>/"
ENTRY = f"{TOURNAMENT}entries/<uuid:entry>/"

urlpatterns = [
    path("events/new/", events.event_new, name="event-new"),
    path("account/password/", account.password, name="password"),
    path("account/tokens/", account.api_tokens, name="api-tokens"),
    path("account/tokens/<int:token>/revoke/", account.api_token_revoke, name="api-token-revoke"),
    path("links/<int:link>/<str:action>/", phones.link_action, name="link-action"),
    path(f"{EVENT}overview/", events.overview, name="event-overview"),
    path(f"{EVENT}edit/", events.event_edit, name="event-edit"),
    path(f"{EVENT}people/", people.people, name="event-people"),
    path(f"{EVENT}people/helper/", people.make_helper, name="people-helper"),
    path(f"{EVENT}people/<int:user>/<str:action>/", people.people_action, name="people-action"),
    path(f"{EVENT}journal/", journal.event_journal, name="event-journal"),
    path(f"{EVENT}poster/", papers.poster_print, name="poster-print"),
    path(f"{EVENT}new/", tournaments.tournament_new, name="tournament-new"),
    path(f"{TOURNAMENT}setup/", tournaments.tournament_edit, name="tournament-edit"),
    path(f"{TOURNAMENT}entries/", entries.entries, name="entries"),
    path(f"{TOURNAMENT}entries/import/", imports.entries_import, name="entries-import"),
    path(ENTRY, entries.entry_edit, name="entry-edit"),
    path(f"{ENTRY}again/", late.entry_again, name="entry-again"),
    path(f"{ENTRY}<str:action>/", entries.entry_action, name="entry-action"),
    path(f"{TOURNAMENT}slips/", papers.slips, name="slips"),
    path(f"{TOURNAMENT}cards/", papers.cards, name="score-cards"),
    path(f"{TOURNAMENT}draw/", draw.draw, name="draw"),
    path(f"{TOURNAMENT}seats/", seat_swaps.seats, name="seats"),
    path(f"{TOURNAMENT}late/", late.late, name="late-entry"),
    path(f"{TOURNAMENT}reentry/", late.reentry_terms, name="reentry-terms"),
    path(f"{TOURNAMENT}rounds/", rounds.rounds, name="rounds"),
    path(f"{TOURNAMENT}jackpots/", jackpots.jackpots, name="jackpots"),
    path(
        f"{TOURNAMENT}jackpots/<uuid:jackpot>/<str:action>/", jackpots.jackpot_action, name="jackpot-action"
    ),
    path(f"{TOURNAMENT}as-at/", as_at.as_at, name="as-at"),
    path(f"{TOURNAMENT}desk/", desk.desk_page, name="desk"),
    path(f"{TOURNAMENT}desk/fragment/", desk.desk_fragment, name="desk-fragment"),
    path(f"{TOURNAMENT}desk/<int:pairing>/", desk_match.desk_match, name="desk-match"),
    path(f"{TOURNAMENT}desk/<int:pairing>/correct/", desk_correct.desk_correct, name="desk-correct"),
    path(
        f"{TOURNAMENT}corrections/<uuid:correction>/undo/",
        desk_correct.correction_undo,
        name="correction-undo",
    ),
    path(f"{TOURNAMENT}desk/<int:pairing>/record/", desk_records.desk_record, name="desk-record"),
    path(f"{TOURNAMENT}desk/<int:pairing>/records/", desk_records.desk_records_fragment, name="desk-records"),
    path(f"{TOURNAMENT}desk/<int:pairing>/<str:action>/", desk_match.desk_action, name="desk-action"),
    path(f"{TOURNAMENT}questions/<uuid:question>/", desk.question_close, name="question-close"),
]
