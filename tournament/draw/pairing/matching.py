"""Everybody paired at the least weight: the one place where the matching of another library is called."""

from __future__ import annotations

from collections.abc import Iterable
from operator import neg
from typing import TypeAlias

from rustworkx import PyGraph, max_weight_matching

Edge: TypeAlias = tuple[int, int, int]
"""Two numbers below the number of those to be paired, and what it weighs to pair them."""


def cheapest_pairs(number: int, edges: Iterable[Edge]) -> list[tuple[int, int]]:
    """As many pairs as these edges allow, of least total weight among all ways to have so many, in order."""
    graph: PyGraph[None, int] = PyGraph(multigraph=True)
    graph.add_nodes_from([None] * number)
    graph.add_edges_from(list(edges))
    matching = max_weight_matching(graph, max_cardinality=True, weight_fn=neg)
    return sorted((min(pair), max(pair)) for pair in matching)
