"""Alias for units installed before `http_limits` had its name: `--http deploy.head:Bounded`."""

from deploy.http_limits import HttpLimits as Bounded

__all__ = ["Bounded"]
