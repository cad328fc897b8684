"""The addresses of the API, version 1."""

from django.urls import include, path, re_path
from drf_spectacular.views import SpectacularJSONAPIView

from tournament.api import (
    account,
    commitments,
    corrections,
    desk,
    draws,
    entries,
    events,
    jackpots,
    matches,
    nowhere,
    phones,
    records,
    rounds,
    schemes,
    seats,
)

match, card = "matches/<uuid:match_id>/", "matches/<uuid:match_id>/cards/<str:keeper>/"
record, jackpot = "records/<uuid:record_id>/", "jackpots/<uuid:jackpot_id>/"
tournament, entry = "tournaments/<uuid:tournament_id>/", "entries/<uuid:entry_id>/"

version_1 = [
    path("schema/", SpectacularJSONAPIView.as_view(api_version="v1"), name="schema"),
    path("presets/", events.PresetsDoor.as_view(), name="presets"),
    path("formats/", events.FormatsDoor.as_view(), name="formats"),
    path("events/", events.EventsDoor.as_view(), name="events"),
    path("events/<slug:event>/", events.EventDoor.as_view(), name="event"),
    path("events/<slug:event>/people/", events.PeopleDoor.as_view(), name="people"),
    path("events/<slug:event>/people/<str:user_name>/", events.PersonDoor.as_view(), name="person"),
    path("events/<slug:event>/journal/", events.JournalDoor.as_view(), name="journal"),
    path("events/<slug:event>/tournaments/", events.TournamentsDoor.as_view(), name="tournaments"),
    path(tournament, events.TournamentDoor.as_view(), name="tournament"),
    path(f"{tournament}entries/", entries.EntriesDoor.as_view(), name="entries"),
    path(f"{tournament}import/", entries.ImportDoor.as_view(), name="import"),
    path(f"{tournament}draws/", draws.DrawsDoor.as_view(), name="draws"),
    path(f"{tournament}rounds/free/", rounds.FreePlayersDoor.as_view(), name="rounds-free"),
    path(
        f"{tournament}draws/<int:number>/document/",
        commitments.DrawDocumentDoor.as_view(),
        name="draw-document",
    ),
    path(f"{tournament}commitment/", commitments.CommitmentDoor.as_view(), name="commitment"),
    path(f"{tournament}seeds/", commitments.SeedsDoor.as_view(), name="seeds"),
    path(f"{tournament}rounds/", rounds.RoundsDoor.as_view(), name="rounds"),
    path(f"{tournament}release/", draws.ReleaseDoor.as_view(), name="release"),
    path(f"{tournament}brackets/", draws.BracketsDoor.as_view(), name="brackets"),
    path(f"{tournament}brackets/<slug:key>/", draws.BracketDoor.as_view(), name="bracket"),
    path(f"{tournament}standings/", draws.StandingsDoor.as_view(), name="standings"),
    path(f"{tournament}results/", draws.ResultsDoor.as_view(), name="results"),
    path(f"{tournament}phones/", phones.PhonesDoor.as_view(), name="phones"),
    path(f"{tournament}questions/", desk.QuestionsDoor.as_view(), name="questions"),
    path(f"{tournament}seats/", seats.SeatsDoor.as_view(), name="seats"),
    path(f"{tournament}swaps/", seats.SwapsDoor.as_view(), name="swaps"),
    path(f"{tournament}late-entries/", seats.LateEntriesDoor.as_view(), name="late-entries"),
    path(f"{tournament}re-entry/", seats.ReentryTermsDoor.as_view(), name="re-entry-terms"),
    path(f"{tournament}jackpots/", jackpots.JackpotsDoor.as_view(), name="jackpots"),
    path(f"{jackpot}close/", jackpots.JackpotClosingDoor.as_view(), name="jackpot-close"),
    path(f"{jackpot}seats/<uuid:entry_id>/", jackpots.JackpotSeatDoor.as_view(), name="jackpot-seat"),
    path(f"{entry}re-entry/", seats.ReentryDoor.as_view(), name="re-entry"),
    path(entry, entries.EntryDoor.as_view(), name="entry"),
    path(f"{entry}links/", entries.LinksDoor.as_view(), name="links"),
    path(f"{entry}<slug:action>/", entries.EntryActionDoor.as_view(), name="entry-action"),
    path("phones/<int:link_id>/<slug:action>/", phones.PhoneActionDoor.as_view(), name="phone-action"),
    path("rounds/<int:round_id>/", draws.RoundDoor.as_view(), name="round"),
    path("rounds/<int:round_id>/clock/", seats.RoundClockDoor.as_view(), name="round-clock"),
    path(match, matches.MatchDoor.as_view(), name="match"),
    path(f"{match}games/", matches.GamesDoor.as_view(), name="games"),
    path(f"{match}final/", matches.FinalDoor.as_view(), name="final"),
    path(f"{match}strikes/", matches.StrikesDoor.as_view(), name="strikes"),
    path(f"{match}confirm/", matches.ConfirmDoor.as_view(), name="confirm"),
    path(f"{match}disagree/", matches.DisagreeDoor.as_view(), name="disagree"),
    path(f"{match}records/", records.RecordsDoor.as_view(), name="records"),
    path(record, records.RecordDoor.as_view(), name="record"),
    path(f"{record}file/", records.RecordFileDoor.as_view(), name="record-file"),
    path(f"{record}left/", records.RecordLeftDoor.as_view(), name="record-left"),
    path(f"{match}ruling/", desk.RulingDoor.as_view(), name="ruling"),
    path(f"{card}games/", desk.CardGamesDoor.as_view(), name="card-games"),
    path(f"{card}penalties/", desk.CardPenaltiesDoor.as_view(), name="card-penalties"),
    path(f"{card}final/", desk.CardFinalDoor.as_view(), name="card-final"),
    path(f"{card}strikes/", desk.CardStrikesDoor.as_view(), name="card-strikes"),
    path("pairings/<int:pairing_id>/award/", desk.AwardDoor.as_view(), name="award"),
    path(
        "pairings/<int:pairing_id>/corrections/preview/",
        corrections.CorrectionPreviewDoor.as_view(),
        name="correction-preview",
    ),
    path("pairings/<int:pairing_id>/corrections/", corrections.CorrectionsDoor.as_view(), name="corrections"),
    path(
        "corrections/<uuid:correction_id>/undo/",
        corrections.CorrectionUndoDoor.as_view(),
        name="correction-undo",
    ),
    path("pairings/<int:pairing_id>/retract/", desk.RetractDoor.as_view(), name="retract"),
    path("questions/<uuid:question_id>/close/", desk.QuestionClosingDoor.as_view(), name="question-close"),
    path("account/tokens/", account.TokensDoor.as_view(), name="tokens"),
    path("account/tokens/<int:token_id>/", account.TokenDoor.as_view(), name="token"),
    path("me/", account.MeDoor.as_view(), name="me"),
    re_path("^(?P<rest>.*/)$", nowhere.NowhereDoor.as_view(), name="nowhere"),
]

__all__ = ["schemes", "urlpatterns"]

urlpatterns = [path("v1/", include((version_1, "v1"), namespace="v1"))]
