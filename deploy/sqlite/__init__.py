"""Django's SQLite backend with a queue of writers. Django requires the module name `base`."""
