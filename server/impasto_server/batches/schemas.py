"""Response bodies of batches."""

from datetime import datetime
from typing import Literal

from impasto_server.http.schemas import Money, ResponseModel
from impasto_server.runs.schemas import RunSummary


class BatchCounts(ResponseModel):
    """Number of runs by status."""

    queued: int
    running: int
    finished: int
    failed: int
    cancelled: int


class Batch(ResponseModel):
    """A batch of launches with its runs."""

    id: str
    flow_id: str | None
    flow_name: str
    version: int | Literal["draft"]
    created_at: datetime
    total: int
    counts: BatchCounts
    cost_usd: Money
    runs: list[RunSummary]
