"""References of a flow document: files, saved brands and other agents, with the nodes that have them.

A document may be of a stranger: everything is found in one pass, and titles are cut.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from impasto import Catalog
from impasto_server.assets.references import mask_images_in
from impasto_server.assets.references import references_in as files_in
from impasto_server.assets.upload import safe_file_name
from impasto_server.brands.references import references_in as brands_in
from impasto_server.flows.subflows import subflow_ids

_MAX_TITLE = 120

Titles = dict[str, None]
"""Titles of nodes, each once, in the order of the document."""


@dataclass
class UsedFile:
    """A file: its name in the document, whether it is nothing but a mask, and the nodes that use it."""

    name: str
    is_mask: bool = True
    nodes: Titles = field(default_factory=Titles)


@dataclass
class UsedParts:
    """The references of a document: ids of assets, references to brands, and ids of agents."""

    files: dict[str, UsedFile] = field(default_factory=dict)
    brands: dict[str, Titles] = field(default_factory=dict)
    agents: dict[str, Titles] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.files) + len(self.brands) + len(self.agents)


def used_parts(catalog: Catalog, document: Mapping[str, Any]) -> UsedParts:
    """Return the parts that a document uses, in its order."""
    found = UsedParts()
    for title, part in _titled(document):
        named = {title: None} if title else {}
        masks = {id(image) for image in mask_images_in(part)}
        for item in files_in(part):
            name = safe_file_name(str(item.get("name") or ""))
            use = found.files.setdefault(str(item["asset_id"]), UsedFile(name))
            use.is_mask &= id(item) in masks
            use.nodes.update(named)
        for reference in brands_in(part):
            found.brands.setdefault(reference, {}).update(named)
        for flow_id in subflow_ids(catalog, {"nodes": [part]}):
            found.agents.setdefault(flow_id, {}).update(named)
    return found


def _titled(document: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield each node of a document with its title, or its id, and the rest of the document without one."""
    nodes = document.get("nodes")
    for node in nodes if isinstance(nodes, list) else ():
        if isinstance(node, dict):
            yield str(node.get("title") or node.get("id") or "")[:_MAX_TITLE], node
    yield "", [value for key, value in document.items() if key != "nodes"]
