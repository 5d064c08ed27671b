"""Private beta holds for everything that a run executes, wherever it came from."""

import itertools
from typing import Any

import pytest
from sqlalchemy import select
from tests.server.responses import expect
from tests.server.sample_nodes import chain, flow

from impasto_server.flows import service
from impasto_server.flows.models import FlowRow
from impasto_server.users.models import User

pytestmark = pytest.mark.anyio

PROMPT = "Write a headline for a poster of a bakery that opens at five in the morning, for people who cannot "
Document = dict[str, Any]
INNER_INPUT = {"version": "draft", "inputs": {"ask": "hi"}}


def beta_document(name: str = "Beta") -> dict[str, Any]:
    """Return a flow with two steps of distinctive settings."""
    nodes: list[Document] = [
        {"id": "ask", "type": "ask", "title": "Ask"},
        {"id": "one", "type": "speak", "settings": {"voice": PROMPT + "sleep."}},
        {"id": "two", "type": "speak", "settings": {"voice": PROMPT + "wait."}},
    ]
    return flow(*nodes, name=name, edges=["ask.output -> one.text", "one.output -> two.text"])


@pytest.fixture
async def beta_agent(person: Any, app_state: Any) -> str:
    """The id of Mara's public agent in private beta."""
    body = {"name": "Beta", "visibility": "public", "flow": beta_document()}
    made = (await person.client.post("/flows/", json=body)).json()
    expect(await person.client.post(f"/flows/{made['id']}/publish"), 200)
    async with app_state.database.writing() as session:
        await service.set_beta(session, made["id"], beta=True)
    return str(made["id"])


@pytest.fixture
async def stranger(new_person: Any) -> Any:
    """A user without access to the beta."""
    return await new_person("noor")


async def grant(app_state: Any, person: Any, name: str) -> None:
    async with app_state.database.writing() as session:
        user = (await session.scalars(select(User).where(User.username == person.username))).one()
        user.betas = [*user.betas, name]


async def assert_refused(person: Any, flow_id: str, inputs: dict[str, Any] | None = None) -> None:
    body = {"version": "draft", "inputs": {"ask": "hi"} if inputs is None else inputs}
    refused = await person.client.post(f"/flows/{flow_id}/runs", json=body)
    expect(refused, 403)
    assert refused.json()["code"] == "private_beta"


async def imported(person: Any, document: dict[str, Any]) -> str:
    made = await person.client.post("/flows/import", json=document)
    expect(made, 201)
    return str(made.json()["id"])


async def test_copy_is_in_the_beta(stranger: Any, beta_agent: str) -> None:
    copy = (await stranger.client.post(f"/flows/{beta_agent}/duplicate")).json()
    await assert_refused(stranger, copy["id"])
    again = (await stranger.client.post(f"/flows/{copy['id']}/duplicate")).json()
    await assert_refused(stranger, again["id"])


async def test_copy_stays_in_the_beta_when_all_its_settings_change(stranger: Any, beta_agent: str) -> None:
    copy = (await stranger.client.post(f"/flows/{beta_agent}/duplicate")).json()
    changed = {"If-Match": f'"{copy["revision"]}"'}
    url = f"/flows/{copy['id']}"
    expect(await stranger.client.put(f"{url}/draft", json=chain("shout"), headers=changed), 200)
    await assert_refused(stranger, copy["id"])


async def test_agent_made_from_it_as_a_template_is_in_the_beta(stranger: Any, beta_agent: str) -> None:
    body = {"name": "From template", "from_template": beta_agent}
    made = (await stranger.client.post("/flows/", json=body)).json()
    await assert_refused(stranger, made["id"])


async def test_agent_that_runs_it_as_a_node_is_refused(stranger: Any, beta_agent: str) -> None:
    outer = flow({"id": "a", "type": "agent", "settings": {"flow": beta_agent}})
    made = (await stranger.client.post("/flows/", json={"name": "Outer", "flow": outer})).json()
    outer = flow(
        "ask", {"id": "a", "type": "agent", "settings": {"flow": beta_agent}}, edges=["ask.output -> a.ask"]
    )
    made = (await stranger.client.post("/flows/", json={"name": "Outer", "flow": outer})).json()
    await assert_refused(stranger, made["id"])
    outermost = flow(
        "ask", {"id": "b", "type": "agent", "settings": {"flow": made["id"]}}, edges=["ask.output -> b.ask"]
    )
    made = (await stranger.client.post("/flows/", json={"name": "Outermost", "flow": outermost})).json()
    await assert_refused(stranger, made["id"])


