"""The spans of a run, its steps and the calls of providers."""

from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import orjson
import pytest
from tests.server.observability.otlp_receiver import *  # noqa: F403
from tests.server.observability.otlp_receiver import Receiver
from tests.server.sample_nodes import sample_catalog

from impasto import NodeError
from impasto.journal.protocol import Record
from impasto_server.observability.tracing import Tracing
from impasto_server.runs.events.trace import RunTrace
from impasto_server.runs.models import RunRow
from impasto_server.settings import Settings

pytestmark = pytest.mark.anyio
PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
CATALOG = sample_catalog()


@pytest.fixture
async def tracing(receiver: Receiver) -> AsyncIterator[Tracing]:
    made = Tracing(Settings(_env_file=None, otel_endpoint=receiver.url))
    yield made
    await made.close()


@pytest.fixture
def trace(tracing: Tracing) -> RunTrace:
    return RunTrace(tracing, RunRow(id="r1", flow_id="f1", traceparent=PARENT))


def event(name: str, at: float, step: str | None = None, kind: str = "event", **data: Any) -> Record:
    return Record(kind, name, step, 1, at, orjson.dumps(data))


def call(step: str, node_type: str, made_by: Any, **about: Any) -> Any:
    info = SimpleNamespace(id=step, type=CATALOG[node_type])
    usual = {"step": info, "made_by": made_by, "attempt": 2, "cost": 0.5, "path": None, "units": None}
    return SimpleNamespace(**usual | about)


async def test_steps_are_spans_below_that_of_the_run(
    trace: RunTrace, tracing: Tracing, receiver: Receiver
) -> None:
    trace.on_records(
        [
            event(
                "run.started",
                10.0,
                steps=[{"id": "a", "type": "paint"}, {"id": "b", "type": "shout"}],
                resumed=True,
            ),
            event("step.started", 11.0, "a"),
            event("step.started", 11.0, "memo", kind="memo"),
            event("step.finished", 13.5, "a", cost_usd=0.25, cached=True),
            event("step.failed", 14.0, "b", error={"code": "moderated"}),
            event("step.finished", 14.0, "c"),
        ]
    )
    trace.on_records(
        [event("step.started", 15.0, "open"), event("run.failed", 20.0, cost_usd=1.5, error={"code": "x"})]
    )
    trace.close()
    await tracing.close()
    run = receiver.one("invoke_agent")
    assert (run.trace, run.parent, run.is_error) == (PARENT[3:35], PARENT[36:52], True)
    assert trace.trace_id == run.trace
    assert run.attributes == {
        "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.id": "f1", "impasto.run.id": "r1",
        "impasto.run.resumed": "True", "impasto.run.status": "failed",
        "impasto.cost_usd": "1.5", "error.type": "x",
    }  # fmt: skip
    steps = {span.attributes["impasto.step.id"]: span for span in receiver.spans if span is not run}
    assert {name: (span.name, span.seconds, span.is_error) for name, span in steps.items()} == {
        "a": ("step paint", 2.5, False),
        "b": ("step shout", 0.0, True),
        "c": ("step", 0.0, False),
        "open": ("step", 5.0, False),
    }
    assert {span.parent for span in steps.values()} == {run.id}
    assert steps["a"].attributes == {
        "impasto.step.id": "a", "impasto.node.type": "paint", "impasto.step.cached": "True",
        "impasto.cost_usd": "0.25",
    }  # fmt: skip
    assert steps["b"].attributes == {
        "impasto.step.id": "b", "impasto.node.type": "shout", "impasto.step.cached": "False",
        "impasto.cost_usd": "0.0", "error.type": "moderated",
    }  # fmt: skip
    assert steps["c"].attributes["impasto.node.type"] == ""
    assert steps["open"].attributes == {"impasto.step.id": "open"}


@pytest.mark.parametrize(
    ("name", "data", "error"),
    [
        ("run.finished", {}, None), ("run.cancelled", {}, "cancelled"),
        ("run.failed", {"error": None}, "failed"),
        (None, {}, "interrupted"),
    ],
)  # fmt: skip
async def test_run_that_did_not_finish_is_an_error(
    trace: RunTrace,
    tracing: Tracing,
    receiver: Receiver,
    name: str | None,
    data: dict[str, Any],
    error: str | None,
) -> None:
    trace.on_records([event("step.started", 11.0, "a")])
    if name is not None:
        trace.on_records([event(name, 20.0, **data)])
    trace.close()
    await tracing.close()
    run, step = receiver.one("invoke_agent"), receiver.one("step")
    assert (run.is_error, run.attributes.get("error.type")) == (error is not None, error)
    assert run.attributes.get("impasto.cost_usd") == (None if name is None else "0.0")
    assert step.is_error is (name is None)


async def test_calls_of_providers_are_spans_below_that_of_their_step(
    trace: RunTrace, tracing: Tracing, receiver: Receiver
) -> None:
    units = {"tokens_in": 10, "tokens_out": 2.0, "images": 1}
    trace.on_call_ended(
        call("a", "buy", {"provider": "openai", "model": "gpt", "x": 1}, units=units), 1.5, None
    )
    trace.on_call_ended(
        call("a", "paint", {"provider": "fal"}, path=(1, 2)), 2.0, NodeError("no", code="moderated")
    )
    for made_by in (None, {}, {"model": "gpt"}):
        trace.on_call_ended(call("free", "paint", made_by), 1.0, None)
    trace.close()
    await tracing.close()
    assert {span.name for span in receiver.spans} == {"invoke_agent", "step", "chat gpt", "generate_content"}
    chat, image, step = receiver.one("chat gpt"), receiver.one("generate_content"), receiver.one("step")
    assert chat.attributes == {
        "gen_ai.operation.name": "chat", "gen_ai.provider.name": "openai", "gen_ai.output.type": "text",
        "gen_ai.request.model": "gpt", "impasto.step.id": "a", "impasto.step.attempt": "2",
        "impasto.cost_usd": "0.5",
        "gen_ai.usage.input_tokens": "10", "gen_ai.usage.output_tokens": "2",
    }  # fmt: skip
    assert (chat.seconds, chat.is_error, chat.kind, chat.parent) == (
        pytest.approx(1.5, abs=0.01),
        False,
        3,
        step.id,
    )
    assert image.attributes == {
        "gen_ai.operation.name": "generate_content", "gen_ai.provider.name": "fal",
        "gen_ai.output.type": "image", "impasto.step.id": "a", "impasto.step.attempt": "2",
        "impasto.step.item": "1.2", "impasto.cost_usd": "0.5", "error.type": "moderated",
    }  # fmt: skip
    assert (image.is_error, image.kind, image.parent) == (True, 3, step.id)
    assert step.seconds >= 1.4, "the step starts with its first call"
