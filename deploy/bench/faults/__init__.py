"""`bench faults`: plays events while parts are killed, suspended or filled up, and counts what is lost.

It never touches an installation in use: database and broker are started for the bench alone.
"""
