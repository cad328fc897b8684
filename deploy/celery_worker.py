"""Starts a worker, with the options of `celery worker`: `python -m deploy.celery_worker --concurrency 2`.

Celery's own command also loads its other commands, which costs a tenth of a worker's memory. On a server the
`celery` command starts the same worker.
"""

from celery.bin.base import CLIContext
from celery.bin.worker import worker

from deploy.celery import app

if __name__ == "__main__":
    worker(obj=CLIContext(app=app, no_color=True, workdir=None, quiet=True))
