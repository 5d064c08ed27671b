"""Documents that are slow to compile do not delay other users: sizes are limited, and the rest is compiled in
another process with a time limit.
"""

import asyncio
import os
import signal
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import httpx
import orjson
import pytest
from fastapi import FastAPI
from tests.fixtures.tables import thorough_except
from tests.server.compiler_processes import ForkedCompilerProcess
from tests.server.responses import expect
from tests.server.sample_nodes import chain, flow

from impasto import Catalog
from impasto_server.compiler import pool
from impasto_server.http.json_limits import count_values

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]

MAX_LAG = 0.1
ATTEMPTS = 3  # a document that holds the event loop does so each time; a busy machine does not
Document = dict[str, Any]


@pytest.fixture(scope="module")
def installed() -> Catalog:
    return Catalog.discover()


@pytest.fixture
def catalog(installed: Catalog) -> Catalog:
    """The real node types: their checks are what a document can make expensive."""
    return installed


@pytest.fixture
def extra_settings() -> dict[str, Any]:
    return {"rate_limit_compilations": "100000/minute"}


def document(nodes: list[Document], edges: list[tuple[str, str]] | None = None) -> Document:
    listed = [{"from": source, "to": target} for source, target in edges or []]
    return {"format": 1, "name": "Attack", "nodes": nodes, "edges": listed}


def with_schema(schema: Document) -> Document:
    settings = {"output_schema_preset": "custom", "schema": schema}
    return document([{"id": "a", "type": "language_model", "settings": settings}])


def large_enum() -> Document:
    return with_schema({"enum": [f"{index:x}" * 8 for index in range(9900)]})


def large_all_of() -> Document:
    return with_schema({"allOf": [{"type": "object"}] * 3300})


def deep_schema() -> Document:
    schema: Document = {"type": "string"}
    for _ in range(58):
        schema = {"not": schema}
    return with_schema(schema)


def expensive_patterns() -> Document:
    patterns = {f"p{index}": {"pattern": "(\\w{1,30}){1,30}" + str(index)} for index in range(3000)}
    return with_schema({"properties": patterns})


def many_nodes_and_edges() -> Document:
    nodes: list[Document] = [{"id": "p", "type": "user_prompt", "settings": {"text": "x"}}]
    nodes += [
        {"id": f"c{index}", "type": "compose", "settings": {"template": "{{a}} {{b}} {{c}} {{d}}"}}
        for index in range(4999)
    ]
    edges = [("p.output", f"c{index}.{port}") for index in range(4999) for port in "abcd"]
    return document(nodes, edges)


def every_edge_wrong() -> Document:
    names = " ".join(f"{{{{name_number_{index}}}}}" for index in range(3000))
    nodes: list[Document] = [
        {"id": "a", "type": "compose", "settings": {"template": names}},
        *({"id": f"n{index}", "type": f"compos{index}"} for index in range(2000)),
    ]
    edges = [("a.outputs", f"a.name_numbers_{index}") for index in range(20_000)]
    return document(nodes, edges)


def long_text() -> Document:
    return document([{"id": "a", "type": "compose", "settings": {"template": "{{a {{" * 170_000}}])


def many_names() -> Document:
    template = "".join(f"{{{{v{index}}}}}" for index in range(90_000))
    return document([{"id": "a", "type": "compose", "settings": {"template": template}}])


def wide_fan_in() -> Document:
    nodes: list[Document] = [{"id": "c", "type": "collect"}]
    nodes += [{"id": f"p{index}", "type": "user_prompt", "settings": {"text": "x"}} for index in range(4999)]
    edges = [(f"p{index % 4999}.output", "c.items") for index in range(20_000)]
    return document(nodes, edges)


