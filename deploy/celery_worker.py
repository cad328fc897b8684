"""Starts a worker, with the options of `celery worker`: `python -m deploy.celery_worker --concurrency 2`.

Celery's own command loads all its others too, and with them a console to talk to a broker by hand: a tenth of what a
worker keeps in memory. On a server, where one may want the others, Celery's own starts the same worker.
"""

from celery.bin.base import CLIContext
from celery.bin.worker import worker

from deploy.celery import app

if __name__ == "__main__":
    worker(obj=CLIContext(app=app, no_color=True, workdir=None, quiet=True))
