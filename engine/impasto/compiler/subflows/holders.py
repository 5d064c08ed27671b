"""The flow that a node runs: a document in its settings, or another flow by reference."""

import re
import typing as t
from collections.abc import Mapping

VERSION = "version"
_SEPARATOR = "@"
_OF_VERSION = re.compile(r"(?P<id>[^@/]+)@(?P<version>\d{1,9})")


def holder_of(settings: Mapping[str, t.Any], subflow: str) -> t.Any:
    """Return the flow that a node runs: its document, its id, or `id@3` for its published version 3.

    `subflow` is the setting that names the flow; the setting `version` holds the node at one version.
    """
    holder, version = settings.get(subflow), settings.get(VERSION)
    if isinstance(holder, str) and holder and type(version) is int:
        return f"{holder}{_SEPARATOR}{version}"
    return holder


def flow_id_of(holder: str) -> str:
    """Return the id of the flow that a reference of `holder_of` is about."""
    return reference_of(holder)[0]


def reference_of(holder: str) -> tuple[str, int | None]:
    """Return the id and the version of a reference of `holder_of`; None for the newest version."""
    match = _OF_VERSION.fullmatch(holder)
    return (holder, None) if match is None else (match["id"], int(match["version"]))


def unknown_flow(holder: str) -> tuple[str, str]:
    """Return what to say of a flow that cannot be loaded: a message, and what to do."""
    name, version = reference_of(holder)
    if version is not None:
        why = "it was withdrawn, or the flow was deleted or made private"
        return (
            f"Version {version} of the flow '{name}' is not available: {why}.",
            "Choose another version, or another flow.",
        )
    return f"There is no flow '{holder}'.", "Choose the flow that this node runs."