def long_chain() -> Document:
    nodes: list[Document] = [{"id": "n0", "type": "table", "settings": {"rows": [{"a": 1}] * 50}}]
    nodes += [{"id": f"n{index}", "type": "pick", "settings": {"path": "a"}} for index in range(1, 2000)]
    edges = [("n0.output", "n1.data")]
    edges += [(f"n{index}.output", f"n{index + 1}.data") for index in range(1, 1999)]
    return document(nodes, edges)


def nested_agents() -> Document:
    inner = document([{"id": "p", "type": "user_prompt", "settings": {"text": "x"}}])
    for level in range(12):
        count = 2 if level < 11 else 1
        agents = [{"id": f"a{index}", "type": "agent", "settings": {"flow": inner}} for index in range(count)]
        inner = document(agents)
    return inner


def deep_chain_of_agents() -> Document:
    inner = document([{"id": "p" * 190, "type": "user_prompt", "settings": {"text": "x"}}])
    for _ in range(22):
        inner = document([{"id": "a" * 190, "type": "agent", "settings": {"flow": inner}}])
    return inner


def many_inputs() -> Document:
    return document([{"id": f"p{index}", "type": "user_prompt"} for index in range(5000)])


def much_json() -> Document:
    nodes = [{"id": f"n{index}", "type": "merge", "x": [{}] * 20} for index in range(3400)]
    return document(nodes)


ADMITTED = [
    large_enum,
    large_all_of,
    deep_schema,
    expensive_patterns,
    many_nodes_and_edges,
    every_edge_wrong,
    long_text,
    many_names,
    wide_fan_in,
    long_chain,
    nested_agents,
    deep_chain_of_agents,
    many_inputs,
    much_json,
]


def codes(response: httpx.Response) -> list[str]:
    return [problem["code"] for problem in response.json()["problems"]]


async def slowest(app: FastAPI, request: Callable[[], Any]) -> tuple[float, httpx.Response]:
    """Return the 99th percentile of the time that /healthz takes during a request, and its response."""
    transport = httpx.ASGITransport(app)
    seconds = []
    async with httpx.AsyncClient(transport=transport, base_url="http://testserver") as client:
        await client.get("/healthz")
        task = asyncio.create_task(request())
        while not task.done():
            started = time.perf_counter()
            expect(await client.get("/healthz"), 200)
            seconds.append(time.perf_counter() - started)
            await asyncio.sleep(0.001)
    return sorted(seconds)[int(len(seconds) * 0.99)], await task


async def best_lag(app: FastAPI, request: Callable[[int], Any]) -> tuple[float, httpx.Response]:
    lags = []
    for attempt in range(ATTEMPTS):
        lag, response = await slowest(app, partial(request, attempt))
        lags.append(lag)
        if lag < MAX_LAG:
            break
    return min(lags), response


@pytest.mark.parametrize("attack", thorough_except(ADMITTED, many_nodes_and_edges, much_json))
async def test_health_answers_while_a_document_is_checked(
    app: FastAPI, person: Any, attack: Callable[[], Document]
) -> None:
    body = orjson.dumps(attack())
    headers = {"Content-Type": "application/json"}
    await person.client.post("/flows/check", json=document([]))  # starts the process

    async def check(attempt: int) -> Any:
        fresh = body.replace(b'"Attack"', b'"Attack %d"' % attempt)  # not in the cache
        return await person.client.post("/flows/check", content=fresh, headers=headers)

    lag, response = await best_lag(app, check)
    expect(response, 200)
    assert lag < MAX_LAG


@pytest.mark.parametrize("attack", thorough_except([many_nodes_and_edges, many_inputs], many_inputs))
async def test_health_answers_while_a_large_agent_is_created_opened_and_saved(
    app: FastAPI, person: Any, attack: Callable[[], Document]
) -> None:
    made: dict[str, Any] = {}

    async def create(attempt: int) -> Any:
        made.update((await person.client.post("/flows/", json={"name": "Attack", "flow": attack()})).json())
        return await person.client.get(f"/flows/{made['id']}")

    async def save(attempt: int) -> Any:
        changed = {**attack(), "name": f"Changed {attempt}"}
        response = await person.client.get(f"/flows/{made['id']}")
        url, match = f"/flows/{made['id']}/draft", {"If-Match": response.headers["ETag"]}
        return await person.client.put(url, json=changed, headers=match)

    for request in (create, save):
        lag, response = await best_lag(app, request)
        expect(response, 200)
        assert lag < MAX_LAG


