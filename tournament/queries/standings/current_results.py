"""The current results of a tournament."""

from django.db.models import QuerySet

from tournament.models import Result, ResultKind, Tournament


def current_results(tournament: Tournament) -> QuerySet[Result]:
    """The posted results that are neither superseded nor retracted, with pairing, round and bracket."""
    results = Result.objects.filter(
        pairing__round__bracket__tournament=tournament, superseded_by__isnull=True
    )
    return results.exclude(kind=ResultKind.RETRACTED).select_related("pairing__round__bracket")
