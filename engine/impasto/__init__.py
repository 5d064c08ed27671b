"""Impasto: flows of typed nodes, compiled with every problem at once, run where they changed."""

from impasto.cache import Cache, MemoryCache
from impasto.callbacks import Callback
from impasto.catalog import Catalog
from impasto.compile import compile  # noqa: A004 - its name in the language of flows
from impasto.context import Context
from impasto.disk_cache import DiskCache
from impasto.elements import FlowEdge, FlowNode
from impasto.errors import (
    AssetNotFound,
    DefinitionError,
    FlowInvalid,
    ImpastoError,
    InputsInvalid,
    LeaseHeld,
    LeaseLost,
    NodeError,
    Problem,
    RunError,
    RunExists,
    RunNotFound,
)
from impasto.events import Event
from impasto.flow import Flow
from impasto.journal import Journal, Lease, MemoryJournal, Record
from impasto.node import node
from impasto.nodetype import NodeType, Port
from impasto.plan import Plan
from impasto.policies.limits import Limits
from impasto.result import RunResult, StepResult
from impasto.run import Run, execute, resume, run_sync, start
from impasto.settings import Setting
from impasto.sqlite_journal import SqliteJournal
from impasto.step import Step
from impasto.store import FolderStore, MemoryStore, Origin, Store, Stored
from impasto.types import (
    SKIP,
    Any,
    Audio,
    Boolean,
    Brand,
    File,
    Image,
    Integer,
    Json,
    Lazy,
    Media,
    Number,
    Text,
    Video,
)

__all__ = [
    "SKIP",
    "Any",
    "AssetNotFound",
    "Audio",
    "Boolean",
    "Brand",
    "Cache",
    "Callback",
    "Catalog",
    "Context",
    "DefinitionError",
    "DiskCache",
    "Event",
    "File",
    "Flow",
    "FlowEdge",
    "FlowInvalid",
    "FlowNode",
    "FolderStore",
    "Image",
    "ImpastoError",
    "InputsInvalid",
    "Integer",
    "Journal",
    "Json",
    "Lazy",
    "Lease",
    "LeaseHeld",
    "LeaseLost",
    "Limits",
    "Media",
    "MemoryCache",
    "MemoryJournal",
    "MemoryStore",
    "NodeError",
    "NodeType",
    "Number",
    "Origin",
    "Plan",
    "Port",
    "Problem",
    "Record",
    "Run",
    "RunError",
    "RunExists",
    "RunNotFound",
    "RunResult",
    "Setting",
    "SqliteJournal",
    "Step",
    "StepResult",
    "Store",
    "Stored",
    "Text",
    "Video",
    "compile",
    "execute",
    "node",
    "resume",
    "run_sync",
    "start",
]
