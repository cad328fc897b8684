"""Minimum-weight matching of all players. The only caller of the matching library."""

from __future__ import annotations

from collections.abc import Iterable
from operator import neg
from typing import TypeAlias

from rustworkx import PyGraph, max_weight_matching

Edge: TypeAlias = tuple[int, int, int]
"""Two player numbers and the weight of pairing them."""


def cheapest_pairs(number: int, edges: Iterable[Edge]) -> list[tuple[int, int]]:
    """Returns as many pairs as these edges allow, in order, with the least total weight."""
    graph: PyGraph[None, int] = PyGraph(multigraph=True)
    graph.add_nodes_from([None] * number)
    graph.add_edges_from(list(edges))
    matching = max_weight_matching(graph, max_cardinality=True, weight_fn=neg)
    return sorted((min(pair), max(pair)) for pair in matching)
