"""Request and response bodies of agents."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from impasto_server.http.schemas import Json, Money, Page, PlainText, RequestModel, ResponseModel

Category = Literal[
    "viral_content", "ads", "creative_assets", "brand_content", "ai_exploration", "uncategorized"
]
Visibility = Literal["private", "public"]
FlowStatus = Literal["draft", "published", "deprecated"]
PublicAgentStatus = Literal["published", "featured", "withheld", "deprecated"]
Kind = Literal["image", "mask", "video", "audio", "text", "data"]
FlowDocument = Annotated[Json, Field(description="A flow document, format 1")]
Name = Annotated[PlainText, Field(min_length=1, max_length=120, pattern=r"[^\s\x00]")]
Description = Annotated[PlainText, Field(max_length=2000)]


class FlowPermissions(ResponseModel):
    """The permissions of the user for an agent."""

    edit: bool
    run: bool
    publish: bool
    beta: bool = Field(description="Whether the agent is open to the user although it is in private beta")


class Reason(ResponseModel):
    """Why the value of a setting does not fit: a stable code with its parameters, and the same in English."""

    code: str = Field(
        description="wrong_type, too_small, not_above, too_large, not_below, too_short, too_long, "
        "wrong_format, not_a_choice, missing_field, unknown_field, or other: the text alone"
    )
    text: str
    parameters: dict[str, str | int | float] = Field(
        default_factory=dict,
        description="expected and found of wrong_type, limit or count of a bound, name of a field",
    )


class Problem(ResponseModel):
    """An error that keeps a flow from running, or a warning."""

    code: str
    message: str
    node: str | None = None
    port: str | None = None
    setting: str | None = None
    hint: str | None = None
    severity: Literal["error", "warning"] = "error"
    reason: Reason | None = None


class ResultPort(ResponseModel):
    """An output that the user sees as a result."""

    node: str
    port: str
    type: str
    list: bool
    title: str
    meaning: str | None = Field(default=None, description="What the value is: post, hashtags, shot_list, …")
    text_of: str | None = Field(
        default=None, description="The port of the same node that this is the text of"
    )


class Notice(ResponseModel):
    """A notice that a launch will differ from the request: a stable code, a sentence, a hint, the step.

    `settings` are values for settings of the step that would do as asked.
    """

    code: str
    message: str
    hint: str
    step: str
    settings: dict[str, str | int | float | bool] = Field(default_factory=dict)


class Estimate(ResponseModel):
    """Estimated cost and duration of a run. Null means unknown.

    `price_unknown`: the price of a step is not known, and `usd` leaves it out. `notices` are for the user,
    before the launch.
    """

    usd: Money | None = None
    seconds: float | None = None
    price_unknown: bool = False
    based_on_runs: int = Field(
        default=0,
        description="How many of your earlier runs of the agent the figures are corrected by; 0 with under 3",
    )
    notices: list[Notice] = Field(default_factory=list, max_length=50)


class StepCost(ResponseModel):
    """The expected cost of a node in a launch. `usd` leaves out what has no known price."""

    node: str
    usd: Money
    price_unknown: bool


class LaunchEstimate(Estimate):
    """Estimated cost and duration of a launch with given inputs, and its cost by node."""

    steps: list[StepCost] = Field(
        default_factory=list,
        description="Nodes that cost something; a node that runs another agent costs what that does",
    )


class FlowSummary(ResponseModel):
    """An agent without its document."""

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
    featured: bool
    withheld: bool = Field(description="An admin has unpublished it: only its owner sees it")
    withheld_reason: str | None = Field(description="Why the admin has unpublished it; for its owner")
    kinds: list[Kind]
    takes: list[Kind] | None = Field(
        description="The kinds of files that a launch may give; null if that is not known"
    )
    watermark: bool = Field(description="Images that AI makes get an invisible watermark")
    mark_exports: bool = Field(
        description="Images and videos that AI makes get a visible AI mark when exported"
    )
    version: int | None = Field(description="The newest published version")
    revision: int
    unpublished_changes: bool
    created_at: datetime
    updated_at: datetime
    permissions: FlowPermissions


class FlowPage(Page[FlowSummary]):
    """A page of agents: featured ones, built-in ones, then the most recently changed."""


class FlowDetail(FlowSummary):
    """An agent with its document: the draft for its owner, the published version for others."""

    flow: FlowDocument
    inputs: dict[str, Any] = Field(description="JSON Schema of the launch form")
    results: list[ResultPort]
    problems: list[Problem]
    estimate: Estimate


class VersionPorts(ResponseModel):
    """The ports of a node that runs a version of an agent."""

    ref: str
    inputs: dict[str, Any] = Field(description="JSON Schema of the launch form")
    results: list[ResultPort]


class FlowCreate(RequestModel):
    """A new agent. Without `flow` and `from_template` its document is empty."""

    name: Name
    description: Description = ""
    category: Category = "uncategorized"
    visibility: Visibility = "private"
    watermark: bool = False
    mark_exports: bool = False
    flow: FlowDocument | None = None
    from_template: str | None = Field(default=None, description="Id of an agent to copy the document from")


class ExportedFile(ResponseModel):
    """A file of the library that an agent's export carries."""

    name: str
    media_type: str
    bytes: int


class MissingFromAgent(ResponseModel):
    """References of an agent that its exported or imported form lacks."""

    kind: Literal["file", "brand", "agent"]
    name: str = Field(description="Its name; empty if that is not known")
    nodes: list[str] = Field(description="Titles, or ids, of the nodes that use it")


class ExportContents(ResponseModel):
    """The contents of the file of an exported agent, and what is missing."""

    files: list[ExportedFile]
    brands: list[str] = Field(description="The names of the saved brands")
    bytes: int = Field(description="The size of the files together")
    missing: list[MissingFromAgent]


class FlowImported(ResponseModel):
    """An agent that was imported from a file."""

    flow: FlowDetail
    files: int = Field(description="How many files came with it")
    brands: int = Field(description="How many saved brands came with it")
    missing: list[MissingFromAgent]


class FlowPatch(RequestModel):
    """Changes to an agent. Omitted fields stay as they are."""

    name: Name | None = None
    description: Description | None = None
    category: Category | None = None
    visibility: Visibility | None = None
    watermark: bool | None = None
    mark_exports: bool | None = None


class DraftSaved(ResponseModel):
    """The result of saving a draft."""

    revision: int
    problems: list[Problem]
    saved_at: datetime


class FlowCheck(ResponseModel):
    """The result of checking a flow document."""

    problems: list[Problem]
    inputs: dict[str, Any]
    results: list[ResultPort]
    estimate: Estimate
    steps: dict[str, Estimate] = Field(description="Estimated cost and duration of each step, by step id")


class PublishRequest(RequestModel):
    """A new version. `note` describes the change."""

    note: PlainText = Field(default="", max_length=500)
