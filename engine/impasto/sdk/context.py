"""The interface between a running node and its run.

A node takes a `Context` parameter. In an `async def` node its methods are called directly, and those that do
I/O are awaited. A `def` node calls the same names on `context.sync`, which blocks its worker thread instead.
In a `cpu=True` node `sync` forwards each call through a pipe to the parent process.
"""

import asyncio
import logging
import threading
import typing as t
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from pathlib import Path

from impasto.configuration import Configuration
from impasto.encoding import to_json
from impasto.errors import NodeError, as_text
from impasto.sdk.callbacks import Callback, UnreachableCallback
from impasto.sdk.paid_call import PaidCall, require_charge
from impasto.sdk.services import RunServices, StepCall
from impasto.serialization import json_data, json_error
from impasto.store import Data, Provenance, Store, Stored
from impasto.types import Audio, File, Image, Mask, Media, Video

if t.TYPE_CHECKING:
    import tempfile

    import httpx

CallT = t.TypeVar("CallT", bound=StepCall)
GenerationMethod = t.Literal["generated", "edited", "rendered", "enhanced"]
_CLASS_OF_KIND: dict[str, t.Any] = {"image": Image, "video": Video, "audio": Audio}


def media_value(stored: Stored, media_type: str, properties: dict[str, t.Any]) -> t.Any:
    """Return the reference to a stored asset: an Image, Video, Audio or File, by its media type.

    `properties` that the class does not have (a width of an Audio) are left out.
    """
    cls = _CLASS_OF_KIND.get(media_type.partition("/")[0], File)
    fields = {key: value for key, value in properties.items() if key in cls.__dataclass_fields__}
    return cls(
        asset_id=stored.asset_id, media_type=media_type, bytes=stored.bytes, sha256=stored.sha256, **fields
    )


def require_memo(key: t.Any, value: t.Any) -> None:
    """Raise TypeError if a step cannot remember the value under the key."""
    if not isinstance(key, str):
        raise TypeError(f"remember() key must be a str, got {key!r}")
    why = json_error(to_json(value))
    if why is not None:
        raise TypeError(f"remember() cannot save this value: {why}")


