"""The worker's side of a call: it finds the function, calls it, and forwards its context over the pipe."""

import sys
import threading
from multiprocessing import Pipe
from pathlib import Path

import pytest
from tests.engine.runtime.tracked_nodes import Theme

from impasto import NodeError
from impasto.cache.tracked_inputs import track
from impasto.errors import StepTimeout
from impasto.runtime.executors.worker import serve
from impasto.runtime.sandbox.denied import CapabilityDenied
from impasto.tracking import detached


class Functions:
    """Functions that a worker finds by their names."""

    @staticmethod
    def add(one, *, two=2):
        return one + two

    @staticmethod
    def fail(kind):
        if kind == "wrapped":
            try:
                raise CapabilityDenied("acme", "network", "connect to a.example", "declare it")
            except CapabilityDenied as error:
                raise OSError("no connection") from error
        raise {
            "plain": ValueError("no"),
            "node": NodeError("No.", code="refused", retryable=True),
            "timeout": StepTimeout(2.0),
            "exit": SystemExit(3),
        }[kind]

    @staticmethod
    def unpicklable():
        return lambda: None

    @staticmethod
    def read(look, others):
        return [look.ink, others[0].paper]

    @staticmethod
    def use(text, *, ctx):
        ctx.progress(0.5, message="half")
        with ctx.open("asset") as path:
            found = [text, ctx.step, str(path), ctx.sync is ctx, ctx.configuration, ctx.log.name]
        found.append(ctx.recall("k", port=None))
        try:
            ctx.threads()
        except AttributeError as error:
            found.append(str(error))
        return found


@pytest.fixture
def pipe():
    """The parent's end of the pipe of a worker."""
    ours, theirs = Pipe()
    thread = threading.Thread(target=serve, args=(theirs,), daemon=True)
    thread.start()
    yield ours
    ours.close()
    thread.join(20)
    assert not thread.is_alive()
    theirs.close()


def send(pipe, name, *args, place=None, about=None, is_tracked=False, **kwargs):
    found = place or (__name__, f"Functions.{name}", None)
    pipe.send((found, args, kwargs, about, is_tracked))


def received(pipe):
    assert pipe.poll(20)
    return pipe.recv()


def call(pipe, name, *args, **about):
    send(pipe, name, *args, **about)
    return received(pipe)


def test_calls_are_done_one_after_another(pipe):
    assert call(pipe, "add", 1) == ("done", 3, frozenset())
    assert call(pipe, "add", 1, two=5) == ("done", 6, frozenset())


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        ("plain", {"code": "node_failed", "detail": "ValueError: no", "retryable": False}),
        ("node", {"code": "refused", "detail": None, "retryable": True}),
        ("timeout", {"code": "timeout", "retryable": True}),
        ("exit", {"code": "node_failed", "detail": "SystemExit: 3"}),
        ("wrapped", {"code": "capability_denied"}),
    ],
)
def test_error_is_sent_in_a_class_that_can_be_read(pipe, kind, error):
    status, raised, reads = call(pipe, "fail", kind)
    assert (status, type(raised), reads) == ("failed", NodeError, frozenset())
    assert {name: value for name, value in raised.to_dict().items() if name in error} == error
    assert call(pipe, "add", 1) == ("done", 3, frozenset())


def test_value_that_cannot_be_sent_fails_the_call(pipe):
    status, raised, reads = call(pipe, "unpicklable")
    assert (status, reads) == ("failed", frozenset())
    assert raised.detail.startswith("the function returned a value that cannot be pickled (")
    assert "lambda" in raised.detail
    assert call(pipe, "add", 1) == ("done", 3, frozenset())


def test_fields_that_the_function_reads_are_reported(pipe):
    _, views = track([Theme(origin="a"), [Theme(paper="grey")]], [b"", b""], b"", b"")
    look, others = views
    sent = detached([look, others])
    assert call(pipe, "read", *sent, is_tracked=True) == (
        "done",
        ["black", "grey"],
        frozenset({"0.ink", "1.paper"}),
    )


def test_function_uses_its_context_over_the_pipe(pipe):
    send(pipe, "use", "hi", about={"parameter": "ctx", "step": "a/b", "temp_dir": Path("/tmp/x")})
    assert received(pipe) == ("notify", "progress", (0.5,), {"message": "half"})
    for request, answer in [
        (("open", ("asset",), {}), Path("/tmp/x/asset")),
        (("configuration", (), {}), {"A": "1"}),
        (("close", (Path("/tmp/x/asset"),), {}), None),
        (("recall", ("k",), {"port": None}), [7]),
    ]:
        assert received(pipe) == ("request", *request)
        pipe.send((True, answer))
    status, found, _ = received(pipe)
    assert (status, found) == (
        "done",
        [
            "hi", "a/b", "/tmp/x/asset", True, {"A": "1"}, "impasto.step", [7],
            "context.threads is not available in a cpu=True node's process",
        ],
    )  # fmt: skip


def test_refused_request_is_raised_in_the_function(pipe):
    send(pipe, "use", "hi", about={"parameter": "ctx", "step": "a"})
    assert received(pipe)[0] == "notify"
    assert received(pipe) == ("request", "open", ("asset",), {})
    pipe.send((False, NodeError("No such file.", code="gone")))
    status, raised, _ = received(pipe)
    assert (status, raised.code, raised.message) == ("failed", "gone", "No such file.")


def test_module_that_cannot_be_imported_is_loaded_once_from_its_file(pipe, tmp_path):
    file = tmp_path / "drawer.py"
    file.write_text(
        "count = 0\ndef draw():\n    global count\n    count += 1\n    return [__name__, count]\n"
    )
    place = ("engine_test_drawer", "draw", str(file))
    try:
        assert call(pipe, "", place=place)[:2] == ("done", ["engine_test_drawer", 1])
        assert call(pipe, "", place=place)[:2] == ("done", ["engine_test_drawer", 2])
    finally:
        sys.modules.pop("engine_test_drawer", None)
    status, raised, _ = call(pipe, "", place=("engine_test_drawer", "draw", None))
    assert (status, raised.detail) == (
        "failed",
        "ModuleNotFoundError: No module named 'engine_test_drawer'",
    )
    status, raised, _ = call(pipe, "", place=("engine_test_drawer", "draw", str(tmp_path / "text.txt")))
    assert (status, raised.detail) == ("failed", "ModuleNotFoundError: engine_test_drawer")
    assert call(pipe, "", 4, place=("math", "sqrt", None))[:2] == ("done", 2.0)
