"""Request and response bodies of runs."""

from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, StringConstraints

from impasto_server.assets.schemas import Asset, MadeBy
from impasto_server.flows.schemas import Estimate, FlowDocument, Notice, Problem
from impasto_server.http.schemas import Json, Money, Page, RequestModel, ResponseModel

RunStatus = Literal["queued", "running", "finished", "failed", "cancelled"]
StepStatus = Literal["pending", "queued", "running", "finished", "failed", "skipped", "cancelled"]
_MAX_USD = 999_999


def _positive_money(value: str) -> str:
    try:
        amount = Decimal(value)
    except InvalidOperation as error:
        raise ValueError("must be a decimal number, such as '1.50'") from error
    if not amount.is_finite() or amount < 0:
        raise ValueError("must not be negative")
    if amount > _MAX_USD:
        raise ValueError(f"must be at most {_MAX_USD}")
    return value


NodeIds = Annotated[list[Annotated[str, StringConstraints(max_length=200)]], Field(max_length=5000)]
Budget = Annotated[str, StringConstraints(max_length=20), AfterValidator(_positive_money)]


class RunRequest(RequestModel):
    """A launch. `inputs` are by node id; `version` null means the newest published version.

    `again_of`: the run of which `fresh` regenerates a part; the rest is kept from it, as long as the agent,
    the inputs and the brands are the same.
    `allow_unpriced`: a run with a budget may use models whose price is not known, with the user's own keys.
    """

    inputs: Json = Field(default_factory=dict)
    version: Annotated[int, Field(ge=1)] | Literal["draft"] | None = None
    targets: NodeIds | None = None
    fresh: NodeIds | None = None
    reuse: Literal["changed", "pure", "none"] = "pure"
    again_of: Annotated[str, StringConstraints(max_length=36)] | None = None
    budget_usd: Budget | None = None
    allow_unpriced: bool = False


class EstimateRequest(RequestModel):
    """A launch that is being filled in. Invalid inputs count as missing."""

    inputs: Json = Field(default_factory=dict)
    version: Annotated[int, Field(ge=1)] | Literal["draft"] | None = None


class Variant(RequestModel):
    """One of the settings of a node that are compared: all that differ from their defaults."""

    settings: Json


class ComparisonEstimateRequest(RequestModel):
    """A comparison that is being filled in: `variants` are run beside the settings that the node has."""

    node: Annotated[str, StringConstraints(max_length=200)]
    variants: Annotated[list[Variant], Field(min_length=1, max_length=5)]
    inputs: Json = Field(default_factory=dict)


class ComparisonRequest(ComparisonEstimateRequest):
    """A comparison of settings of one node of the draft."""

    budget_usd: Budget | None = None
    allow_unpriced: bool = False


class VariantEstimate(ResponseModel):
    """What one variant is expected to cost and take; null means unknown. `problems` are its own."""

    step: str
    usd: Money | None = None
    seconds: float | None = None
    price_unknown: bool = False
    notices: list[Notice] = Field(default_factory=list)
    problems: list[Problem] = Field(default_factory=list)


class ComparisonEstimate(ResponseModel):
    """What a comparison is expected to cost before it starts; `problems` are those before the node.

    `before_usd` is the part for the nodes before it, whose results of earlier runs are reused.
    """

    variants: list[VariantEstimate]
    problems: list[Problem]
    can_run: bool
    usd: Money | None = None
    price_unknown: bool = False
    before_usd: Money | None = None


class Comparison(ResponseModel):
    """The node that a run compares settings of. `steps` are its variants; the first has the draft's settings.

    `cancelled` are the steps that were cancelled alone.
    """

    node: str
    title: str
    steps: list[str]
    cancelled: list[str]


class ErrorData(ResponseModel):
    """Why a step or a run failed. Only the agent's owner sees `detail`."""

    code: str
    message: str
    detail: str | None = None
    retryable: bool = False
    provider: str | None = None


class StepSkipped(ResponseModel):
    """Why a step was skipped; `because` is the id of the step that caused it."""

    because: str | None
    reason: str


class StepRetry(ResponseModel):
    """A step waits before its next attempt: `attempt` failed, and the next one starts after `seconds`."""

    attempt: int
    seconds: float


class Step(ResponseModel):
    """The state of one step, from the run's events so far."""

    id: str
    node_type: str
    title: str
    status: StepStatus
    cached: bool = False
    progress: float | None = None
    message: str = ""
    text: str | None = Field(default=None, description="Text streamed so far")
    outputs: dict[str, Any] = Field(default_factory=dict)
    error: ErrorData | None = None
    seconds: float | None = None
    started_at: datetime | None = None
    finished_at: datetime | None = None
    cost_usd: Money | None = None
    skipped: StepSkipped | None = None
    retrying: StepRetry | None = None
    made_by: MadeBy | None = None


class RunResult(ResponseModel):
    """An output that the user sees. `value` is null until its step has finished."""

    step: str
    port: str
    title: str
    type: str
    list: bool
    meaning: str | None = Field(default=None, description="What the value is: post, hashtags, shot_list, …")
    text_of: str | None = Field(
        default=None, description="The port of the same step that this is the text of"
    )
    value: Any


class RunBrand(ResponseModel):
    """A saved brand whose values the run has. `input` is the launch's input that named it, or null."""

    brand_id: str
    version: int
    name: str
    input: str | None


class RunSummary(ResponseModel):
    """A run without its steps and results."""

    id: str
    number: int
    flow_id: str | None
    flow_name: str
    version: int | Literal["draft"]
    status: RunStatus
    inputs: dict[str, Any]
    targets: list[str] | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    seconds: float | None
    cost_usd: Money
    estimate: Estimate
    error: ErrorData | None
    last_seq: int
    can_resume: bool
    can_cancel: bool
    batch_id: str | None
    cover_asset_id: str | None
    comparison: Comparison | None = Field(
        default=None, description="Set if the run compares settings of one node"
    )


class Run(RunSummary):
    """A run with its steps, its results and its flow document."""

    queue_position: int | None = Field(
        description="Runs that start before this one, null if it does not wait for a free place"
    )
    brands: list[RunBrand] = Field(description="The saved brands that it used")
    steps: list[Step]
    results: list[RunResult]
    flow: FlowDocument
    fresh: list[str] = Field(description="Steps and items that it was to generate again")
    again_of: str | None = Field(description="The run of which it regenerates a part")


class ListedBrand(ResponseModel):
    """The first brand of a run."""

    brand_id: str
    name: str


class ListedRun(RunSummary):
    """A run in a list of runs."""

    title: str = Field(description="The start of its prompt; empty if it had none")
    excerpt: str = Field(description="The start of its first text result; empty if it has none")
    brand: ListedBrand | None
    assets: list[Asset] = Field(description="The first files among its results")
    asset_count: int = Field(description="The number of files among its results")


class RunPage(Page[ListedRun]):
    """A page of runs, newest first."""


class RunTotals(ResponseModel):
    """The number of your runs of this calendar month (UTC), and what they cost."""

    since: datetime
    runs: int
    cost_usd: Money
