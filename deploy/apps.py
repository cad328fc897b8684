"""Makes `deploy` an app: its commands are found, its check is asked, tasks are queued with its Celery app."""

from django.apps import AppConfig
from django.core.checks import Tags, register

from deploy.celery import app
from deploy.encoding_check import every_name_fits


class DeployConfig(AppConfig):
    name = "deploy"
    celery = app

    def ready(self) -> None:
        register(every_name_fits, Tags.database)
