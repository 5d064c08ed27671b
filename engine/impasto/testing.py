"""Tools for testing nodes: running a single node, a fake context, short flows and sample nodes."""

import asyncio
import logging
import shutil
import tempfile
import typing as t
import weakref
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from pathlib import Path

from impasto.compiler.catalog import Catalog
from impasto.compiler.compile import compile as compile_flow
from impasto.compiler.plan import Plan
from impasto.configuration import Configuration
from impasto.document.flow import Flow
from impasto.document.model import FlowEdge, FlowNode
from impasto.encoding import from_json, to_json
from impasto.errors import AssetNotFound, DefinitionError
from impasto.events import Event
from impasto.runtime.run import execute
from impasto.runtime.run_result import RunResult
from impasto.sdk.callbacks import UnreachableCallback
from impasto.sdk.context import GenerationMethod, media_value, require_memo
from impasto.sdk.node import node
from impasto.sdk.node_type import NodeType, node_type_of
from impasto.sdk.paid_call import PaidCall, require_charge
from impasto.sdk.settings import Setting
from impasto.store import Data, MemoryStore
from impasto.types import Image, Integer, Json, Media, Text, port_type

__all__ = ["FakeContext", "NodeRun", "add", "flow_of", "plan_of", "run_node", "shout", "words"]


class NodeRun(t.NamedTuple):
    """The result of `run_node`: the node's outputs by port, the run's result, and the store."""

    outputs: dict[str, t.Any]
    result: RunResult
    store: MemoryStore

    @property
    def output(self) -> t.Any:
        """The output of a node with one output. Raises KeyError if it was closed."""
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
    """Run a single node as a flow would: with conversion, fan-out, settings and retries.

    `inputs` are values by port or setting, `settings` the node's settings; `catalog` has further node types,
    for a node with a subflow. `options` are those of `execute`. Raises the NodeError that the node failed
    with, with its `detail` as a note; DefinitionError if the function is not a node, and FlowInvalid for
    settings that do not fit.
    """
    found = node_type_of(function)
    if found is None:
        raise DefinitionError(f"{function!r} is not a node: put @node above the function.")
    given = dict(inputs or {})
    feeders = {name: _feeder(name, _port(found, name), value) for name, value in given.items()}
    nodes = [
        FlowNode(id="node", type=found.id, settings={k: to_json(v) for k, v in (settings or {}).items()})
    ]
    nodes += [FlowNode(id=f"in_{name}", type=f"feed_{name}") for name in given]
    edges = [FlowEdge(f"in_{name}.output", f"node.{name}") for name in given]
    node_types = [*(catalog or ()), found, *feeders.values()]
    used_store = store or MemoryStore()
    plan = compile_flow(Flow(name="test", nodes=nodes, edges=edges), Catalog(node_types))
    result = await execute(plan, store=used_store, **options)
    step = result.steps["node"]
    if step.error is not None:
        if step.error.detail is not None:
            step.error.add_note(step.error.detail)  # pytest prints notes, and `message` alone may say nothing
        raise step.error
    return NodeRun(step.outputs, result, used_store)


def _port(found: NodeType, name: str) -> t.Any:
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
    """Return a flow from short notation.

    `nodes` maps ids to types, or to `(type, settings)`; `edges` are pairs such as `("a.output", "b.port")`.
    """
    items = [
        FlowNode(id=name, type=kind)
        if isinstance(kind, str)
        else FlowNode(id=name, type=kind[0], settings=dict(kind[1]))
        for name, kind in nodes.items()
    ]
    return Flow(name="test", nodes=items, edges=[FlowEdge(source, target) for source, target in edges])


def plan_of(
    functions: t.Iterable[t.Any],
    nodes: Mapping[str, str | tuple[str, Mapping[str, t.Any]]],
    edges: t.Iterable[tuple[str, str]] = (),
    **options: t.Any,
) -> Plan:
    """Compile a flow in the notation of `flow_of`. `options` are those of `compile`."""
    return compile_flow(flow_of(nodes, edges), Catalog(functions), **options)


