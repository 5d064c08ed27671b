"""Nodes that branch and merge flows. There is no "for each": a list into a single port does that."""

from impasto_nodes.control.choose import choose
from impasto_nodes.control.collect import collect
from impasto_nodes.control.condition import condition
from impasto_nodes.control.lists import filter_list, flatten, pair, sort, take
from impasto_nodes.control.merge import merge

__all__ = [
    "NODES",
    "choose",
    "collect",
    "condition",
    "filter_list",
    "flatten",
    "merge",
    "pair",
    "sort",
    "take",
]

# In the order in which the palette shows them.
NODES = (
    condition,
    choose,
    merge,
    collect,
    flatten,
    pair,
    filter_list,
    sort,
    take,
)
