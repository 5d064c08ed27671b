"""What the server asks of compiler processes, what it keeps of their answers, and what it refuses."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

import orjson
import pytest
from tests.server.compiler.test_pool import Process
from tests.server.resources import task_names
from tests.server.sample_nodes import agent_node, chain, flow, sample_catalog

from impasto_server.compiler import pool, service
from impasto_server.compiler.documents import CheckedFlow, InputsReport, Source
from impasto_server.compiler.errors import FlowTooExpensive, FlowTooLarge, TooManyCompilations
from impasto_server.compiler.pool import ProcessPool
from impasto_server.compiler.service import Compiler
from impasto_server.flows.errors import FlowInvalid
from impasto_server.flows.schemas import Estimate, LaunchEstimate, Problem
from impasto_server.http.rate_limit import RateLimiter
from impasto_server.settings import Settings

pytestmark = pytest.mark.anyio
PROBLEM = {"code": "required_input", "message": "Connect it.", "node": "a"}
CHECKED = {
    "can_run": True, "problems": [PROBLEM], "estimate": {"usd": "0.5"}, "kinds": ["text"], "takes": ["image"],
    "node_types": {"shout": False}, "parse_error": None, "seconds": 0.25,
}  # fmt: skip
PARTS = [b"inputs", b"results", b"estimates", b"steps", b"contents", b"own"]


def checked(**changes: Any) -> list[bytes]:
    return [b"done", orjson.dumps(CHECKED | changes), *PARTS]


class Answering:
    """A compiler whose processes give an answer, and the requests that they got: headers and parts."""

    def __init__(
        self,
        answer: Callable[[dict[str, Any], list[bytes]], list[bytes]],
        *,
        seconds: float = 0.0,
        warm: bool = False,
    ) -> None:
        self.headers: list[dict[str, Any]] = []
        self.parts: list[list[bytes]] = []
        self.processes: list[Process] = []
        settings = Settings(
            _env_file=None,
            compile_seconds=3,
            compile_memory_mib=512,
            rate_limit_compilations="4/minute",
            warm=warm,
        )
        self.compiler = Compiler(settings, sample_catalog(), RateLimiter(""))

        def start(_setup: bytes) -> Any:
            def respond(given: list[bytes]) -> list[bytes]:
                process.seconds = (process.seconds or 0.0) + seconds
                self.headers.append(orjson.loads(given[0]))
                self.parts.append(given[1:])
                return answer(self.headers[-1], given[1:])

            process = Process(1, respond)
            self.processes.append(process)
            return process

        self._start = start
        self.open()

    def open(self) -> None:
        """Give the compiler processes, also after it was closed."""
        self.compiler._pool = ProcessPool(2, 60.0, lambda: b"setup", self._start)


def source(name: str = "A", **about: Any) -> Source:
    return Source(chain("shout", name=name), {}, **about)


async def test_result_is_compiled_once_for_the_same_document_and_providers() -> None:
    made = Answering(lambda _header, _parts: checked())
    given = source(flow_id="f1", targets=["shout"], configured=frozenset({"openai", "fal"}))
    expected = CheckedFlow(
        can_run=True, problems=[Problem(**PROBLEM)], estimate=Estimate(usd="0.5"), kinds=["text"],
        takes=["image"], node_types={"shout": False}, parse_error=None, inputs=b"inputs", results=b"results",
        step_estimates=b"estimates", planned_steps=b"steps", contents=b"contents", own_contents=b"own",
        seconds=0.25,
    )  # fmt: skip
    assert await made.compiler.check("mara", given) == expected
    assert await made.compiler.check_stored("ines", given) == expected
    [header] = made.headers
    assert header.pop("key")
    assert header == {
        "operation": "check", "flow_id": "f1", "targets": ["shout"], "configured": ["fal", "openai"],
    }  # fmt: skip
    assert made.parts == [[orjson.dumps(given.document), b"{}"]]
    await made.compiler.check("mara", source(flow_id="f1", targets=["shout"]))
    assert [header["configured"] for header in made.headers[1:]] == [None]
    await made.compiler.close()


@pytest.mark.parametrize("warm", [True, False])
async def test_process_is_started_with_the_server_and_ends_with_it(warm: bool) -> None:
    made = Answering(lambda _header, _parts: checked(), warm=warm)
    async with made.compiler as entered, asyncio.timeout(20):
        assert entered is made.compiler
        assert ("start a compiler process" in task_names()) is warm
        while warm and not made.compiler.process_ids:
            await asyncio.sleep(0)
        assert made.compiler.process_ids == ([1] if warm else [])
    assert (made.compiler.process_ids, made.headers) == ([], [])
    assert [process.is_closed for process in made.processes] == ([True] if warm else [])
    made.open()
    async with made.compiler:
        pass
    assert "start a compiler process" not in task_names()


async def test_processes_get_the_catalog_and_the_limits_of_the_settings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given: list[dict[str, Any]] = []

    def start(setup: bytes) -> Any:
        given.append(orjson.loads(setup))
        return Process(1, lambda _parts: checked())

    monkeypatch.setattr(pool, "CompilerProcess", start)
    chosen: dict[str, Any] = {
        "max_flow_nodes": 11, "max_flow_edges": 12, "max_flow_steps": 13, "max_settings_bytes": 14_000,
        "max_setting_values": 150, "max_setting_depth": 16, "compile_seconds": 17, "compile_memory_mib": 300,
    }  # fmt: skip
    settings = Settings(_env_file=None, **chosen)
    compiler = Compiler(settings, sample_catalog(), RateLimiter(""))
    await compiler.check("mara", source())
    [setup] = given
    assert len(setup["nodes"]) == len([*sample_catalog()])
    assert (setup["seconds"], setup["memory_bytes"]) == (17, 314_572_800)
    assert setup["limits"] == {
        "nodes": 11, "edges": 12, "steps": 13, "settings_bytes": 14_000, "setting_values": 150,
        "setting_depth": 16,
    }  # fmt: skip
    await compiler.close()


async def test_results_and_plans_are_forgotten_when_the_compiler_is_closed() -> None:
    made = Answering(lambda _header, _parts: checked(seconds=0.0))
    plans = []
    for requests in (1, 2):
        await made.compiler.check("mara", source())
        plans.append(await made.compiler.plan("mara", source()))
        assert len(made.headers) == requests
        await made.compiler.close()
        made.open()
    assert plans[0] is not plans[1]
    await made.compiler.close()


async def test_document_that_is_sent_twice_at_once_is_compiled_once() -> None:
    made = Answering(lambda _header, _parts: checked())
    found = await asyncio.gather(*(made.compiler.check("mara", source()) for _ in range(5)))
    assert (len(made.headers), [each is found[0] for each in found]) == (1, [True] * 5)
    for number in range(3):
        await made.compiler.check("mara", source(f"{number}"))
    with pytest.raises(TooManyCompilations):
        await made.compiler.check("mara", source("the fifth of this minute"))
    await made.compiler.close()


async def test_kinds_of_files_are_not_known_of_a_document_that_cannot_run() -> None:
    made = Answering(lambda _header, _parts: checked(can_run=False))
    found = await made.compiler.check("mara", source())
    assert (found.can_run, found.takes) == (False, None)
    with pytest.raises(FlowInvalid) as refused:
        await made.compiler.plan("mara", source())
    assert refused.value.members["problems"][0]["code"] == "required_input"
    assert len(made.headers) == 1
    await made.compiler.close()


async def test_refusal_of_a_document_is_kept() -> None:
    why = {"message": "Too many nodes.", "limit": "IMPASTO_MAX_FLOW_NODES", "max": 1, "actual": 2}
    made = Answering(lambda _header, _parts: [b"done", orjson.dumps({"refused": why})])
    for _ in range(2):
        with pytest.raises(FlowTooLarge) as refused:
            await made.compiler.check("mara", source())
        assert refused.value.detail == "Too many nodes."
    assert len(made.headers) == 1
    await made.compiler.close()


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (b"recursion", "Checking this took longer than the limit of 3 s."),
        (b"memory", "Checking this took more memory than the limit of 512 MiB."),
    ],
)
async def test_document_that_is_too_expensive_is_tried_again_after_a_minute(
    kind: bytes, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Answering(lambda _header, _parts: [kind])
    hint = "Use fewer nodes, smaller schemas, or fewer agents inside of agents."
    expected = CheckedFlow(False, [Problem(code="too_expensive", message=message, hint=hint)])
    started = time.monotonic()
    assert await made.compiler.check("mara", source()) == expected
    for seconds, requests in ((59, 1), (61, 2)):
        with monkeypatch.context() as later:
            later.setattr(time, "monotonic", lambda: started + seconds)  # noqa: B023 - called in the block
            assert await made.compiler.check_stored("mara", source()) == expected
        assert len(made.headers) == requests
    with pytest.raises(TooManyCompilations):
        await made.compiler.check("mara", source("after one of three seconds"))
    with pytest.raises(FlowTooExpensive) as refused:
        await made.compiler.form("mara", source())
    assert refused.value.detail == f"{message} {hint}"
    await made.compiler.close()


@pytest.mark.parametrize(
    ("seconds", "admitted"), [(0.0, 4), (0.09, 4), (0.1, 2), (0.25, 2), (0.35, 1), (50, 1)]
)
async def test_compilation_counts_again_for_each_tenth_of_a_second(seconds: float, admitted: int) -> None:
    made = Answering(lambda _header, _parts: checked(), seconds=seconds)
    for number in range(admitted):
        await made.compiler.check("mara", source(f"{number}"))
    with pytest.raises(TooManyCompilations) as refused:
        await made.compiler.check("mara", source("one more"))
    assert 1 <= int(refused.value.headers["Retry-After"]) <= 60
    await made.compiler.check_stored("mara", source("of a launch"))
    await made.compiler.check("mara", source("0"))
    await made.compiler.check("ines", source("hers"))
    assert len(made.headers) == admitted + 2
    await made.compiler.close()


async def test_each_kind_of_request_counts_for_its_user() -> None:
    answers = {
        "form": [b"done", b"{}"], "estimate": [b"done", b'{"usd":"0.5","steps":[]}'],
        "diff": [b"done", b"{}"], "inputs": [b"done", b'{"ids":null,"rows":[]}'], "check": checked(),
    }  # fmt: skip
    made = Answering(lambda header, _parts: answers[header["operation"]], seconds=0.15)
    await made.compiler.form("mara", source())
    await made.compiler.estimate("mara", source(), {})
    await made.compiler.diff("mara", {}, {})
    await made.compiler.check_inputs("mara", source(), [{"ask": "a"}])
    with pytest.raises(TooManyCompilations):
        await made.compiler.check("mara", source())
    assert (await made.compiler.check("ines", source())).can_run
    await made.compiler.close()


async def test_request_that_would_wait_behind_too_many_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Answering(lambda _header, _parts: checked())
    with monkeypatch.context() as now:
        now.setattr(service, "_MAX_WAITING", 0)
        for request in (made.compiler.check, made.compiler.form):
            with pytest.raises(TooManyCompilations) as refused:
                await request("mara", source())
            assert refused.value.headers == {"Retry-After": "1"}
        assert (await made.compiler.check_stored("mara", source())).can_run
    assert (await made.compiler.check("mara", source("after two that took no time"))).can_run
    await made.compiler.close()


async def test_inputs_are_checked_200_launches_at_a_time() -> None:
    def answer(_header: dict[str, Any], parts: list[bytes]) -> list[bytes]:
        ids = {"fresh": ["gone"]} if b'"stop"' in parts[2] else None
        rows = [{"errors": row} for row in orjson.loads(parts[2])]
        return [b"done", orjson.dumps({"ids": ids, "rows": rows})]

    made = Answering(answer)
    rows = [{"ask": number} for number in range(401)]
    found = await made.compiler.check_inputs("mara", source(), rows, ["paint"])
    assert found == InputsReport(None, [{"errors": row} for row in rows])
    assert [len(orjson.loads(parts[2])) for parts in made.parts] == [200, 200, 1]
    assert {header["operation"] for header in made.headers} == {"inputs"}
    assert [header["fresh"] for header in made.headers] == [["paint"]] * 3
    rows[200] = {"ask": "stop"}
    found = await made.compiler.check_inputs("mara", source(), rows)
    assert (found.ids, len(found.rows)) == ({"fresh": ["gone"]}, 400)
    assert [header["fresh"] for header in made.headers[3:]] == [[], []]
    await made.compiler.close()


async def test_forms_estimates_and_differences_are_those_of_the_processes() -> None:
    answers = {"form": b'{"ask":{}}', "estimate": b'{"usd":"0.5","steps":[]}', "diff": b"differences"}
    made = Answering(lambda header, _parts: [b"done", answers[header["operation"]]])
    assert await made.compiler.form("mara", source()) == {"ask": {}}
    assert await made.compiler.estimate("mara", source(), {"ask": "x"}) == LaunchEstimate(usd="0.5")
    assert await made.compiler.diff("mara", {"a": 1}, [2]) == b"differences"
    assert [parts[-1] for parts in made.parts] == [b"{}", b'{"ask":"x"}', b"[2]"]
    assert made.parts[2][0] == b'{"a":1}'
    await made.compiler.form("mara", source(configured=frozenset({"fal"})))
    form, estimate, _, with_fal = (header["key"] for header in made.headers)
    assert form == estimate != with_fal, "the key of the plan that a process may have kept"
    await made.compiler.close()


async def test_plan_is_made_once_of_a_document_that_was_checked() -> None:
    made = Answering(lambda _header, _parts: checked(seconds=0.0))
    plan = await made.compiler.plan("mara", source())
    assert [step.id for step in plan.steps] == ["ask", "shout"]
    assert await made.compiler.plan("mara", source()) is plan
    other = await made.compiler.plan("mara", source(configured=frozenset({"openai"})))
    assert other is not plan
    assert len(made.headers) == 1, "the document was compiled, whatever the providers"
    slow = Answering(lambda _header, _parts: checked(seconds=0.01))
    assert [step.id for step in (await slow.compiler.plan("mara", source())).steps] == ["ask", "shout"]
    await slow.compiler.close()
    edges = ["ask.output -> shout.text", "shout.output -> inner.ask"]
    document = flow("ask", "shout", agent_node("inner", "f1"), edges=edges)
    for targets, steps in (
        (None, ["ask", "inner/ask", "inner/shout", "shout"]),
        (["shout"], ["ask", "shout"]),
    ):
        found = await made.compiler.plan("mara", Source(document, {"f1": chain("shout")}, None, targets))
        assert sorted(step.id for step in found.steps) == steps
    with pytest.raises(FlowInvalid) as refused:
        await made.compiler.plan("mara", Source(document, {"f1": chain("shout")}, "f1"))
    [problem] = refused.value.members["problems"]
    assert (problem["code"], problem["message"].partition(";")[0]) == (
        "invalid", "The flow contains itself: f1 → f1.",
    )  # fmt: skip
    await made.compiler.close()
    assert made.compiler.process_ids == []
