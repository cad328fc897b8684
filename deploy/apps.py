"""Makes `deploy` an app, so that its commands are found and tasks are queued with its Celery app."""

from django.apps import AppConfig

from deploy.celery import app


class DeployConfig(AppConfig):
    name = "deploy"
    celery = app
