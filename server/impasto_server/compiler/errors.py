"""Refusals of documents that are too large or too expensive to compile."""

from typing import Any

from impasto_server.flows.errors import DocumentInvalid
from impasto_server.http.errors import Invalid, RateLimited


class FlowTooLarge(DocumentInvalid):
    """A document exceeds a size limit. The message says which, by how much, and how to get under it."""

    def __init__(self, refused: dict[str, Any]) -> None:
        super().__init__(
            refused["message"], limit=refused["limit"], max=refused["max"], actual=refused["actual"]
        )


class FlowTooExpensive(Invalid):
    """Working on a document or on inputs took longer, or more memory, than the limit."""

    code, title = "flow_too_expensive", "Too expensive to check"


class TooManyCompilations(RateLimited):
    """The user has used up the compilations of this minute, or waits for too many at once."""