async def test_exported_and_imported_agent_is_in_the_beta(stranger: Any, beta_agent: str) -> None:
    exported = (await stranger.client.get(f"/flows/{beta_agent}/export")).json()
    assert exported["copied_from"] == [beta_agent]
    await assert_refused(stranger, await imported(stranger, exported))
    changed = {**exported, **{key: chain("shout")[key] for key in ("nodes", "edges")}}
    await assert_refused(stranger, await imported(stranger, changed))


async def test_import_without_its_origins_is_recognized_by_its_content(
    stranger: Any, beta_agent: str
) -> None:
    exported = (await stranger.client.get(f"/flows/{beta_agent}/export")).json()
    del exported["copied_from"]
    await assert_refused(stranger, await imported(stranger, exported))
    # Other ids, titles, positions and order change nothing; nor does one of the two settings.
    nodes: list[Document] = [
        {"id": "x", "type": "speak", "title": "Mine", "settings": {"voice": PROMPT + "wait."}},
        {"id": "ask", "type": "ask"},
        {"id": "y", "type": "speak", "settings": {"voice": "other"}},
    ]
    renamed = flow(*nodes, edges=["ask.output -> x.text", "x.output -> y.text"])
    await assert_refused(stranger, await imported(stranger, renamed))


async def test_content_inside_of_an_inner_flow_is_recognized(stranger: Any, beta_agent: str) -> None:
    inner: Document = {"id": "a", "type": "agent", "settings": {"flow": beta_document("Inner")}}
    outer = flow("ask", inner, edges=["ask.output -> a.ask"])
    await assert_refused(stranger, await imported(stranger, outer))


async def test_draft_replaced_by_an_exported_document_is_in_the_beta(stranger: Any, beta_agent: str) -> None:
    exported = (await stranger.client.get(f"/flows/{beta_agent}/export")).json()
    document = {**exported, **{key: chain("shout")[key] for key in ("nodes", "edges")}}
    made = (await stranger.client.post("/flows/", json={"name": "Mine"})).json()
    saved = {"If-Match": f'"{made["revision"]}"'}
    expect(await stranger.client.put(f"/flows/{made['id']}/draft", json=document, headers=saved), 200)
    await assert_refused(stranger, made["id"])


async def test_batch_of_a_copy_is_refused(stranger: Any, beta_agent: str) -> None:
    copy = (await stranger.client.post(f"/flows/{beta_agent}/duplicate")).json()
    url = f"/flows/{copy['id']}/batch?version=draft"
    expect(await stranger.client.post(url, json=[{"ask": "hi"}]), 403)


async def test_beta_node_inside_of_another_agent_is_refused(person: Any, stranger: Any) -> None:
    body = {"name": "Inner", "visibility": "public", "flow": chain("secret")}
    inner = (await person.client.post("/flows/", json=body)).json()
    expect(await person.client.post(f"/flows/{inner['id']}/publish"), 200)
    outer = flow(
        "ask", {"id": "a", "type": "agent", "settings": {"flow": inner["id"]}}, edges=["ask.output -> a.ask"]
    )
    made = (await stranger.client.post("/flows/", json={"name": "Outer", "flow": outer})).json()
    await assert_refused(stranger, made["id"])


async def test_access_to_the_agent_opens_its_copies(app_state: Any, stranger: Any, beta_agent: str) -> None:
    copy = (await stranger.client.post(f"/flows/{beta_agent}/duplicate")).json()
    await grant(app_state, stranger, beta_agent)
    launched = await stranger.client.post(f"/flows/{copy['id']}/runs", json=INNER_INPUT)
    expect(launched, 202)


