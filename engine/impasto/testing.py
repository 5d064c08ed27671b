"""For tests of nodes and of what runs them: one node run by itself, fakes, and sample nodes."""

import asyncio
import logging
import tempfile
import typing as t
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from impasto.compiler.catalog import Catalog
from impasto.compiler.compile import compile as compile_flow
from impasto.compiler.plan import Plan
from impasto.configuration import Configuration
from impasto.document.flow import Flow
from impasto.document.model import FlowEdge, FlowNode
from impasto.errors import DefinitionError
from impasto.events import Event
from impasto.runtime.run import execute
from impasto.runtime.run_result import RunResult
from impasto.sdk.callbacks import UnreachableCallback
from impasto.sdk.context import media_value
from impasto.sdk.node import node
from impasto.sdk.node_type import NodeType, node_type_of
from impasto.sdk.settings import Setting
from impasto.store import MemoryStore
from impasto.types import Image, Integer, Json, Text, from_json, port_type, to_json

__all__ = ["FakeContext", "NodeRun", "add", "flow_of", "plan_of", "run_node", "shout", "words"]


class NodeRun(t.NamedTuple):
    """What came of one node: its outputs by port, and the run's result with the events."""

    outputs: dict[str, t.Any]
    result: RunResult
    store: MemoryStore

    @property
    def output(self) -> t.Any:
        """The output of a node that has one."""
        return self.outputs["output"]

    @property
    def events(self) -> list[Event]:
        """The events of the node's step."""
        return [event for event in self.result.events if event.step == "node"]


async def run_node(
    function: t.Any,
    inputs: Mapping[str, t.Any] | None = None,
    settings: Mapping[str, t.Any] | None = None,
    *,
    store: MemoryStore | None = None,
    catalog: Catalog | None = None,
    **options: t.Any,
) -> NodeRun:
    """Run one node the way a flow would, its inputs given by value; raises the error it failed with."""
    found = node_type_of(function)
    if found is None:
        raise DefinitionError(f"{function!r} is not a node: put @node above the function.")
    given = dict(inputs or {})
    feeders = {
        name: _feeder(name, _port(found, name, settings or {}), value) for name, value in given.items()
    }
    nodes = [FlowNode("node", found.id, settings={k: to_json(v) for k, v in (settings or {}).items()})]
    nodes += [FlowNode(f"in_{name}", f"feed_{name}") for name in given]
    edges = [FlowEdge(f"in_{name}.output", f"node.{name}") for name in given]
    every = [*(catalog or ()), found, *feeders.values()]
    kept = store or MemoryStore()
    plan = compile_flow(Flow("test", nodes, edges), Catalog(every))
    result = await execute(plan, store=kept, **options)
    step = result.steps["node"]
    if step.error is not None:
        raise step.error
    return NodeRun(step.outputs, result, kept)


def _port(found: NodeType, name: str, settings: Mapping[str, t.Any]) -> t.Any:
    if name in found.input_names:
        return found.inputs[found.input_names[name]].type
    if name in found.setting_names:
        return found.setting_names[name].port or port_type(Json)
    return port_type(Text)


def _feeder(name: str, wanted: t.Any, value: t.Any) -> Callable[[], t.Any]:
    async def feed() -> Json:
        return value

    cls: t.Any = t.Annotated[t.Any, wanted.base]
    for _ in range(_depth(value)):
        cls = list[cls]
    feed.__annotations__["return"] = cls
    feed.__name__ = f"feed_{name}"
    return node(id=f"feed_{name}")(feed)


def _depth(value: t.Any) -> int:
    depth = 0
    while isinstance(value, list):
        depth += 1
        value = value[0] if value else None
    return depth


def flow_of(
    nodes: Mapping[str, str | tuple[str, Mapping[str, t.Any]]], edges: t.Iterable[tuple[str, str]] = ()
) -> Flow:
    """A flow in short: `{"a": "type", "b": ("type", {settings})}` and `[("a.output", "b.port")]`."""
    items = [
        FlowNode(name, kind) if isinstance(kind, str) else FlowNode(name, kind[0], settings=dict(kind[1]))
        for name, kind in nodes.items()
    ]
    return Flow("test", items, [FlowEdge(source, target) for source, target in edges])


def plan_of(
    functions: t.Iterable[t.Any],
    nodes: Mapping[str, str | tuple[str, Mapping[str, t.Any]]],
    edges: t.Iterable[tuple[str, str]] = (),
    **options: t.Any,
) -> Plan:
    """The plan of a flow in short."""
    return compile_flow(flow_of(nodes, edges), Catalog(functions), **options)


