"""Traces, as a receiver of OTLP/HTTP gets them: of an in-process run, and across a Celery worker."""

import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from opentelemetry.semconv import schemas
from prometheus_client import REGISTRY
from pydantic import ValidationError
from tests.contract.workers import Worker
from tests.server.certificates import self_signed
from tests.server.observability.otlp_receiver import *  # noqa: F403
from tests.server.observability.otlp_receiver import Receiver, Span, receiving
from tests.server.responses import expect
from tests.server.sample_nodes import arrived, chain

from impasto_server.app import create_app
from impasto_server.observability.tracing import SCHEMA_URL, Tracing
from impasto_server.settings import Settings
from impasto_server.utils import own_version

pytestmark = pytest.mark.anyio
PROMPT = "a secret lighthouse"
SERVER, CLIENT = 2, 3
GEN_AI = {
    "gen_ai.operation.name", "gen_ai.agent.id", "gen_ai.provider.name", "gen_ai.request.model",
    "gen_ai.output.type", "gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens",
}  # fmt: skip


@pytest.fixture
def backend() -> str:
    return "in_process"


@pytest.fixture
def extra_settings(receiver: Receiver, backend: str, request: pytest.FixtureRequest) -> dict[str, Any]:
    chosen = {"otel_endpoint": receiver.url, "otel_headers": "authorization=Bearer hunter2,x-team=north"}
    if backend == "in_process":
        return {**chosen, "metrics": True, "metrics_token": "a-token-for-tests"}
    return {**chosen, "run_backend": "celery", "redis_url": request.getfixturevalue("redis_url")}


@pytest.fixture(autouse=True)
def send_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "50")


async def launched(person: Any, flow: dict[str, Any], **headers: str) -> dict[str, Any]:
    body = {"inputs": {"ask": PROMPT}, "version": "draft"}
    response = await person.client.post(f"/flows/{flow['id']}/runs", json=body, headers=headers)
    expect(response, 202)
    return dict(response.json())


def has_run(spans: list[Span]) -> bool:
    return any(span.name == "invoke_agent" for span in spans)


def parents_of(spans: list[Span], span: Span) -> list[str]:
    """Return the names of a span and of all above it."""
    by_id = {each.id: each for each in spans}
    names = [span.name]
    while span.parent in by_id:
        span = by_id[span.parent]
        names.append(span.name)
    return names


def check_trace(receiver: Receiver, spans: list[Span]) -> None:
    """Check the trace of one launch of ask -> paint."""
    call = receiver.one("generate_content brush-1")
    request = receiver.one("POST /flows/{flow_id}/runs")
    assert parents_of(spans, call) == [
        "generate_content brush-1", "step paint", "invoke_agent", "launch", request.name,
    ]  # fmt: skip
    assert (call.kind, request.kind) == (CLIENT, SERVER)
    assert call.attributes["gen_ai.provider.name"] == "sample"
    assert call.attributes["gen_ai.output.type"] == "image"
    assert float(call.attributes["impasto.cost_usd"]) == 0.0125
    step = receiver.one("step paint")
    assert 0 <= call.seconds <= step.seconds + 0.05
    assert receiver.one("invoke_agent").attributes["impasto.run.status"] == "finished"
    assert {span.schema for span in spans} == {SCHEMA_URL}


async def test_call_of_a_provider_is_below_its_step_run_launch_and_request(
    person: Any, receiver: Receiver, make_flow: Any, finished: Any, backend: str
) -> None:
    ended = {"status": "finished", "code": ""}
    before = REGISTRY.get_sample_value("impasto_runs_total", ended) or 0.0
    run = await launched(person, await make_flow(person, chain("paint")))
    await finished(person, run)
    spans = await receiver.wait_for(has_run)
    counted = (REGISTRY.get_sample_value("impasto_runs_total", ended) or 0.0) - before
    assert counted == (backend == "in_process"), "a run is counted where it is executed"
    check_trace(receiver, spans)
    assert receiver.one("invoke_agent").attributes["impasto.run.id"] == run["id"]
    assert receiver.headers[0]["authorization"] == "Bearer hunter2"
    assert receiver.spans[0].service == "impasto"


async def test_spans_hold_no_prompt_token_or_error_message(
    person: Any, receiver: Receiver, make_flow: Any, finished: Any
) -> None:
    await finished(person, await launched(person, await make_flow(person, chain("paint"))))
    failed = await finished(person, await launched(person, await make_flow(person, chain("stumble"))))
    assert failed["status"] == "failed"
    spans = await receiver.wait_for(lambda spans: sum(span.name == "invoke_agent" for span in spans) == 2)
    sent = b"".join(receiver.bodies)
    for private in (PROMPT, person.token, "hunter2", "refused", "policy 12", person.email, "painting"):
        assert private.encode() not in sent
    (step,) = [span for span in spans if span.name == "step stumble"]
    assert (step.is_error, step.attributes["error.type"]) == (True, "moderated")


async def test_spans_of_a_run_that_its_process_releases_end_as_interrupted(
    person: Any, receiver: Receiver, make_flow: Any, app_state: Any
) -> None:
    await launched(person, await make_flow(person, chain("wait")))
    await arrived("gate")
    await app_state.runs.stop()
    await receiver.wait_for(has_run)
    run = receiver.one("invoke_agent")
    assert (run.is_error, run.attributes["error.type"]) == (True, "interrupted")
    assert "impasto.run.status" not in run.attributes


