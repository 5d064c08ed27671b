"""The first event of a run."""

import typing as t
from collections.abc import Mapping

from impasto.compiler.plan import Plan
from impasto.encoding import to_json


class RunStarted(t.NamedTuple):
    """The data of a `run.started` event, built when it is first read."""

    plan: Plan
    inputs: Mapping[str, t.Any]
    resumed: bool

    def __call__(self) -> dict[str, t.Any]:
        """Return the data."""
        steps = [{"id": step.id, "type": step.type.id, "title": step.title} for step in self.plan.steps]
        return {"inputs": to_json(dict(self.inputs)), "steps": steps, "resumed": self.resumed}
