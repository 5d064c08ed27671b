"""The output of a streaming node, collected from what its async generator yields."""

import typing as t

from impasto.errors import BadOutput
from impasto.sdk.node_type import NodeType, OutputPort
from impasto.types import SKIP, TEXT, Delta


class StreamedOutput:
    """Collects yielded values. A value replaces the result so far; a `Delta` appends text to it."""

    __slots__ = ("_port", "_type", "result")

    def __init__(self, node_type: NodeType) -> None:
        self._type = node_type
        self._port: OutputPort | None = node_type.outputs[0] if node_type.single else None
        self.result: t.Any = SKIP

    def add(self, value: t.Any) -> dict[str, t.Any] | None:
        """Add a yielded value; return the data of its `step.partial` event, None if nothing is to be shown.

        Raises BadOutput for a value that is neither of the output's type nor a Delta of its text.
        """
        if isinstance(value, Delta):
            return self._append(value.text)
        before, self.result = self.result, value
        if value is SKIP or self._port is None:
            return None
        self._check(value, self._port)
        if not isinstance(value, str) or not value.startswith(
            shown := before if isinstance(before, str) else ""
        ):
            return {"port": self._port.name, "value": value}
        return self._delta(value[len(shown) :])

    def _append(self, text: str) -> dict[str, t.Any] | None:
        port = self._port
        if port is None or port.type.base is not TEXT or port.type.depth:
            names = ", ".join(each.name for each in self._type.outputs)
            why = "it yielded a Delta, which only a single Text output takes. Yield the whole value instead"
            raise BadOutput(self._type.id, names, f"{why}, and show text on the way with context.partial().")
        self.result = (self.result if isinstance(self.result, str) else "") + text
        return self._delta(text)

    def _delta(self, text: str) -> dict[str, t.Any] | None:
        return {"port": "output", "delta": text} if text else None

    def _check(self, value: t.Any, port: OutputPort) -> None:
        expected = port.type
        fits = isinstance(value, list | tuple) if expected.depth else expected.base.holds(value)
        if fits or (value is None and port.optional):
            return
        fix = f"Yield the whole {expected} so far"
        fix += ", or Delta(text) with the text to append." if expected.base is TEXT else "."
        raise BadOutput(self._type.id, port.name, f"it yielded {type(value).__name__}. {fix}")