class Context:
    """The interface between a node's function and its run, for one call: a step, or one item of a list."""

    __impasto_context__ = True
    __slots__ = ("_call", "_closed", "_loop", "_run", "_sync", "_temp", "_thread", "fingerprint")

    def __init__(self, run: RunServices[CallT], call: CallT) -> None:
        # A type parameter of the class would have to be written in every node's signature.
        self._run = t.cast("RunServices[StepCall]", run)
        self._call: StepCall = call
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()
        self._temp: tempfile.TemporaryDirectory[str] | None = None
        self._closed = False
        self._sync: SyncContext | None = None
        self.fingerprint: str | None = None

    # -- plain methods, safe to call from any thread -------------------------------------------

    def progress(self, fraction: float, message: str = "") -> None:
        """Report the step's progress: `fraction` from 0 to 1, and an optional message for the user."""
        fraction = min(1.0, max(0.0, float(fraction)))
        self._on_loop(self._run.progress, self._call, fraction, as_text(message))

    def partial(self, value: t.Any, port: str | None = None, place: int | None = None) -> None:
        """Show a part of the result before the step finishes.

        A string is appended to the text shown so far; any other value replaces the one shown. `port` names
        the output (default: the first one), `place` the position in the list that the port returns.
        """
        outputs = self._call.step.type.outputs
        name = port or (outputs[0].name if outputs else "output")
        content = {"delta": value} if isinstance(value, str) else {"value": json_data(value)}
        item = {"item": [place]} if place is not None else {}
        self._on_loop(self._run.partial, self._call, {"port": name, **item, **content})

    def preview(self, image: Image, port: str | None = None, place: int | None = None) -> None:
        """Show a preview image of the result; `port` and `place` as in `partial`."""
        self.partial(image, port, place)

    def charge(self, usd: float, **units: float) -> None:
        """Record what the step has spent: US dollars, and what for (`tokens=120`). Charges add up.

        Raises ValueError for a negative amount, and for one that is not finite.
        """
        require_charge(usd, units)
        self._on_loop(self._run.charge, self._call, float(usd), units)

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
        """Record how the step generates its results; kept in its `step.finished` event and with its assets.

        Call it before `store`, so that the assets carry it. `method` is for content credentials: `generated`
        by a generative model, `edited` by one, `rendered` by an algorithm that is no generative model, or
        `enhanced` by one without new content. Without it, naming a provider or a model means `generated`.
        """
        given = {"provider": provider, "model": model, "prompt": prompt, "seed": seed, "settings": settings}
        if method is not None:
            given["method"] = method
        self._call.made_by = {key: json_data(value) for key, value in given.items()}

    made_by = record_generation
    """The former name of `record_generation`, kept for existing plugins."""

    # -- properties ----------------------------------------------------------------------------

    @property
    def step(self) -> str:
        """The step's id: a path (`teaser/speak`) inside a subflow."""
        return self._call.step.id

    @property
    def item(self) -> tuple[int, ...] | None:
        """The position of this call's item, if the step fans out over a list; None otherwise."""
        return self._call.path

    @property
    def run_id(self) -> str:
        """The run's id."""
        return self._run.run_id

    @property
    def attempt(self) -> int:
        """1 for the first attempt, one more for each retry."""
        return self._call.attempt

    @property
    def abandoned(self) -> bool:
        """Whether the run stops in order to be resumed (a shutdown), as opposed to being cancelled."""
        return self._run.abandoned

    @property
    def seed(self) -> int:
        """A seed for random numbers: the same in a retry and a resume, another one in a new run."""
        return self._run.seed_of(self._call)

    @property
    def idempotency_key(self) -> str:
        """A key that all attempts of this call in this run share, for providers that accept one."""
        return self._run.idempotency_key(self._call)

    @property
    def log(self) -> logging.LoggerAdapter[logging.Logger]:
        """A logger whose records carry `run_id` and `step`."""
        extra = {"run_id": self.run_id, "step": self.step}
        return logging.LoggerAdapter(logging.getLogger("impasto.step"), extra)

    @property
    def temp_dir(self) -> Path:
        """A temporary folder for this call, deleted when the call ends."""
        if self._temp is None:
            import tempfile

            self._temp = tempfile.TemporaryDirectory(prefix="impasto-", ignore_cleanup_errors=True)
        if self._closed:
            # An abandoned thread asks after the call has ended: nothing would delete the folder later.
            self.close()
            raise asyncio.CancelledError("The step was abandoned.")
        return Path(self._temp.name)

    @property
    def http(self) -> "httpx.AsyncClient":
        """The run's HTTP client. It refuses private addresses, unless the run allows them."""
        return self._run.http()

    def callback(self, name: str) -> AbstractAsyncContextManager[Callback]:
        """Open a callback URL that an outside service can request, for an `async with` block."""
        open_callback = self._run.options.callbacks
        if open_callback is None:
            return UnreachableCallback()
        return open_callback(f"{self.run_id} {self._call.name} {name}")

    @property
    def sync(self) -> "SyncContext":
        """The same names for a `def` node: methods that are awaited here block the thread there."""
        if self._sync is None:
            self._sync = SyncContext(self)
        return self._sync

    # -- awaited -------------------------------------------------------------------------------

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
        """Store an asset and return the reference to it: an Image, Video, Audio or File by `media_type`.

        `data` is bytes, a path to a file, or an async iterable of bytes. `width` and `height` are in pixels.
        """
        source: Data = Path(data) if isinstance(data, str) else data
        call = self._call
        provenance = Provenance(
            run_id=self.run_id,
            step=call.step.id,
            node_type=call.step.type.id,
            width=width,
            height=height,
            seconds=seconds,
            generation=call.made_by,
            inputs=self._input_assets(),
        )
        stored = await self._store().put(source, media_type, name, origin=provenance)
        properties = {"name": name, "width": width, "height": height, "seconds": seconds}
        return media_value(stored, media_type, properties)

    @asynccontextmanager
    async def open(self, asset: Media) -> AsyncIterator[Path]:
        """Yield a local, read-only file with the asset's bytes, for an `async with` block.

        Raises AssetNotFound.
        """
        async with self._store().path(asset.asset_id) as path:
            yield path

    async def read(self, asset: Media) -> bytes:
        """Return the asset's bytes. Raises AssetNotFound."""
        return b"".join([piece async for piece in self._store().open(asset.asset_id)])

    def reserve(
        self, usd: float | None, *, at_least: float | None = None, name: str = ""
    ) -> AbstractAsyncContextManager[PaidCall]:
        """Reserve the most that a paid call may cost, for an `async with` block around the call.

        `usd` is that amount; None if the price is not known, which a run with a budget refuses unless
        it allows it. If less is left of the budget, but `at_least` that, the block gets what is left: see
        `PaidCall.max_usd`. While other reservations may still free more, it waits for them. The block records
        what the call has cost with `PaidCall.charge`; the rest is free again when it ends. A block that is
        cancelled without a charge counts as spent in full, and so does one whose process died.

        `name` is one that all attempts of this call share, for a call that a retry or a resume continues:
        what it was assumed to cost is then corrected by what it charges. To be used in `async def` nodes.

        Raises NodeError (code `budget_exceeded`, `price_unknown` or that of a limit of the user).
        """
        if usd is not None:
            require_charge(usd, {})
        return self._run.reserve(self._call, usd, at_least, name)

    async def remember(self, key: str, value: t.Any) -> None:
        """Save a JSON value for this step; durable when this returns, and available after a crash.

        Raises TypeError if the key is not a str or the value has no JSON form.
        """
        require_memo(key, value)
        await self._run.remember(self._call, json_data(key), value)

    async def recall(self, key: str) -> t.Any:
        """Return what this step remembered under the key in any attempt; None if nothing."""
        return self._run.recall(self._call, key)

    def kept(self, port: str | None = None) -> list[t.Any] | None:
        """Return an earlier list result, with None at each position to regenerate.

        None if everything is to be generated, as in most runs. A function that generates its items one by
        one generates only the missing ones and returns the complete list. A function that does not call
        this generates all of them.
        """
        return self._run.kept(self._call, port)

    @property
    def configuration(self) -> Configuration:
        """The operator's configuration: environment variables, and the lines of `.env` if it was loaded."""
        return self._run.options.configuration or Configuration.load()

    async def credential(self, provider: str) -> str | None:
        """Return the user's key for a provider, or None.

        Charges that follow count as paid with the user's own key if there is one.
        """
        look_up = self._run.options.credentials
        key = await look_up(provider) if look_up is not None else None
        self._call.uses_own_key = key is not None
        return key

    def _store(self) -> Store:
        store = self._run.store
        if store is None:
            raise NodeError(detail="This run has no store for assets: pass store=… to it.", code="no_store")
        return store

    def _input_assets(self) -> tuple[str, ...]:
        found: list[str] = []
        todo: list[t.Any] = [*self._call.kwargs.values(), *self._call.args]  # ports are taken first
        while todo:
            value = todo.pop()
            if isinstance(value, list):
                todo.extend(value)
            elif isinstance(value, File | Image | Video | Audio):
                found.append(value.asset_id)
            elif isinstance(value, Mask):
                found.append(value.image.asset_id)
        return tuple(dict.fromkeys(found))

    def _on_loop(self, function: Callable[..., t.Any], *args: t.Any) -> None:
        """Call a function of the run on its event loop, from any thread."""
        if threading.get_ident() == self._thread:
            function(*args)
        elif self._call.cancelled:
            # A thread cannot be stopped from outside; an abandoned one stops here.
            raise asyncio.CancelledError("The step was abandoned.")
        else:
            self._loop.call_soon_threadsafe(function, *args)

    def close(self) -> None:
        """Delete the temporary folder. The run calls this when the call has ended."""
        self._closed = True
        if self._temp is not None:
            self._temp.cleanup()
            self._temp = None


class SyncContext:
    """`Context` for a function in a worker thread: methods that are awaited there block here."""

    __slots__ = ("_context",)

    def __init__(self, context: Context) -> None:
        self._context = context

    def __getattr__(self, name: str) -> t.Any:
        found = getattr(self._context, name)
        if not asyncio.iscoroutinefunction(found):
            return found
        return lambda *args, **kwargs: self._wait(found(*args, **kwargs))

    @contextmanager
    def open(self, asset: Media) -> t.Iterator[Path]:
        """Yield a local, read-only file with the asset's bytes, for a `with` block."""
        manager = self._context.open(asset)
        path = self._wait(manager.__aenter__())
        try:
            yield path
        finally:
            self._wait(manager.__aexit__(None, None, None))

    def _wait(self, awaitable: t.Any) -> t.Any:
        async def wait() -> t.Any:
            return await awaitable

        return asyncio.run_coroutine_threadsafe(wait(), self._context._loop).result()
