"""Runs in the worker process: finds the function, calls it, and forwards its context over the pipe."""

import importlib
import importlib.util
import logging
import sys
import typing as t
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path

from impasto.configuration import Configuration
from impasto.errors import NodeError
from impasto.runtime.sandbox.denied import find_in
from impasto.tracking import ReadLog, attached

NOTIFICATIONS = ("progress", "partial", "preview", "charge", "made_by", "record_generation")
REQUESTS = ("store", "read", "remember", "recall", "credential")


class PipeContext:
    """`Context` in a worker process: the same methods, all of them blocking."""

    def __init__(self, pipe: Connection, about: dict[str, t.Any]) -> None:
        self._pipe = pipe
        self.__dict__.update(about)
        self.log = logging.getLogger("impasto.step")

    @property
    def sync(self) -> "PipeContext":
        """Itself: every method blocks."""
        return self

    @property
    def configuration(self) -> Configuration:
        """The operator's configuration, as the parent process has it."""
        return t.cast("Configuration", self._request("configuration", (), {}))

    def __getattr__(self, name: str) -> t.Any:
        if name in NOTIFICATIONS:
            return lambda *args, **kwargs: self._pipe.send(("notify", name, args, kwargs))
        if name in REQUESTS:
            return lambda *args, **kwargs: self._request(name, args, kwargs)
        raise AttributeError(f"context.{name} is not available in a cpu=True node's process")

    def _request(self, name: str, args: t.Any, kwargs: t.Any) -> t.Any:
        self._pipe.send(("request", name, args, kwargs))
        good, answer = self._pipe.recv()
        if not good:
            raise answer
        return answer

    @contextmanager
    def open(self, asset: t.Any) -> t.Iterator[Path]:
        """Yield the path of a local file with the asset's bytes, deleted after the block."""
        path = self._request("open", (asset,), {})
        try:
            yield path
        finally:
            self._request("close", (path,), {})


def serve_restricted(descriptor: int) -> None:
    """Restrict this process as the parent says, then do calls; the pipe is an open file of this number."""
    from impasto.plugins.allow_list import AllowList, use
    from impasto.runtime.sandbox import landlock
    from impasto.runtime.sandbox.audit import AuditHook
    from impasto.runtime.sandbox.environment import hide_variables

    with Connection(descriptor) as pipe:
        policy, admitted = pipe.recv()
        use(AllowList.parse(admitted))
        hide_variables(policy)
        landlock.restrict(policy)
        AuditHook(policy).install()
        serve(pipe)


def serve(pipe: Connection) -> None:
    """Do one call after another until the parent closes the pipe."""
    while True:
        try:
            place, args, kwargs, about, is_tracked = pipe.recv()
        except (EOFError, OSError, KeyboardInterrupt):
            return
        log = ReadLog() if is_tracked else None
        try:
            if log is not None:
                args, kwargs = attached(args, log), attached(kwargs, log)
            if about is not None:
                kwargs[about.pop("parameter")] = PipeContext(pipe, about)
            answer = ("done", _find(*place)(*args, **kwargs))
        except BaseException as error:  # noqa: BLE001 - raised in the parent
            answer = ("failed", _portable(error))
        try:
            pipe.send((*answer, _Reads(log)))
        except Exception as error:  # noqa: BLE001 - nothing was sent: the answer cannot be pickled
            what = f"the function returned a value that cannot be pickled ({type(error).__name__}: {error})"
            pipe.send(("failed", NodeError(detail=what), _Reads(log)))


class _Reads:
    """The fields that a call has read. Pickled last, as pickling the call's answer may read more."""

    def __init__(self, log: ReadLog | None) -> None:
        self._log = log

    def __reduce__(self) -> tuple[type, tuple[list[str]]]:
        return (frozenset, (sorted(self._log.paths) if self._log is not None else [],))


def _find(module_name: str, qualname: str, file: str | None) -> t.Any:
    found: t.Any = sys.modules.get(module_name) or _module(module_name, file)
    for part in qualname.split("."):
        found = getattr(found, part)
    return found


def _module(name: str, file: str | None) -> t.Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        if file is None:
            raise
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise ModuleNotFoundError(name)
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _portable(error: BaseException) -> NodeError:
    """Return the error in a class that can be pickled; what a library made of a denied use is that use."""
    wrapped = find_in(error) or NodeError.wrap(error)
    return wrapped if type(wrapped) is NodeError else NodeError.from_dict(wrapped.to_dict())