async def test_trace_of_the_client_is_continued(
    person: Any, receiver: Receiver, make_flow: Any, finished: Any
) -> None:
    trace, parent = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
    flow = await make_flow(person, chain("shout"))
    await finished(person, await launched(person, flow, traceparent=f"00-{trace}-{parent}-01"))
    await receiver.wait_for(has_run)
    request = receiver.one("POST /flows/{flow_id}/runs")
    assert (request.trace, request.parent) == (trace, parent)
    assert receiver.one("invoke_agent").trace == trace


async def test_malformed_trace_header_starts_a_trace(person: Any, receiver: Receiver) -> None:
    malformed = ("", "00", "é" * 900, "00-" + "0" * 32 + "-b7ad6b7169203331-01", "\t-\t-")
    for header in malformed:
        headers = {"traceparent": header.encode("latin-1")}
        expect(await person.client.get("/users/me", headers=headers), 200)

    def of_requests(spans: list[Span]) -> list[Span]:
        return [span for span in spans if span.name == "GET /users/me"]

    spans = await receiver.wait_for(lambda spans: len(of_requests(spans)) == len(malformed))
    assert [span.parent for span in of_requests(spans)] == [""] * len(malformed)


class TestAcrossCelery:
    """A server that launches, and a worker in a process of its own that executes."""

    @pytest.fixture
    def backend(self) -> str:
        return "celery"

    @pytest.fixture
    async def worker(self, settings: Settings, receiver: Receiver, app: FastAPI) -> AsyncIterator[Worker]:
        found = Worker(settings)
        found.environment |= {"IMPASTO_OTEL_ENDPOINT": receiver.url, "IMPASTO_OTEL_SERVICE_NAME": "worker"}
        await found.start()
        yield found
        await found.end(signal.SIGTERM)

    async def test_run_on_a_worker_continues_the_trace_of_the_launch(
        self, person: Any, worker: Worker, receiver: Receiver, make_flow: Any, finished: Any
    ) -> None:
        await finished(person, await launched(person, await make_flow(person, chain("paint"))))
        spans = await receiver.wait_for(has_run)
        check_trace(receiver, spans)
        assert receiver.one("invoke_agent").service == "worker"
        assert receiver.one("launch").service == "impasto"


async def test_unreachable_receiver_delays_nothing(settings: Settings, catalog: Any, tmp_path: Path) -> None:
    dead = settings.model_copy(update={"otel_endpoint": "http://127.0.0.1:9/v1/traces", "data_dir": tmp_path})
    app = create_app(dead, catalog)
    started = time.monotonic()
    async with app.router.lifespan_context(app):
        with app.state.app_state.tracing.span("unsent", {}):
            pass
    assert time.monotonic() - started < 30


class TestOff:
    """The default."""

    @pytest.fixture
    def extra_settings(self) -> dict[str, Any]:
        return {}

    async def test_nothing_is_traced(self, person: Any, app: FastAPI, make_flow: Any, finished: Any) -> None:
        done = await finished(person, await launched(person, await make_flow(person, chain("paint"))))
        assert done["status"] == "finished"
        assert app.state.app_state.tracing is None

    def test_opentelemetry_is_not_imported(self) -> None:
        program = (
            "import sys, impasto_server.app; print([m for m in sys.modules if 'opentelemetry.sdk' in m])"
        )
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        assert done.stdout.strip() == "[]"


async def test_variables_of_opentelemetry_count_in_the_env_file(receiver: Receiver, tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.write_text(
        "OTEL_RESOURCE_ATTRIBUTES=team=north%20side,service.name=other\nOTEL_BSP_MAX_EXPORT_BATCH_SIZE=1\n"
    )
    tracing = Tracing(Settings(_env_file=file, otel_endpoint=receiver.url))
    for name in ("first", "second"):
        with tracing.span(name, {}):
            pass
    await tracing.close()
    assert len(receiver.bodies) == 2
    for text in ("north side", own_version()):
        assert text.encode() in receiver.bodies[0]
    assert receiver.spans[0].service == "impasto"


async def test_certificate_of_the_env_file_verifies_the_receiver(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"):  # requests prefers them
        monkeypatch.delenv(name, raising=False)
    certificate = self_signed(tmp_path)
    file = tmp_path / ".env"
    file.write_text(f"OTEL_EXPORTER_OTLP_CERTIFICATE={certificate[0]}\n")
    with receiving(certificate) as receiver:
        tracing = Tracing(Settings(_env_file=file, otel_endpoint=receiver.url))
        with tracing.span("first", {}):
            pass
        await tracing.close()
        assert [span.name for span in receiver.spans] == ["first"]


def test_attributes_are_those_of_the_pinned_conventions() -> None:
    from opentelemetry.semconv._incubating.attributes import gen_ai_attributes

    assert SCHEMA_URL in {member.value for member in schemas.Schemas}
    known = {value for name, value in vars(gen_ai_attributes).items() if name.startswith("GEN_AI_")}
    assert known >= GEN_AI


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"otel_endpoint": "localhost:4318"}, "start it with https://"),
        ({"otel_endpoint": "http://me:hunter2@receiver/v1/traces"}, "IMPASTO_OTEL_HEADERS"),
        ({"otel_headers": "authorization=secret"}, "set IMPASTO_OTEL_ENDPOINT too"),
        ({"otel_endpoint": "http://receiver/v1/traces", "otel_headers": "authorization"}, "name=value"),
        ({"otel_endpoint": "http://receiver/v1/traces", "otel_ratio": 2}, "less than or equal to 1"),
    ],
)
def test_malformed_setting_is_refused_in_a_sentence(given: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValidationError) as refused:
        Settings(_env_file=None, **given)
    assert reason in str(refused.value)
