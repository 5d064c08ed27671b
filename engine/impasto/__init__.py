"""Impasto: flows of typed nodes, checked when they are compiled, and rerun only where they changed.

`__all__` is the public API. Everything else may change between versions.
"""

from impasto.cache.disk import DiskCache
from impasto.cache.memory import MemoryCache
from impasto.cache.protocol import Cache
from impasto.compiler.catalog import Catalog
from impasto.compiler.compile import compile  # noqa: A004 - its name in the language of flows
from impasto.compiler.plan import Plan
from impasto.compiler.step import Step
from impasto.compiler.subflows.flatten import flatten
from impasto.compiler.variables import bind_variables
from impasto.configuration import Configuration
from impasto.document.flow import Flow
from impasto.document.model import FlowEdge, FlowNode
from impasto.document.variables import FlowVariable
from impasto.errors import (
    ArchiveInvalid,
    AssetNotFound,
    BadOutput,
    ConversionFailed,
    DefinitionError,
    FlowInvalid,
    ImpastoError,
    InputsInvalid,
    InputUnavailable,
    JournalUnusable,
    LeaseHeld,
    LeaseLost,
    NodeError,
    Problem,
    RunError,
    RunExists,
    RunNotFound,
    ServiceUnavailable,
    StepTimeout,
)
from impasto.events import Event
from impasto.journal.memory import MemoryJournal
from impasto.journal.protocol import Journal, Lease, Record
from impasto.journal.sqlite import SqliteJournal
from impasto.runtime.policies.limits import Limits
from impasto.runtime.policies.retry import Backoff
from impasto.runtime.run import Run, execute, resume, run_sync, start
from impasto.runtime.run_result import RunResult, StepResult
from impasto.sdk.callbacks import Callback
from impasto.sdk.context import Context
from impasto.sdk.node import node
from impasto.sdk.node_type import Category, NodeType, Port
from impasto.sdk.paid_call import PaidCall
from impasto.sdk.settings import Setting
from impasto.sdk.template import Placeholder, Template
from impasto.store import FolderStore, MemoryStore, Origin, Provenance, Store, Stored
from impasto.tracking import tracked
from impasto.types import (
    SKIP,
    Any,
    Audio,
    Boolean,
    Brand,
    Delta,
    File,
    Image,
    Integer,
    Json,
    Lazy,
    Mask,
    Media,
    Number,
    Text,
    Video,
)

__all__ = [
    "SKIP",
    "Any",
    "ArchiveInvalid",
    "AssetNotFound",
    "Audio",
    "Backoff",
    "BadOutput",
    "Boolean",
    "Brand",
    "Cache",
    "Callback",
    "Catalog",
    "Category",
    "Configuration",
    "Context",
    "ConversionFailed",
    "DefinitionError",
    "Delta",
    "DiskCache",
    "Event",
    "File",
    "Flow",
    "FlowEdge",
    "FlowInvalid",
    "FlowNode",
    "FlowVariable",
    "FolderStore",
    "Image",
    "ImpastoError",
    "InputUnavailable",
    "InputsInvalid",
    "Integer",
    "Journal",
    "JournalUnusable",
    "Json",
    "Lazy",
    "Lease",
    "LeaseHeld",
    "LeaseLost",
    "Limits",
    "Mask",
    "Media",
    "MemoryCache",
    "MemoryJournal",
    "MemoryStore",
    "NodeError",
    "NodeType",
    "Number",
    "Origin",
    "PaidCall",
    "Placeholder",
    "Plan",
    "Port",
    "Problem",
    "Provenance",
    "Record",
    "Run",
    "RunError",
    "RunExists",
    "RunNotFound",
    "RunResult",
    "ServiceUnavailable",
    "Setting",
    "SqliteJournal",
    "Step",
    "StepResult",
    "StepTimeout",
    "Store",
    "Stored",
    "Template",
    "Text",
    "Video",
    "bind_variables",
    "compile",
    "execute",
    "flatten",
    "node",
    "resume",
    "run_sync",
    "start",
    "tracked",
]
