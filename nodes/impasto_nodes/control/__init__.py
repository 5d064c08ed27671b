"""Where a flow parts and meets again. For each is no node: a list into a single port runs it once an item."""

from impasto_nodes.control.choose import choose
from impasto_nodes.control.collect import collect
from impasto_nodes.control.merge import merge

__all__ = ["NODES", "choose", "collect", "merge"]

# In the order in which the palette shows them.
NODES = (
    choose,
    merge,
    collect,
)