async def test_too_large_document_is_refused_with_limit_and_figure(
    person: Any, subtests: pytest.Subtests
) -> None:
    cases = [
        ({"nodes": [{"id": f"n{index}", "type": "merge"} for index in range(5001)]}, "5,001", "5,000"),
        ({"edges": [{"from": "a.b", "to": "c.d"}] * 20_001}, "20,001", "20,000"),
        ({"nodes": [{"id": "n" * 201, "type": "merge"}]}, "201", "200"),
        (with_schema({"enum": list(range(10_000))}), "10,003", "10,000"),
        (with_schema({"title": "x" * 2**20}), "1,048,6", "1,048,576"),
    ]
    for changes, actual, limit in cases:
        with subtests.test(limit=limit):
            response = await person.client.post("/flows/check", json={**document([]), **changes})
            expect(response, 422)
            problem = response.json()
            assert problem["code"] == "flow_refused"
            assert actual in problem["detail"]
            assert limit in problem["detail"]
            assert problem["actual"] > problem["max"]


async def test_deep_schema_is_refused(person: Any) -> None:
    schema: Document = {}
    for _ in range(70):
        schema = {"not": schema}
    response = await person.client.post("/flows/check", json=with_schema(schema))
    expect(response, 422)
    assert response.json()["limit"] == "IMPASTO_MAX_SETTING_DEPTH"


async def test_agents_that_expand_without_bound_are_refused(person: Any) -> None:
    leaf = document([{"id": "p", "type": "user_prompt", "settings": {"text": "x"}}])
    made = await person.client.post("/flows/", json={"name": "Leaf", "flow": leaf})
    for level in range(15):
        settings = {"flow": made.json()["id"]}
        twice = [{"id": f"a{index}", "type": "agent", "settings": settings} for index in range(2)]
        made = await person.client.post("/flows/", json={"name": f"Level {level}", "flow": document(twice)})
        if made.status_code != 201:
            break
    expect(made, 422)
    assert made.json()["limit"] == "IMPASTO_MAX_FLOW_STEPS"


async def test_body_of_many_values_is_refused_before_it_is_parsed(app: FastAPI, person: Any) -> None:
    body = b'{"nodes":[' + b"{}," * 690_000 + b'{}],"edges":[]}'

    async def post(attempt: int) -> Any:
        return await person.client.post(
            "/flows/check", content=body, headers={"Content-Type": "application/json"}
        )

    lag, response = await best_lag(app, post)
    expect(response, 413)
    assert response.json()["code"] == "too_many_values"
    assert lag < MAX_LAG


def test_values_are_counted_outside_of_texts() -> None:
    assert count_values(orjson.dumps({"a": ['x, {[\\"', 1, {"b": None}]}), 6) == 6
    assert count_values(orjson.dumps({"a": "," * 1000}), 10) <= 3
    assert count_values(orjson.dumps([""] * 1000), 10) >= 250


