"""The input and the results of a compilation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from impasto_server.flows.schemas import Estimate, Kind, Problem

_EMPTY_FORM = b'{"type":"object","properties":{},"required":[]}'


@dataclass(frozen=True)
class Source:
    """The input of a compilation. `configured`: the providers that the user has keys for, if known."""

    document: dict[str, Any]
    subflows: Mapping[str, Any]
    flow_id: str | None = None
    targets: Sequence[str] | None = None
    configured: frozenset[str] | None = None

    def header(self) -> dict[str, Any]:
        """Return what a process needs besides the documents."""
        return {
            "flow_id": self.flow_id,
            "targets": None if self.targets is None else list(self.targets),
            "configured": None if self.configured is None else sorted(self.configured),
        }


@dataclass(frozen=True)
class CheckedFlow:
    """The result of compiling a document. Fields of type `bytes` are JSON, passed on without parsing.

    `contents` identifies the steps by type and settings, `own_contents` those that the document itself holds
    and not an agent that it runs; `parse_error` says why the document is none at all.
    `seconds` is how long it took.
    """

    can_run: bool
    problems: list[Problem]
    estimate: Estimate = field(default_factory=Estimate)
    kinds: list[Kind] = field(default_factory=list)
    takes: list[str] | None = None
    node_types: dict[str, bool] = field(default_factory=dict)
    parse_error: str | None = None
    inputs: bytes = _EMPTY_FORM
    results: bytes = b"[]"
    step_estimates: bytes = b"{}"
    planned_steps: bytes = b"[]"
    contents: bytes = b"[]"
    own_contents: bytes = b"[]"
    seconds: float = 0.0

    @property
    def size(self) -> int:
        """The memory that it takes, in bytes, roughly."""
        forms = (self.inputs, self.results, self.step_estimates, self.planned_steps)
        parts = (*forms, self.contents, self.own_contents)
        return 2000 + sum(map(len, parts)) + 500 * len(self.problems) + 100 * len(self.node_types)


Result = CheckedFlow | dict[str, Any]  # or why a document was refused


@dataclass(frozen=True)
class InputsReport:
    """The result of checking inputs: problems of ids in `targets` or `fresh`, and a report per launch."""

    ids: dict[str, Any] | None
    rows: list[dict[str, Any]]
