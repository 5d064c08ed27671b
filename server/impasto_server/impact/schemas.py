"""Request and response bodies of the impact of a brand's change."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from impasto_server.assets.schemas import Asset
from impasto_server.brands.schemas import AssetId, BrandChange
from impasto_server.http.schemas import Money, Page, RequestModel, ResponseModel
from impasto_server.impact.models import State

MAX_SELECTED = 1000
MAX_BATCH_RUNS = 50
AssetIds = Annotated[list[AssetId], Field(min_length=1, max_length=MAX_SELECTED)]


class ImpactGroup(ResponseModel):
    """The affected assets of one agent. `usd` is what making all of them again is expected to cost."""

    flow_id: str | None = Field(description="Null for assets whose agent was deleted, which stay as they are")
    flow_name: str
    assets: int
    usd: Money


class Impact(ResponseModel):
    """The assets that were made with values of a brand that a version changes."""

    version: int | Literal["draft"]
    changes: list[BrandChange] = Field(description="What changes since the newest version that assets have")
    assets: int
    usd: Money
    groups: list[ImpactGroup]
    unknown: int = Field(
        description="Assets that were made with the brand before steps recorded what they read: whether the "
        "change affects them is not known"
    )
    undecided: int = Field(description="Assets made again, of which none was decided to be kept or replaced")


class AffectedAsset(ResponseModel):
    """An affected asset, and the expected cost of making it again."""

    asset: Asset
    usd: Money


class AffectedAssetPage(Page[AffectedAsset]):
    """A page of affected assets, newest first."""


class RegenerationRequest(RequestModel):
    """Assets to make again with a published version: up to 1,000 by id, and all affected ones of agents."""

    version: Annotated[int, Field(ge=1, le=999_999_999)]
    asset_ids: Annotated[list[AssetId], Field(max_length=MAX_SELECTED)] = Field(default_factory=list)
    flow_ids: Annotated[list[AssetId], Field(max_length=100)] = Field(default_factory=list)


class RegenerationBatch(RegenerationRequest):
    """The next batch of the assets to make again: those of at most 50 runs."""

    cursor: Annotated[str, Field(max_length=36)] | None = Field(
        default=None, description="`next_cursor` of the batch before; null for the first"
    )


class Quote(ResponseModel):
    """What making assets again is expected to cost: what their steps cost before.

    Steps that did not read what changed are reused and cost nothing.
    """

    assets: int
    steps: int = Field(description="Steps that read what changed")
    usd: Money
    limit_usd: Money = Field(description="The runs stop at this amount: the quote and a tenth")


class Regeneration(ResponseModel):
    """An asset before and after. `after` is null until it is made."""

    id: str
    version: int
    before: Asset
    after: Asset | None
    run_id: str
    state: State
    created_at: datetime


class Started(ResponseModel):
    """A batch of assets that are being made again. `left_out` of it were not started."""

    regenerations: list[Regeneration]
    left_out: int
    reason: str | None = Field(description="Why assets were left out")
    next_cursor: str | None = Field(description="Where the next batch begins; null after the last")


class Cancelled(ResponseModel):
    """How many runs are being cancelled. Their assets stay as they are, and can be made again later."""

    runs: int


class RegenerationPage(Page[Regeneration]):
    """A page of assets that were made again, newest first."""


class Decision(RequestModel):
    """Whether new assets replace the earlier ones, or those are kept. "ready" undoes a decision."""

    ids: AssetIds
    state: Literal["replaced", "kept", "ready"]


class Decided(ResponseModel):
    """The assets after a decision."""

    regenerations: list[Regeneration]