class FakeContext:
    """A context for calling a node's function by hand: keeps what it is told, stores in memory."""

    __impasto_context__ = True

    def __init__(
        self,
        *,
        credentials: Mapping[str, str] | None = None,
        configuration: Mapping[str, str] | None = None,
        seed: int = 1,
    ) -> None:
        self.assets = MemoryStore()
        self.told: list[tuple[str, tuple[t.Any, ...]]] = []
        self.memory: dict[str, t.Any] = {}
        self.spent = 0.0
        self.seed = seed
        self.step = "node"
        self.item: tuple[int, ...] | None = None
        self.run_id = "test"
        self.attempt = 1
        self.abandoned = False
        self.earlier: list[t.Any] | None = None
        self.log = logging.getLogger("impasto.step")
        self.idempotency_key = "test-node"
        self.fingerprint: str | None = None
        self.http: t.Any = None
        self.configuration = Configuration(configuration or {})
        self._credentials = dict(credentials or {})
        self._temp: t.Any = None

    @property
    def temp_dir(self) -> Path:
        """A folder that goes with this object."""
        if self._temp is None:
            self._temp = tempfile.TemporaryDirectory(prefix="impasto-test-")
        return Path(self._temp.name)

    @property
    def sync(self) -> t.Any:
        """The same names for a `def` node: what is awaited there blocks here."""
        return _Blocking(self)

    def close(self) -> None:
        """Delete the folder."""
        if self._temp is not None:
            self._temp.cleanup()
            self._temp = None

    def progress(self, fraction: float, message: str = "") -> None:
        """Kept in `told`."""
        self.told.append(("progress", (fraction, message)))

    def partial(self, value: t.Any, port: str | None = None, place: int | None = None) -> None:
        """Kept in `told`."""
        self.told.append(("partial", (value, port) if place is None else (value, port, place)))

    def preview(self, image: Image, port: str | None = None, place: int | None = None) -> None:
        """Kept in `told`."""
        self.told.append(("preview", (image, port) if place is None else (image, port, place)))

    def made_by(self, **said: t.Any) -> None:
        """Kept in `told`."""
        self.told.append(("made_by", (said,)))

    def kept(self, port: str | None = None) -> list[t.Any] | None:
        """What `earlier` says."""
        return self.earlier

    def charge(self, usd: float, **units: float) -> None:
        """Added to `spent`."""
        self.spent += usd

    async def store(self, data: t.Any, media_type: str, **known: t.Any) -> t.Any:
        """Put into `assets`."""
        stored = await self.assets.put(data, media_type, known.get("name"))
        return media_value(stored, media_type, known)

    async def read(self, asset: t.Any) -> bytes:
        """The asset's bytes."""
        return self.assets.assets[asset.asset_id]

    def open(self, asset: t.Any) -> t.Any:
        """The asset as a file."""
        return self.assets.path(asset.asset_id)

    async def remember(self, key: str, value: t.Any) -> None:
        """Kept in `memory`, as it would come back."""
        self.memory[key] = to_json(value)

    async def recall(self, key: str) -> t.Any:
        """What was remembered."""
        return from_json(self.memory.get(key))

    def callback(self, name: str) -> t.Any:
        """One that is never called."""
        return UnreachableCallback()

    async def credential(self, provider: str) -> str | None:
        """What the constructor was given."""
        return self._credentials.get(provider)


class _Blocking:
    """A fake context whose awaited names block: each is run to its end in a loop of its own."""

    def __init__(self, context: FakeContext) -> None:
        self._context = context

    def __getattr__(self, name: str) -> t.Any:
        found = getattr(self._context, name)
        if not asyncio.iscoroutinefunction(found):
            return found
        return lambda *args, **kwargs: _blocking(found(*args, **kwargs))

    @contextmanager
    def open(self, asset: t.Any) -> t.Iterator[Path]:
        """The asset as a file."""
        with tempfile.TemporaryDirectory(prefix="impasto-test-") as folder:
            file = Path(folder) / asset.asset_id
            file.write_bytes(_blocking(self._context.read(asset)))
            yield file


def _blocking(work: t.Coroutine[t.Any, t.Any, t.Any]) -> t.Any:
    """What the coroutine comes to, also where a test's own loop is running."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


@node(title="Words", category="inputs")
async def words(*, text: t.Annotated[str, Setting(input=True, widget="long_text")] = "") -> Text:
    """Give the words that were put in."""
    return text


@node(title="Shout", category="transform_assets")
async def shout(text: Text, *, times: t.Annotated[int, Setting(ge=1, le=10)] = 1) -> Text:
    """Say a text louder."""
    return text.upper() + "!" * times


@node(title="Add", category="transform_assets")
async def add(numbers: list[Integer], *, to: int = 0) -> Integer:
    """Add numbers up; the edge of each number may end here."""
    await asyncio.sleep(0)
    return to + sum(numbers)
