"""Makes `deploy` an app: its commands are found, its check is asked, tasks are queued with its Celery app."""

from django.apps import AppConfig
from django.core.checks import Tags, register

from deploy.celery import app
from deploy.encoding_check import check_database_encoding


class DeployConfig(AppConfig):
    name = "deploy"
    celery = app

    def ready(self) -> None:
        register(check_database_encoding, Tags.database)
