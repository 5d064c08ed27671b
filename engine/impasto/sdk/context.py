"""What a running node may ask for.

A node takes a `Context` parameter and calls these. In an `async def` node they are used as they stand
(those that do I/O are awaited); a `def` node calls the same names on `context.sync`, which blocks its
worker thread instead; a `cpu=True` node has the same `sync` over a pipe to its parent.
"""

import asyncio
import logging
import math
import threading
import typing as t
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from pathlib import Path

from impasto.errors import NodeError, as_text
from impasto.sdk.callbacks import Callback, Silence
from impasto.serialization import shown
from impasto.store import Data, Origin, Store, Stored
from impasto.types import Audio, File, Image, Media, Video

if t.TYPE_CHECKING:
    import httpx

    from impasto.runtime.task import Unit

Credentials = Callable[[str], Awaitable[str | None]]
MEDIA: dict[str, t.Any] = {"image": Image, "video": Video, "audio": Audio}


def reference(stored: Stored, media_type: str, known: dict[str, t.Any]) -> t.Any:
    """The media value for a stored asset: an Image, Video, Audio or File, as its media type asks for."""
    cls = MEDIA.get(media_type.partition("/")[0], File)
    fields = {key: value for key, value in known.items() if key in cls.__dataclass_fields__}
    return cls(
        asset_id=stored.asset_id, media_type=media_type, bytes=stored.bytes, sha256=stored.sha256, **fields
    )


