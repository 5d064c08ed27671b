"""The tables of runs, their journals, and reusable step outputs."""

from datetime import datetime
from decimal import Decimal
from enum import IntEnum
from typing import Any

from sqlalchemy import (
    Float,
    ForeignKey,
    Index,
    LargeBinary,
    Numeric,
    SmallInteger,
    String,
    Text,
    UniqueConstraint,
    false,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from impasto_server.db.engine import Base
from impasto_server.db.types import JsonColumn, JsonText, PrimaryId
from impasto_server.runs.schemas import RunStatus
from impasto_server.utils import utc_now


class Priority(IntEnum):
    """How urgent a run is. Of one user's waiting runs, those with the lower number start first."""

    INTERACTIVE = 0
    BATCH = 1
    SCHEDULE = 2


class RunRow(Base):
    """One launch. `lease_owner`, `lease_until` and `fence` say which process owns it.

    On the server's keys, `reserved_usd` was set aside at the launch, `charged_usd` has been spent, `held_usd`
    is reserved for paid calls under way, and `spend_cap_usd` is the most that may be spent; null if the
    user's own keys pay a part.

    A live run without a `lease_owner` waits for a place. `crashes` counts the processes that died while they
    executed the run, `crash_steps` are the steps that were running when the last of them died.

    A deleted run keeps its row, without its content, because the sums of runs and costs count it.
    """

    __tablename__ = "runs"
    __table_args__ = (
        UniqueConstraint("owner_id", "launch_key"),
        Index("ix_runs_owner_created", "owner_id", "created_at"),
        Index("ix_runs_owner_status", "owner_id", "status"),
        Index("ix_runs_status_lease", "status", "lease_until"),
        Index("ix_runs_numbered", "owner_id", "flow_id", "number"),
        Index(
            "ix_runs_listed",
            "owner_id",
            "id",
            "status",
            "flow_id",
            sqlite_where=text("deleted_at IS NULL"),
            postgresql_where=text("deleted_at IS NULL"),
        ),
        Index(
            "ix_runs_without_planned_results",
            "id",
            sqlite_where=text("planned_results IS NULL"),
            postgresql_where=text("planned_results IS NULL"),
        ),
    )

    id: Mapped[PrimaryId]
    owner_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    number: Mapped[int] = mapped_column()
    flow_id: Mapped[str | None] = mapped_column(ForeignKey("flows.id", ondelete="SET NULL"), index=True)
    flow_name: Mapped[str] = mapped_column(String(120))
    version: Mapped[int | None] = mapped_column()
    document: Mapped[dict[str, Any]] = mapped_column(JsonText, deferred=True)
    subflows: Mapped[dict[str, Any]] = mapped_column(JsonText, default=dict, deferred=True)
    planned_results: Mapped[list[dict[str, Any]] | None] = mapped_column(JsonText, deferred=True)
    planned_steps: Mapped[list[dict[str, Any]] | None] = mapped_column(JsonText, deferred=True)
    inputs: Mapped[dict[str, Any]] = mapped_column(JsonText, default=dict)
    brands: Mapped[list[dict[str, Any]] | None] = mapped_column(JsonText, deferred=True)
    targets: Mapped[list[str] | None] = mapped_column(JsonText)
    fresh: Mapped[list[str]] = mapped_column(JsonColumn, default=list)
    reuse: Mapped[str] = mapped_column(String(10), default="pure")
    # The run whose other results it keeps.
    again_of: Mapped[str | None] = mapped_column(String(36))
    # The node that a comparison runs with several settings, and its steps: the first has the draft's.
    comparison: Mapped[dict[str, Any] | None] = mapped_column(JsonText)
    # Steps that the user has cancelled while the others go on.
    cancelled_steps: Mapped[list[str] | None] = mapped_column(JsonText)
    budget_usd: Mapped[Decimal | None] = mapped_column(Numeric(12, 6))
    allow_unpriced: Mapped[bool] = mapped_column(default=False, server_default=false())
    reserved_usd: Mapped[Decimal] = mapped_column(Numeric(14, 8), default=Decimal(0), server_default="0")
    charged_usd: Mapped[Decimal] = mapped_column(Numeric(14, 8), default=Decimal(0), server_default="0")
    held_usd: Mapped[Decimal] = mapped_column(Numeric(14, 8), default=Decimal(0), server_default="0")
    spend_cap_usd: Mapped[Decimal | None] = mapped_column(Numeric(14, 8))
    launch_key: Mapped[str | None] = mapped_column(String(255))
    launch_digest: Mapped[str | None] = mapped_column(String(64))
    batch_id: Mapped[str | None] = mapped_column(ForeignKey("batches.id", ondelete="SET NULL"), index=True)
    batch_row: Mapped[int | None] = mapped_column()
    quota_day: Mapped[str | None] = mapped_column(String(10))
    status: Mapped[RunStatus] = mapped_column(String(12), default="queued")
    error: Mapped[dict[str, Any] | None] = mapped_column(JsonText)
    estimate: Mapped[dict[str, Any]] = mapped_column(JsonColumn, default=dict)
    cost_usd: Mapped[Decimal] = mapped_column(Numeric(14, 8), default=Decimal(0))
    last_seq: Mapped[int] = mapped_column(default=0)
    cover_asset_id: Mapped[str | None] = mapped_column(String(36))
    cancel_requested: Mapped[bool] = mapped_column(default=False)
    attempt: Mapped[int] = mapped_column(default=0)
    priority: Mapped[int] = mapped_column(SmallInteger, default=Priority.INTERACTIVE, server_default="0")
    crashes: Mapped[int] = mapped_column(SmallInteger, default=0, server_default="0")
    crash_steps: Mapped[list[str] | None] = mapped_column(JsonText)
    lease_owner: Mapped[str | None] = mapped_column(String(80))
    lease_until: Mapped[datetime | None] = mapped_column()
    fence: Mapped[int] = mapped_column(default=0)
    enqueued_at: Mapped[datetime | None] = mapped_column("handed_at")
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
    started_at: Mapped[datetime | None] = mapped_column()
    finished_at: Mapped[datetime | None] = mapped_column()
    # The W3C trace context of the launch.
    traceparent: Mapped[str | None] = mapped_column(String(55))
    trimmed_at: Mapped[datetime | None] = mapped_column()
    deleted_at: Mapped[datetime | None] = mapped_column()


class RunListingRow(Base):
    """What a list of runs shows and searches of a run, apart from its own row.

    `asset_ids` are the first of the `assets` files among its results, `excerpt` is the start of its first
    text. `words` is the searchable text in normalized spelling.
    """

    __tablename__ = "run_listings"
    __table_args__ = (Index("ix_run_listings_brand", "owner_id", "brand_id", "run_id"),)

    run_id: Mapped[str] = mapped_column(ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True)
    owner_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    title: Mapped[str] = mapped_column(Text, default="")
    excerpt: Mapped[str] = mapped_column(Text, default="")
    brand_id: Mapped[str | None] = mapped_column(String(36))
    brand_name: Mapped[str | None] = mapped_column(Text)
    asset_ids: Mapped[list[str]] = mapped_column(JsonText, default=list)
    assets: Mapped[int] = mapped_column(default=0)
    words: Mapped[str] = mapped_column(Text, default="")
    # Whether the results that the run has so far are in the library, with what they are called there.
    in_library: Mapped[bool] = mapped_column(default=False, server_default=false(), index=True)


class RecordRow(Base):
    """One record of a run's journal: an event, which is streamed, or data that only a resume reads."""

    __tablename__ = "run_records"
    __table_args__ = (Index("ix_run_records_run_seq", "run_id", "seq"),)

    run_id: Mapped[str] = mapped_column(ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    kind: Mapped[str] = mapped_column(String(20))
    name: Mapped[str] = mapped_column(Text)
    step: Mapped[str | None] = mapped_column(Text)
    seq: Mapped[int] = mapped_column()
    time: Mapped[float] = mapped_column(Float)
    body: Mapped[bytes] = mapped_column(LargeBinary)


class ProviderCostRow(Base):
    """US dollars that a user's steps cost at a provider on a UTC day."""

    __tablename__ = "provider_costs"

    user_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    day: Mapped[str] = mapped_column(String(10), primary_key=True, index=True)
    provider: Mapped[str] = mapped_column(String(60), primary_key=True)
    usd: Mapped[Decimal] = mapped_column(Numeric(14, 8))


class ReuseRow(Base):
    """The outputs of a finished step under its key, for one user."""

    __tablename__ = "step_reuse"

    owner_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    key: Mapped[str] = mapped_column(String(80), primary_key=True)
    entry: Mapped[bytes] = mapped_column(LargeBinary)
    used_at: Mapped[datetime] = mapped_column(default=utc_now, index=True)


class WorkerRow(Base):
    """A process that executes runs. `seen_at` is its last heartbeat.

    `suspect_run_id` is a run during whose execution a process has died before, and the only one that this
    process has started a short time ago: if this process dies too, that run is to blame.
    """

    __tablename__ = "run_workers"

    name: Mapped[str] = mapped_column(String(80), primary_key=True)
    started_at: Mapped[datetime] = mapped_column()
    seen_at: Mapped[datetime] = mapped_column(index=True)
    suspect_run_id: Mapped[str | None] = mapped_column(String(36))


class QueueTurnRow(Base):
    """When a user's run last left the queue: the users take turns."""

    __tablename__ = "run_queue_turns"

    owner_id: Mapped[str] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    served_at: Mapped[datetime] = mapped_column()
