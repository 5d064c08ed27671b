"""Agents on the wire."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from impasto_server.http.schemas import Json, Money, PlainText, RequestModel, ResponseModel

Category = Literal[
    "viral_content", "ads", "creative_assets", "brand_content", "ai_exploration", "uncategorized"
]
Visibility = Literal["private", "public"]
FlowStatus = Literal["draft", "published", "deprecated"]
Kind = Literal["image", "video", "audio", "text", "data"]
FlowDocument = Annotated[Json, Field(description="A flow document, format 1")]
Name = Annotated[PlainText, Field(min_length=1, max_length=120, pattern=r"[^\s\x00]")]
Description = Annotated[PlainText, Field(max_length=2000)]


class FlowPermissions(ResponseModel):
    """What the caller may do with an agent."""

    edit: bool
    run: bool
    publish: bool


class Problem(ResponseModel):
    """One thing that keeps a flow from running, or a warning."""

    code: str
    message: str
    node: str | None = None
    port: str | None = None
    setting: str | None = None
    hint: str | None = None
    severity: Literal["error", "warning"] = "error"


class ResultPort(ResponseModel):
    """An output that a run shows its user."""

    node: str
    port: str
    type: str
    list: bool
    title: str


class Estimate(ResponseModel):
    """What a run would cost and take, as far as it is known."""

    usd: Money | None = None
    seconds: float | None = None


class FlowSummary(ResponseModel):
    """An agent in a list."""

    id: str
    name: str
    description: str
    category: Category
    visibility: Visibility
    status: FlowStatus
    avatar_url: str | None
    built_in: bool
    mine: bool
    beta: bool
    kinds: list[Kind]
    version: int | None = Field(description="The newest published version")
    revision: int
    unpublished_changes: bool
    created_at: datetime
    updated_at: datetime
    permissions: FlowPermissions


class FlowDetail(FlowSummary):
    """An agent with its document: the draft for its owner, the published one for others."""

    flow: FlowDocument
    inputs: dict[str, Any] = Field(description="JSON Schema of the form that a launch fills in")
    results: list[ResultPort]
    problems: list[Problem]
    estimate: Estimate


class FlowCreate(RequestModel):
    """A new agent."""

    name: Name
    description: Description = ""
    category: Category = "uncategorized"
    visibility: Visibility = "private"
    flow: FlowDocument | None = None
    from_template: str | None = Field(default=None, description="The id of an agent to start from")


class FlowPatch(RequestModel):
    """Changes to an agent; keys left out stay."""

    name: Name | None = None
    description: Description | None = None
    category: Category | None = None
    visibility: Visibility | None = None


class DraftSaved(ResponseModel):
    """The draft is stored, complete or not."""

    revision: int
    problems: list[Problem]
    saved_at: datetime


class FlowCheck(ResponseModel):
    """What a flow document would mean, without saving it."""

    problems: list[Problem]
    inputs: dict[str, Any]
    results: list[ResultPort]
    estimate: Estimate
    steps: dict[str, Estimate] = Field(description="What each step would cost and take, by its id, if known")


class PublishRequest(RequestModel):
    """What changed, in the publisher's words."""

    note: PlainText = Field(default="", max_length=500)
