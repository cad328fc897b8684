"""SQLite as Django's database, with writers that take turns. `base` is the name that Django asks for."""
