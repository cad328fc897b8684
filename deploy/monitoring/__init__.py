"""Metrics for Prometheus: counters of the web processes and the workers, and the state of database and broker.

Writes no rows. /metrics exists only if METRICS_TOKEN is set.
"""
