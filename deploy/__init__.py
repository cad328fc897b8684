"""The composition root: puts the parts together and holds the files that run them. Nothing imports it.

Whatever starts from here, by whatever command, has these settings. Nothing else stands here: the prelude of
`manage.py` is imported from this package before anything is installed.
"""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