class TestSlowDocument:
    """A document that takes too long is refused in time, and once refused costs nothing."""

    @pytest.fixture
    def extra_settings(self) -> dict[str, Any]:
        return {"compile_seconds": 0.25, "compile_processes": 1}

    async def test_process_is_killed_and_the_document_remembered(self, app: FastAPI, person: Any) -> None:
        await person.client.post("/flows/check", json=document([]))
        (first,) = app.state.app_state.compiler.process_ids
        response = await person.client.post("/flows/check", json=many_nodes_and_edges())
        expect(response, 200)
        (problem,) = response.json()["problems"]
        assert problem["code"] == "too_expensive"
        assert "0.25 s" in problem["message"]
        assert app.state.app_state.compiler.process_ids == []
        again = await person.client.post("/flows/check", json=many_nodes_and_edges())
        assert again.json()["problems"] == [problem]
        assert app.state.app_state.compiler.process_ids == []
        expect(await person.client.post("/flows/check", json=document([])), 200)
        assert app.state.app_state.compiler.process_ids != [first]

    async def test_publishing_and_launching_it_are_refused(self, person: Any) -> None:
        made = await person.client.post("/flows/", json={"name": "Slow", "flow": many_nodes_and_edges()})
        expect(made, 201)
        url = f"/flows/{made.json()['id']}"
        expect(await person.client.post(f"{url}/publish"), 422)
        launched = await person.client.post(f"{url}/runs", json={"version": "draft", "inputs": {}})
        expect(launched, 422)
        assert launched.json()["code"] == "flow_invalid"


class TestProcesses:
    """A compiler process that hangs or dies is replaced; requests for one document share one compilation."""

    @pytest.fixture
    def share_compiler_processes(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Each server has processes of its own here."""
        monkeypatch.setattr(pool, "CompilerProcess", ForkedCompilerProcess)

    @pytest.fixture
    def catalog(self) -> Catalog:
        from tests.server.sample_nodes import sample_catalog

        return sample_catalog()

    @pytest.fixture
    def extra_settings(self) -> dict[str, Any]:
        return {"compile_seconds": 1, "compile_processes": 1, "rate_limit_compilations": "20/minute"}

    async def test_killed_process_is_replaced(self, app: FastAPI, person: Any) -> None:
        expect(await person.client.post("/flows/check", json=chain("shout")), 200)
        (pid,) = app.state.app_state.compiler.process_ids
        os.kill(pid, signal.SIGKILL)
        response = await person.client.post("/flows/check", json=chain("shout", "spell"))
        assert codes(expect(response, 200)) == ["missing_input"]

    @pytest.mark.thorough
    async def test_hung_process_is_killed(self, app: FastAPI, person: Any) -> None:
        expect(await person.client.post("/flows/check", json=chain("shout")), 200)
        (pid,) = app.state.app_state.compiler.process_ids
        os.kill(pid, signal.SIGSTOP)
        response = await person.client.post("/flows/check", json=chain("shout", "spell"))
        assert codes(response) == ["too_expensive"]
        response = await person.client.post("/flows/check", json=chain("spell"))
        assert codes(response) == ["missing_input"]

    async def test_same_document_is_compiled_once(
        self, app: FastAPI, person: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        compiler = app.state.app_state.compiler
        calls = []
        send = compiler._send

        async def counted(*args: Any, **more: Any) -> Any:
            calls.append(args)
            return await send(*args, **more)

        monkeypatch.setattr(compiler, "_send", counted)
        posts = (person.client.post("/flows/check", json=chain("shout")) for _ in range(8))
        for response in await asyncio.gather(*posts):
            expect(response, 200)
        assert len(calls) == 1

    async def test_compilations_are_rate_limited_by_user(self, person: Any, new_person: Any) -> None:
        noor = await new_person("noor")
        answers = [
            await person.client.post("/flows/check", json=chain("shout", name=f"{index}"))
            for index in range(25)
        ]
        refused = [answer for answer in answers if answer.status_code == 429]
        assert refused
        assert "Retry-After" in refused[0].headers
        expect(await noor.client.post("/flows/check", json=chain("shout")), 200)

    async def test_processes_end_with_the_server(self, app: FastAPI, person: Any) -> None:
        expect(await person.client.post("/flows/check", json=flow("ask")), 200)
        (pid,) = app.state.app_state.compiler.process_ids
        await app.state.app_state.compiler.close()
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
