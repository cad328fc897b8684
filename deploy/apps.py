"""Registers `deploy` as a Django app: its commands, its system check and its Celery app."""

from django.apps import AppConfig
from django.core.checks import Tags, register

from deploy.celery import app
from deploy.encoding_check import check_database_encoding


class DeployConfig(AppConfig):
    name = "deploy"
    celery = app

    def ready(self) -> None:
        register(check_database_encoding, Tags.database)