class FakeContext:
    """A context for calling a node's function directly, without a run.

    `calls` records the reports of the node as `(method, arguments)`, `spent` adds up its charges in US
    dollars, `assets` is its store and `memory` what it remembered. Set `earlier` to the list that `kept`
    returns.
    """

    __impasto_context__ = True

    def __init__(
        self,
        *,
        credentials: Mapping[str, str] | None = None,
        configuration: Mapping[str, str] | None = None,
        seed: int = 1,
    ) -> None:
        self.assets = MemoryStore()
        self.calls: list[tuple[str, tuple[t.Any, ...]]] = []
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
        self._temp: Path | None = None

    @property
    def temp_dir(self) -> Path:
        """A temporary folder, deleted with this object."""
        if self._temp is None:
            self._temp = Path(tempfile.mkdtemp(prefix="impasto-test-"))
            weakref.finalize(self, shutil.rmtree, self._temp, ignore_errors=True)
        return self._temp

    @property
    def sync(self) -> "_SyncFakeContext":
        """The same names for a `def` node: methods that are awaited here block there."""
        return _SyncFakeContext(self)

    def close(self) -> None:
        """Delete the temporary folder."""
        if self._temp is not None:
            shutil.rmtree(self._temp, ignore_errors=True)
            self._temp = None

    def progress(self, fraction: float, message: str = "") -> None:
        """Record the call."""
        self.calls.append(("progress", (fraction, message)))

    def partial(self, value: t.Any, port: str | None = None, place: int | None = None) -> None:
        """Record the call."""
        self.calls.append(("partial", (value, port) if place is None else (value, port, place)))

    def preview(self, image: Image, port: str | None = None, place: int | None = None) -> None:
        """Record the call."""
        self.calls.append(("preview", (image, port) if place is None else (image, port, place)))

    def record_generation(
        self,
        *,
        provider: str | None = None,
        model: str | None = None,
        prompt: str | None = None,
        seed: int | None = None,
        settings: dict[str, t.Any] | None = None,
        method: GenerationMethod | None = None,
    ) -> None:
        """Record the call."""
        given = {"provider": provider, "model": model, "prompt": prompt, "seed": seed, "settings": settings}
        if method is not None:
            given["method"] = method
        self.calls.append(("record_generation", (given,)))

    made_by = record_generation

    def kept(self, port: str | None = None) -> list[t.Any] | None:
        """Return `earlier`."""
        return self.earlier

    def charge(self, usd: float, **units: float) -> None:
        """Add the amount to `spent`. Raises ValueError for one that is no price."""
        require_charge(usd, units)
        self.spent += usd

    @asynccontextmanager
    async def reserve(
        self, usd: float | None, *, at_least: float | None = None, name: str = ""
    ) -> t.AsyncIterator[PaidCall]:
        """Yield a call without a limit, whose charges are added to `spent`."""
        if usd is not None:
            require_charge(usd, {})
        self.calls.append(("reserve", (usd, at_least, name)))

        def on_charge(charged: float, units: dict[str, float], is_assumed: bool) -> None:
            self.spent += (usd or 0.0) if is_assumed else charged

        yield PaidCall(None, on_charge)

    async def store(
        self,
        data: Data | str,
        media_type: str,
        *,
        name: str | None = None,
        width: int | None = None,
        height: int | None = None,
        seconds: float | None = None,
    ) -> t.Any:
        """Store the data in `assets` and return the reference to it."""
        source: Data = Path(data) if isinstance(data, str) else data
        stored = await self.assets.put(source, media_type, name)
        properties = {"name": name, "width": width, "height": height, "seconds": seconds}
        return media_value(stored, media_type, properties)

    async def read(self, asset: Media) -> bytes:
        """Return the asset's bytes. Raises AssetNotFound."""
        if not self.assets.has(asset.asset_id):
            raise AssetNotFound(asset.asset_id)
        return self.assets.assets[asset.asset_id]

    def open(self, asset: Media) -> AbstractAsyncContextManager[Path]:
        """Yield a file with the asset's bytes, for an `async with` block."""
        return self.assets.path(asset.asset_id)

    async def remember(self, key: str, value: t.Any) -> None:
        """Save the value in `memory` as JSON data. Raises TypeError if a run could not save it."""
        require_memo(key, value)
        self.memory[key] = to_json(value)

    async def recall(self, key: str) -> t.Any:
        """Return what was remembered under the key; None if nothing."""
        return from_json(self.memory.get(key))

    def callback(self, name: str) -> UnreachableCallback:
        """Return a callback that nothing requests."""
        return UnreachableCallback()

    async def credential(self, provider: str) -> str | None:
        """Return the key from the constructor's `credentials`, or None."""
        return self._credentials.get(provider)


class _SyncFakeContext:
    """A fake context whose coroutine methods block: each runs to its end on an event loop of its own."""

    def __init__(self, context: FakeContext) -> None:
        self._context = context

    def __getattr__(self, name: str) -> t.Any:
        found = getattr(self._context, name)
        if not asyncio.iscoroutinefunction(found):
            return found
        return lambda *args, **kwargs: _blocking(found(*args, **kwargs))

    @contextmanager
    def open(self, asset: Media) -> t.Iterator[Path]:
        """Yield a file with the asset's bytes, for a `with` block."""
        with tempfile.TemporaryDirectory(prefix="impasto-test-") as folder:
            file = Path(folder) / asset.asset_id
            file.write_bytes(_blocking(self._context.read(asset)))
            yield file


def _blocking(work: t.Coroutine[t.Any, t.Any, t.Any]) -> t.Any:
    """Run a coroutine to its end, also where a test's own event loop is running."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


@node(title="Words", category="inputs")
async def words(*, text: t.Annotated[str, Setting(input=True, widget="long_text")] = "") -> Text:
    """Return the text of the setting."""
    return text


@node(title="Shout", category="transform_assets")
async def shout(text: Text, *, times: t.Annotated[int, Setting(ge=1, le=10)] = 1) -> Text:
    """Return the text in upper case, with exclamation marks."""
    return text.upper() + "!" * times


@node(title="Add", category="transform_assets")
async def add(numbers: list[Integer], *, to: int = 0) -> Integer:
    """Return the sum of the numbers; each may come from an edge of its own."""
    await asyncio.sleep(0)
    return to + sum(numbers)