async def test_end_of_the_beta_opens_copies(app_state: Any, stranger: Any, beta_agent: str) -> None:
    copy = (await stranger.client.post(f"/flows/{beta_agent}/duplicate")).json()
    async with app_state.database.writing() as session:
        await service.set_beta(session, beta_agent, beta=False)
    expect(await stranger.client.post(f"/flows/{copy['id']}/runs", json=INNER_INPUT), 202)


async def test_owner_runs_copies_of_their_own_agent(person: Any, beta_agent: str) -> None:
    copy = (await person.client.post(f"/flows/{beta_agent}/duplicate")).json()
    expect(await person.client.post(f"/flows/{copy['id']}/runs", json=INNER_INPUT), 202)


def speaking(*words: str) -> Document:
    """Return a flow with a step for each of the words, which end its setting."""
    steps = [{"id": word, "type": "speak", "settings": {"voice": PROMPT + word}} for word in words]
    return flow("ask", *steps, edges=[f"ask.output -> {word}.text" for word in words])


async def test_other_agents_are_not_taken_for_the_beta(
    app_state: Any, stranger: Any, beta_agent: str
) -> None:
    async with app_state.database.writing() as session:
        session.add(FlowRow(name="Three", beta=True, draft=speaking("eat", "read", "sing")))
    nodes: list[Document | str] = ["ask", {"id": "s", "type": "speak", "settings": {"voice": "rachel"}}]
    own = flow(*nodes, edges=["ask.output -> s.text"])
    for document in (own, speaking("eat", "walk")):  # the second has a third of the steps of one in beta
        made = (await stranger.client.post("/flows/", json={"name": "Own", "flow": document})).json()
        expect(await stranger.client.post(f"/flows/{made['id']}/runs", json=INNER_INPUT), 202)


async def test_agent_that_the_beta_was_copied_from_stays_open(
    person: Any, stranger: Any, app_state: Any
) -> None:
    body = {"name": "Template", "visibility": "public", "flow": beta_document("Template")}
    template = (await person.client.post("/flows/", json=body)).json()
    expect(await person.client.post(f"/flows/{template['id']}/publish"), 200)
    copy = (await person.client.post(f"/flows/{template['id']}/duplicate")).json()
    async with app_state.database.writing() as session:
        await service.set_beta(session, copy["id"], beta=True)
    launched = await stranger.client.post(
        f"/flows/{template['id']}/runs", json={"version": 1, "inputs": {"ask": "hi"}}
    )
    expect(launched, 202)


async def test_steps_that_an_open_built_in_agent_has_are_not_those_of_the_beta(
    app_state: Any, stranger: Any, beta_agent: str
) -> None:
    for built_in, beta, status in (("closed", True, 403), ("open", False, 202)):
        async with app_state.database.writing() as session:
            session.add(FlowRow(name=built_in, built_in=built_in, beta=beta, draft=beta_document()))
        copy = await imported(stranger, beta_document("Mine"))
        expect(await stranger.client.post(f"/flows/{copy}/runs", json=INNER_INPUT), status)
    async with app_state.database.writing() as session:
        row = (await session.scalars(select(FlowRow).where(FlowRow.built_in == "open"))).one()
        row.draft, row.revision = chain("shout"), 2
    await assert_refused(stranger, copy)


async def test_resuming_a_run_needs_access(app_state: Any, stranger: Any, beta_agent: str) -> None:
    async with app_state.database.writing() as session:
        await service.set_beta(session, beta_agent, beta=False)
    nodes: list[Document | str] = [
        "ask",
        {"id": "f", "type": "stumble"},
        {"id": "a", "type": "agent", "settings": {"flow": beta_agent}},
    ]
    outer = flow(*nodes, edges=["ask.output -> f.text", "f.output -> a.ask"])
    made = (await stranger.client.post("/flows/", json={"name": "Outer", "flow": outer})).json()
    run = (await stranger.client.post(f"/flows/{made['id']}/runs", json=INNER_INPUT)).json()
    url = f"/runs/{run['id']}"
    await stranger.client.post(f"{url}/cancel")
    for _ in itertools.count():
        if (await stranger.client.get(url)).json()["status"] in ("failed", "cancelled"):
            break
    async with app_state.database.writing() as session:
        await service.set_beta(session, beta_agent, beta=True)
    expect(await stranger.client.post(f"{url}/resume"), 403)
