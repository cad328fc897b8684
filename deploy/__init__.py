"""The composition root: puts the parts together and holds the files that run them. Nothing imports it.

Empty on purpose: the prelude of `manage.py` is imported from here before anything is installed.
"""
