"""Makes `rules` one of the project's Django apps; nothing else happens here."""

from django.apps import AppConfig


class RulesConfig(AppConfig):
    name = "rules"
    default_auto_field = "django.db.models.BigAutoField"
