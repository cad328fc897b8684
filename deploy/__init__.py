"""The composition root: settings, URLs, servers, workers and commands. No other package imports it.

Every command uses the settings named here. `manage.py` imports this package before anything is installed, so this
file imports the standard library only.
"""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
