"""Figures for whoever watches over the product: what a web process counts itself, and what it reads when asked.

Nothing here decides or writes rows; without METRICS_TOKEN nothing of it can be seen from outside.
"""
