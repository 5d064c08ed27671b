"""Response bodies of an agent's history."""

from datetime import datetime
from typing import Any, Literal

from pydantic import ConfigDict, Field

from impasto_server.flows.schemas import FlowDocument
from impasto_server.http.schemas import Page, ResponseModel


class VersionAuthor(ResponseModel):
    """The user who saved or published."""

    id: str
    username: str


class Version(ResponseModel):
    """A history entry. `ref` identifies it: "3" is version 3, "r12" the save of revision 12."""

    ref: str
    number: int | None = Field(description="Null for a save")
    kind: Literal["published", "save"]
    note: str
    created_at: datetime
    author: VersionAuthor | None
    revision: int
    public: bool = Field(description="Whether other users may see and run it while the agent is public")
    withdrawn_at: datetime | None = Field(description="When it was withdrawn; it cannot be launched any more")


class VersionPage(Page[Version]):
    """A page of history entries, newest first."""


class VersionDetail(Version):
    """A history entry with its document."""

    flow: FlowDocument


class SettingChange(ResponseModel):
    """A changed setting of a node. Null stands for an absent value."""

    path: str
    before: Any
    after: Any


class Change(ResponseModel):
    """A changed text."""

    before: str | None
    after: str | None


class NodeChange(ResponseModel):
    """A node in both documents, with its differences."""

    id: str
    settings: list[SettingChange]
    type: Change | None = None
    title: Change | None = None


class NodesDiff(ResponseModel):
    """Differences of nodes; `added` and `removed` are node ids."""

    added: list[str]
    removed: list[str]
    changed: list[NodeChange]


class EdgeEnds(ResponseModel):
    """An edge, by the ports that it connects."""

    model_config = ConfigDict(populate_by_name=True, serialize_by_alias=True)

    source: str = Field(alias="from")
    target: str = Field(alias="to")


class EdgesDiff(ResponseModel):
    """Differences of edges."""

    added: list[EdgeEnds]
    removed: list[EdgeEnds]


class VariableChange(ResponseModel):
    """A variable of both documents, before and after."""

    name: str
    before: dict[str, Any]
    after: dict[str, Any]


class VariablesDiff(ResponseModel):
    """Differences of variables; `added` and `removed` are names."""

    added: list[str]
    removed: list[str]
    changed: list[VariableChange]


class FlowDiff(ResponseModel):
    """Differences between two documents. Positions, notes and groups are ignored."""

    nodes: NodesDiff
    edges: EdgesDiff
    variables: VariablesDiff
