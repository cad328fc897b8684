"""Signing in, accounts, second factors and the installation."""