class Context:
    """One step's (or one item's) way to the run around it."""

    __impasto_context__ = True
    __slots__ = ("_closed", "_loop", "_run", "_sync", "_temp", "_thread", "_unit", "fingerprint")

    def __init__(self, run: t.Any, unit: "Unit") -> None:
        self._run = run
        self._unit = unit
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()
        self._temp: t.Any = None
        self._closed = False
        self._sync: SyncContext | None = None
        self.fingerprint: str | None = None

    # -- plain calls, good in any thread -------------------------------------------------------

    def progress(self, fraction: float, message: str = "") -> None:
        """Say how far the step is: from 0 to 1."""
        fraction = min(1.0, max(0.0, float(fraction)))
        self._call(self._run.progress, self._unit, fraction, as_text(message))

    def partial(self, value: t.Any, port: str | None = None, place: int | None = None) -> None:
        """Show a part of the result: more text for a text output, else a value in its place.

        `place`: where in the list that the port gives the value will stand.
        """
        outputs = self._unit.step.type.outputs
        name = port or (outputs[0].name if outputs else "output")
        what = {"delta": value} if isinstance(value, str) else {"value": shown(value)}
        where = {"item": [place]} if place is not None else {}
        self._call(self._run.partial, self._unit, {"port": name, **where, **what})

    def preview(self, image: Image, port: str | None = None, place: int | None = None) -> None:
        """Show a picture of what is coming; of one of several, at its place among them."""
        self.partial(image, port, place)

    def charge(self, usd: float, **units: float) -> None:
        """Say what the step has cost, and for what (`tokens=120`): money is never taken back."""
        if not all(math.isfinite(amount) for amount in (usd, *units.values())) or usd < 0:
            raise ValueError(
                f"a charge is a number of dollars from 0, and numbers of units, not {usd!r} {units}"
            )
        self._call(self._run.charge, self._unit, float(usd), units)

    def made_by(
        self,
        *,
        provider: str | None = None,
        model: str | None = None,
        prompt: str | None = None,
        seed: int | None = None,
        settings: dict[str, t.Any] | None = None,
    ) -> None:
        """Say what makes this step's results: it stands in the step's last event and with its assets."""
        said = {"provider": provider, "model": model, "prompt": prompt, "seed": seed, "settings": settings}
        self._unit.made_by = {key: shown(value) for key, value in said.items()}

    # -- what is known -------------------------------------------------------------------------

    @property
    def step(self) -> str:
        """The step's id: a path (`teaser/speak`) inside a subflow."""
        return self._unit.step.id

    @property
    def item(self) -> tuple[int, ...] | None:
        """The place of this call's item where the step was lifted over a list."""
        return self._unit.path

    @property
    def run_id(self) -> str:
        """The run's id."""
        return t.cast("str", self._run.run_id)

    @property
    def attempt(self) -> int:
        """1 at the first try, one more at each retry."""
        return self._unit.attempt

    @property
    def abandoned(self) -> bool:
        """Whether the run was let go to be resumed (a shutdown), rather than cancelled by somebody."""
        return t.cast("bool", self._run.abandoned)

    @property
    def seed(self) -> int:
        """A number to draw randomness from: the same on a retry or a resume, another in a fresh run."""
        return t.cast("int", self._run.seed_of(self._unit))

    @property
    def idempotency_key(self) -> str:
        """The same for every try of this call in this run: give it to a provider that takes one."""
        return t.cast("str", self._run.idempotency_key(self._unit))

    @property
    def log(self) -> logging.LoggerAdapter[logging.Logger]:
        """A logger whose records carry the run and the step."""
        about = {"run_id": self.run_id, "step": self.step}
        return logging.LoggerAdapter(logging.getLogger("impasto.step"), about)

    @property
    def temp_dir(self) -> Path:
        """A folder of this call's own, deleted when it ends."""
        if self._temp is None:
            import tempfile

            self._temp = tempfile.TemporaryDirectory(prefix="impasto-", ignore_cleanup_errors=True)
        if self._closed:
            # A thread that was given up has asked too late: nobody would delete the folder.
            self.close()
            raise asyncio.CancelledError("The step was given up.")
        return Path(self._temp.name)

    @property
    def http(self) -> "httpx.AsyncClient":
        """The run's HTTP client, which refuses private addresses."""
        return t.cast("httpx.AsyncClient", self._run.http())

    def callback(self, name: str) -> AbstractAsyncContextManager[Callback]:
        """For an `async with` block: an address that the outside may call, and a wait for the call."""
        opening = self._run.options.callbacks
        if opening is None:
            return Silence()
        return t.cast(
            "AbstractAsyncContextManager[Callback]", opening(f"{self.run_id} {self._unit.name} {name}")
        )

    @property
    def sync(self) -> "SyncContext":
        """The same names for a `def` node: they block its thread."""
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
        """Put bytes, a file or a stream into the store; a reference of the class for its media type."""
        source: Data = Path(data) if isinstance(data, str) else data
        unit = self._unit
        origin = Origin(
            self.run_id,
            unit.step.id,
            unit.step.type.id,
            width,
            height,
            seconds,
            unit.made_by,
            self._input_assets(),
        )
        stored = await self._store().put(source, media_type, name, origin=origin)
        return reference(
            stored, media_type, {"name": name, "width": width, "height": height, "seconds": seconds}
        )

    @asynccontextmanager
    async def open(self, asset: Media) -> AsyncIterator[Path]:
        """A local file with the asset's bytes, for reading, there while the block lasts."""
        async with self._store().path(asset.asset_id) as path:
            yield path

    async def read(self, asset: Media) -> bytes:
        """All of the asset's bytes."""
        return b"".join([piece async for piece in self._store().open(asset.asset_id)])

    async def remember(self, key: str, value: t.Any) -> None:
        """Write something down for this step: durable when this returns, there again after a crash."""
        if not isinstance(key, str):
            raise TypeError(f"what is remembered has a text as its key, not {key!r}")
        await self._run.remember(self._unit, shown(key), value)

    async def recall(self, key: str) -> t.Any:
        """What this step remembered under the key, in this try or an earlier one; None if nothing."""
        return self._run.recall(self._unit, key)

    def kept(self, port: str | None = None) -> list[t.Any] | None:
        """What to keep of an earlier list, with None at each place where another item is wanted.

        None where all is wanted, as in most runs. A function that makes its items one by one makes only
        those, and returns them among the others; one that does not ask makes them all.
        """
        return t.cast("list[t.Any] | None", self._run.kept(self._unit, port))

    async def credential(self, provider: str) -> str | None:
        """The user's key for a provider, or None."""
        ask = self._run.options.credentials
        return await ask(provider) if ask is not None else None

    def _store(self) -> Store:
        store = self._run.store
        if store is None:
            raise NodeError(detail="This run has no store to keep assets in.", code="no_store")
        return t.cast("Store", store)

    def _input_assets(self) -> tuple[str, ...]:
        found: list[str] = []
        todo: list[t.Any] = list(self._unit.args)
        while todo:
            value = todo.pop()
            if isinstance(value, list):
                todo.extend(value)
            elif isinstance(value, File | Image | Video | Audio):
                found.append(value.asset_id)
        return tuple(dict.fromkeys(found))

    def _call(self, function: Callable[..., t.Any], *args: t.Any) -> None:
        if threading.get_ident() == self._thread:
            function(*args)
        elif self._unit.dead:
            # A thread cannot be stopped from outside; one that reports back stops here.
            raise asyncio.CancelledError("The step was given up.")
        else:
            self._loop.call_soon_threadsafe(function, *args)

    def close(self) -> None:
        """Delete the folder; the run calls this when the unit has ended."""
        self._closed = True
        if self._temp is not None:
            self._temp.cleanup()
            self._temp = None


class SyncContext:
    """`Context` for a function in a worker thread: what is awaited there blocks here."""

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
        """A local file with the asset's bytes, there while the block lasts."""
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


@asynccontextmanager
async def options_context(
    *, credential: Credentials | None = None, allow_private_hosts: bool = False
) -> AsyncIterator[t.Any]:
    """A context good for `Catalog.options` outside a run: `credential`, `http`, `log`."""
    from impasto.runtime.resources import Resources

    resources = Resources(None)
    try:
        yield OptionsContext(resources, credential, allow_private_hosts)
    finally:
        await resources.close()


class OptionsContext:
    """What a function that lists a setting's options may ask for."""

    def __init__(self, resources: t.Any, credential: Credentials | None, allow_private_hosts: bool) -> None:
        self._resources = resources
        self._credential = credential
        self._allow = allow_private_hosts
        self.log = logging.getLogger("impasto.options")

    @property
    def http(self) -> "httpx.AsyncClient":
        """An HTTP client that refuses private addresses."""
        return t.cast("httpx.AsyncClient", self._resources.http(self._allow))

    async def credential(self, provider: str) -> str | None:
        """The user's key for a provider, or None."""
        return await self._credential(provider) if self._credential is not None else None
