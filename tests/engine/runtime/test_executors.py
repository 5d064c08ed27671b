import asyncio
import importlib.util
import multiprocessing
import os
import sys
import threading
import time
from collections.abc import AsyncIterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Annotated

import pytest

from impasto import Configuration, Context, Integer, MemoryStore, Setting, Text, execute, node, start
from impasto.testing import plan_of

pytestmark = pytest.mark.anyio

_spec = importlib.util.spec_from_file_location("engine_cpu_nodes", Path(__file__).with_name("cpu_nodes.py"))
cpu = importlib.util.module_from_spec(_spec)
sys.modules["engine_cpu_nodes"] = cpu
_spec.loader.exec_module(cpu)
CPU = [cpu.where, cpu.ask, cpu.spin, cpu.refuse, cpu.square]


@node
async def say(*, text: Annotated[str, Setting(input=True)] = "hi") -> Text:
    return text


def workers():
    """The processes for `cpu=True` nodes that are alive."""
    return [process for process in multiprocessing.active_children() if process.name == "impasto-cpu"]


async def credentials(provider):
    return f"sk-{provider}"


async def test_cpu_node_runs_in_another_process_with_its_context():
    plan = plan_of(
        [say, *CPU], {"p": "say", "w": "where", "a": "ask"}, [("p.output", "w.text"), ("p.output", "a.text")]
    )
    store = MemoryStore()
    result = await execute(
        plan, store=store, credentials=credentials, configuration=Configuration({"PAINT_THREADS": "3"})
    )
    assert result.status == "finished", result.error and result.error.detail
    assert result.outputs["w.output"]["pid"] != os.getpid()
    assert store.assets[result.outputs["a.output"].asset_id] == b"hi"
    assert result.cost_usd == 0.25
    said = [event.data["message"] for event in result.events if event.type == "step.progress"]
    assert said == ["half"]
    assert workers() == []


async def test_calls_take_turns_in_as_many_processes_as_there_are_processors(monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    nodes = {f"p{n}": ("say", {"text": f"{n}"}) for n in range(3)} | {f"w{n}": "where" for n in range(3)}
    plan = plan_of([say, *CPU], nodes, [(f"p{n}.output", f"w{n}.text") for n in range(3)])
    result = await execute(plan)
    found = [result.outputs[f"w{n}.output"] for n in range(3)]
    assert [each["text"] for each in found] == ["0", "1", "2"]
    assert len({each["pid"] for each in found}) == 1
    assert workers() == []


async def test_cpu_node_fans_out():
    @node
    async def numbers() -> list[Integer]:
        return [1, 2, 3]

    plan = plan_of([numbers, *CPU], {"n": "numbers", "s": "square"}, [("n.output", "s.n")])
    assert (await execute(plan)).outputs["s.output"] == [1, 4, 9]


@pytest.mark.parametrize(
    ("how", "code", "why"),
    [
        ("exit", "node_failed", "ended without an answer"),
        ("node", "refused", ""),
        ("value", "node_failed", "plain"),
        ("leave", "node_failed", "SystemExit: 3"),
        ("unpicklable", "node_failed", "cannot be pickled"),
        ("odd charge", "node_failed", "charge() takes a finite number"),
    ],
)
async def test_error_in_a_worker_process_fails_the_step(how, code, why):
    plan = plan_of([say, *CPU], {"p": "say", "r": ("refuse", {"how": how})}, [("p.output", "r.text")])
    error = (await execute(plan)).steps["r"].error
    assert error.code == code
    assert why in (error.detail or "")
    assert workers() == []
    assert (error.retryable, error.retry_after) == ((True, 2.5) if how == "node" else (False, None))


async def test_event_loop_runs_while_a_large_value_is_sent_to_a_process(monkeypatch):
    senders, send = [], Connection.send_bytes

    def sending(pipe, message, *rest):
        senders.append((len(message) > 100_000, threading.current_thread() is threading.main_thread()))
        send(pipe, message, *rest)

    monkeypatch.setattr(Connection, "send_bytes", sending)
    plan = plan_of([say, *CPU], {"p": "say", "w": "where"}, [("p.output", "w.text")])
    result = await execute(plan, {"p": "x" * 200_000})
    assert len(result.outputs["w.output"]["text"]) == 200_000
    assert senders == [(True, False)]


async def test_cancelling_kills_the_process():
    spinning = asyncio.Event()
    plan = plan_of([say, *CPU], {"p": "say", "s": "spin"}, [("p.output", "s.text")])

    def listen(event):
        if event.type == "step.progress":
            spinning.set()

    async with start(plan, listener=listen) as run:
        await spinning.wait()
        started = time.perf_counter()
        result = await run.cancel()
    assert time.perf_counter() - started < 20
    assert (result.status, result.steps["s"].status) == ("cancelled", "cancelled")
    assert workers() == []


async def test_def_node_uses_its_context_in_a_thread():
    @node
    def work(text: Text, *, context: Context) -> Text:
        assert threading.current_thread() is not threading.main_thread()
        sync = context.sync
        sync.progress(0.25, "quarter")
        sync.charge(1.0)
        sync.remember("k", {"a": 1})
        stored = sync.store(text.encode(), "text/plain")
        with sync.open(stored) as path:
            return path.read_text() + str(sync.recall("k")["a"])

    result = await execute(
        plan_of([say, work], {"p": "say", "w": "work"}, [("p.output", "w.text")]), store=MemoryStore()
    )
    assert (result.outputs["w.output"], result.cost_usd) == ("hi1", 1.0)


async def test_async_generator_streams_deltas():
    @node
    async def stream(text: Text) -> AsyncIterator[Text]:
        for end in (1, 2, 2):
            yield text[:end]
        yield "other"

    result = await execute(plan_of([say, stream], {"p": "say", "s": "stream"}, [("p.output", "s.text")]))
    partial = [event.data for event in result.events if event.type == "step.partial"]
    assert partial == [
        {"port": "output", "delta": "h"}, {"port": "output", "delta": "i"},
        {"port": "output", "value": "other"},
    ]  # fmt: skip
    assert result.outputs["s.output"] == "other"


async def test_async_generator_without_values_closes_its_output():
    @node
    async def stream(text: Text) -> AsyncIterator[Text]:
        for _ in ():
            yield text

    @node
    async def after(text: Text) -> Text:
        return text

    plan = plan_of(
        [say, stream, after],
        {"p": "say", "s": "stream", "a": "after"},
        [("p.output", "s.text"), ("s.output", "a.text")],
    )
    assert (await execute(plan)).steps["a"].reason == "closed"


async def test_sync_and_async_steps_mix():
    @node
    def plain(text: Text) -> Text:
        return text + "p"

    @node
    async def soft(text: Text) -> Text:
        await asyncio.sleep(0)
        return text + "s"

    names = {f"n{i}": "plain" if i % 2 else "soft" for i in range(10)}
    edges = [("p.output", "n0.text"), *((f"n{i}.output", f"n{i + 1}.text") for i in range(9))]
    result = await execute(plan_of([say, plain, soft], {"p": "say", **names}, edges))
    assert result.outputs["n9.output"] == "hi" + "sp" * 5


async def test_sync_function_that_raises_stop_iteration_fails_its_step():
    @node
    def stop(text: Text) -> Text:
        raise StopIteration

    result = await execute(plan_of([say, stop], {"p": "say", "s": "stop"}, [("p.output", "s.text")]))
    assert result.steps["s"].error.detail == "RuntimeError: the function raised StopIteration"
