"""Makes `tournament` one of the project's Django apps; nothing else happens here."""

from django.apps import AppConfig


class TournamentConfig(AppConfig):
    name = "tournament"
    default_auto_field = "django.db.models.BigAutoField"
