"""Lists of agents: pages, search and filters."""

import re
from datetime import timedelta
from itertools import product
from typing import Any

import orjson
import pytest
from sqlalchemy import insert, update
from tests.fixtures.tables import thorough_except
from tests.server.query_plans import plans_of
from tests.server.responses import expect
from tests.server.sample_nodes import flow

from impasto_server.db import substring_search
from impasto_server.flows.models import FlowRow
from impasto_server.flows.repository import FlowFilter, _narrowed, page_query
from impasto_server.http.pagination import PageQuery, encode_cursor
from impasto_server.utils import new_id, utc_now

pytestmark = pytest.mark.anyio


@pytest.fixture
def database_url(both_databases: str) -> str:
    return both_databases


async def add_agents(app_state: Any, owner_id: str, count: int, **values: Any) -> list[str]:
    """Add public published agents, the most recently changed first; return their ids in this order."""
    now = utc_now()
    rows = [
        {
            "id": new_id(),
            "owner_id": owner_id,
            "name": f"Agent {number:04}",
            "visibility": "public",
            "status": "published",
            "kinds": ["image"],
            "draft": flow("ask"),
            "updated_at": now - timedelta(seconds=number // 2),
            **values,
        }
        for number in range(count)
    ]
    async with app_state.database.writing() as session:
        await session.execute(insert(FlowRow), rows)
    rows.sort(key=lambda row: (row["updated_at"], row["id"]), reverse=True)
    return [row["id"] for row in rows]


async def pages(person: Any, **query: Any) -> list[list[dict[str, Any]]]:
    """Return every page of a list."""
    found = []
    cursor: dict[str, str] = {}
    while True:
        response = await person.client.get("/flows/", params={"limit": 50, **query, **cursor})
        page = expect(response, 200).json()
        found.append(page["items"])
        if page["next_cursor"] is None:
            return found
        cursor = {"cursor": page["next_cursor"]}


async def test_pages_contain_each_agent_once_in_the_order_of_the_whole_list(
    person: Any, new_person: Any, app_state: Any
) -> None:
    other = await new_person("ines")
    ids = await add_agents(app_state, await other.id(), 120)
    featured, built_in = ids[70:73], ids[90:94]
    async with app_state.database.writing() as session:
        for number, flow_id in enumerate(featured):
            at = utc_now() + timedelta(seconds=number)
            await session.execute(update(FlowRow).where(FlowRow.id == flow_id).values(featured_at=at))
        for number, flow_id in enumerate(built_in):
            await session.execute(
                update(FlowRow).where(FlowRow.id == flow_id).values(position=number // 2, owner_id=None)
            )
    whole = [agent["id"] for agent in (await person.client.get("/flows/")).json()]
    assert set(whole[:3]) == set(featured)
    assert set(whole[3:7]) == set(built_in)
    assert sorted(whole) == sorted(ids)
    for limit in (3, 7, 50):
        listed = [agent["id"] for page in await pages(person, limit=limit) for agent in page]
        assert listed == whole


async def test_list_without_limit_is_an_array_as_specified(person: Any, app_state: Any) -> None:
    ids = await add_agents(app_state, await person.id(), 105)
    for query in ("", "?include_all=true", "?include_all=false"):
        whole = (await person.client.get(f"/flows/{query}")).json()
        assert [agent["id"] for agent in whole] == ids
    first = (await person.client.get("/flows/?limit=5")).json()
    assert [agent["id"] for agent in first["items"]] == ids[:5]
    second = (await person.client.get("/flows/", params={"cursor": first["next_cursor"]})).json()
    assert [agent["id"] for agent in second["items"]] == ids[5:55]


async def test_search_ignores_case_and_accents(person: Any, app_state: Any) -> None:
    owner = await person.id()
    await add_agents(app_state, owner, 60)
    [poster] = await add_agents(app_state, owner, 1, name="Café POSTER", description="Für 100% matte walls")
    for q in ("cafe", "CAFÉ poster", "100% fur", "oster caf"):
        found = (await person.client.get("/flows/", params={"q": q, "limit": 10})).json()["items"]
        assert [agent["id"] for agent in found] == [poster], q
    for q in ("cafe bar", "100_"):
        assert (await person.client.get("/flows/", params={"q": q})).json() == []


@pytest.mark.parametrize("max_rows", [500, 0])
async def test_search_of_any_text_finds_its_parts(
    person: Any, app_state: Any, monkeypatch: pytest.MonkeyPatch, max_rows: int
) -> None:
    monkeypatch.setattr(substring_search, "_MAX_ROWS", max_rows)
    owner = await person.id()
    await add_agents(app_state, owner, 5)
    for q in ("afé", "ca", '"', "a OR b", "NEAR(", "*", "col:x", "((", "\\", "%_%", "😀" * 50):
        [named] = await add_agents(app_state, owner, 1, name=f"Café {q}"[:120])
        found = (await person.client.get("/flows/", params={"q": q, "limit": 10})).json()["items"]
        assert [agent["id"] for agent in found] == [named], q
        expect(await person.client.delete(f"/flows/{named}"), 204)


async def test_search_follows_changes_and_deletions(person: Any, app_state: Any) -> None:
    [flow_id] = await add_agents(app_state, await person.id(), 1, name="Zebra poster")

    async def found(q: str) -> list[str]:
        return [agent["id"] for agent in (await person.client.get("/flows/", params={"q": q})).json()]

    assert await found("zebra") == [flow_id]
    expect(await person.client.patch(f"/flows/{flow_id}", json={"name": "Okapi poster"}), 200)
    assert (await found("zebra"), await found("okapi")) == ([], [flow_id])
    expect(await person.client.delete(f"/flows/{flow_id}"), 204)
    assert await found("okapi") == []


@pytest.mark.parametrize("mine", thorough_except([None, True, False], None))
async def test_search_reads_the_agents_that_its_index_names_alone(
    person: Any, new_person: Any, app_state: Any, mine: bool | None
) -> None:
    owner_id = await person.id()
    await add_agents(app_state, owner_id, 3000)
    async with app_state.database.reading() as session:
        flow_filter = FlowFilter(include_all=True, mine=mine, q="gent 2999")
        narrowed = await _narrowed(session, flow_filter)
    assert narrowed.flow_ids is not None
    assert len(narrowed.flow_ids) == 1
    [plan] = await plans_of(app_state.database, page_query(owner_id, narrowed, PageQuery(limit=50)))
    assert not re.search(r"ix_flows_own|ix_flows_public|SCAN flows|Seq Scan on flows", plan)


async def test_filters_by_owner_category_and_files(person: Any, new_person: Any, app_state: Any) -> None:
    mine = await add_agents(app_state, await person.id(), 2, category="ads", takes=["image", "text"])
    draft = await add_agents(app_state, await person.id(), 1, status="draft", takes=["video"])
    other = await new_person("ines")
    others = await add_agents(app_state, await other.id(), 1, takes=None)
    await add_agents(app_state, await other.id(), 1, status="draft")

    async def listed(**query: Any) -> set[str]:
        return {agent["id"] for page in await pages(person, **query) for agent in page}

    assert await listed(mine=True) == {*mine}
    assert await listed(mine=True, include_all=True) == {*mine, *draft}
    assert await listed(mine=False, include_all=True) == {*others}
    assert await listed(category="ads") == {*mine}
    assert await listed(takes=["image"]) == {*mine, *others}
    assert await listed(takes=["video", "audio"], include_all=True) == {*draft, *others}
    assert await listed(flow_ids=[mine[0], draft[0], "unknown"]) == {mine[0]}


async def test_invalid_page_is_refused(person: Any) -> None:
    ids = "&".join(["flow_ids=x"] * 100)
    refused = ("limit=0", "limit=101", "cursor=x", "cursor=WzFd", "cursor=IlsxXSI", f"q={'x' * 201}")
    for query in (*refused, f"{ids}&flow_ids=x", "category=x", "takes=x"):
        expect(await person.client.get(f"/flows/?{query}"), 422, reason=query)
    for query in ("limit=1", "limit=100", f"q={'x' * 200}", ids):
        expect(await person.client.get(f"/flows/?{query}"), 200, reason=query)


async def test_cursor_with_other_values_is_refused(person: Any) -> None:
    for place in (
        '[null,99999999999999999999,"2026-01-31T09:00:00+00:00","a"]',
        '[null,9999999999999999999,"2026-01-31T09:00:00+00:00","a"]',
        '[null,null,"2026-01-31T09:00:00","a"]',
        '["2026-01-31T09:00:00",null,"2026-01-31T09:00:00+00:00","a"]',
        '[null,null,"0001-01-01T00:00:00+14:00","a"]',
    ):
        response = await person.client.get("/flows/", params={"cursor": encode_cursor(place)})
        expect(response, 422, reason=place)


async def test_same_kind_of_file_can_be_given_many_times(person: Any) -> None:
    kinds = ["image", "video"] * 1000
    expect(await person.client.get("/flows/", params={"takes": kinds, "limit": 1}), 200)


async def test_page_of_5000_agents_is_small(person: Any, new_person: Any, app_state: Any) -> None:
    other = await new_person("ines")
    ids = await add_agents(app_state, await other.id(), 5000)
    response = await person.client.get("/flows/?limit=50")
    assert [agent["id"] for agent in response.json()["items"]] == ids[:50]
    assert len(response.content) < 60_000
    found = (await person.client.get("/flows/?limit=50&q=4999")).json()
    assert ([agent["name"] for agent in found["items"]], found["next_cursor"]) == (["Agent 4999"], None)


LISTS: tuple[dict[str, Any], ...] = (
    {},
    {"include_all": True},
    {"mine": True},
    {"mine": False},
    {"category": "ads"},
)


async def test_page_is_read_from_indexes_in_their_order(person: Any, new_person: Any, app_state: Any) -> None:
    """Sorted or scanned, a page of 100,000 agents reads all of them."""
    owner_id = await person.id()
    for each in (owner_id, await (await new_person("ines")).id()):
        for category in ("ads", "video"):
            await add_agents(app_state, each, 1000, category=category)
    place = orjson.dumps([None, None, utc_now() - timedelta(minutes=4), new_id()]).decode()
    cases = list(product(LISTS, (None, place)))
    queries = [
        page_query(owner_id, FlowFilter(**wanted), PageQuery(limit=50, after=after))
        for wanted, after in cases
    ]
    plans = await plans_of(app_state.database, *queries)
    for (wanted, after), plan in zip(cases, plans, strict=True):
        if wanted.get("mine") is not False:
            index = "ix_flows_own_ordered" if wanted.get("include_all") else "ix_flows_own_status_ordered"
            assert index in plan, (wanted, after)
        if wanted.get("mine") is not True:
            assert "ix_flows_public_ordered" in plan, (wanted, after)
        # Only the agents of the page, each found by its id, are sorted.
        assert len(re.findall(r"TEMP B-TREE FOR ORDER BY|Sort Key: \(CASE", plan)) == 1, (wanted, after)


async def test_home_of_a_user_with_drafts_alone_passes_over_none_of_them(person: Any, app_state: Any) -> None:
    owner_id = await person.id()
    await add_agents(app_state, owner_id, 5000, status="draft")
    query = page_query(owner_id, FlowFilter(), PageQuery(limit=50))
    [plan] = await plans_of(app_state.database, query)
    assert "ix_flows_own_status_ordered" in plan
    assert not re.search(r"SCAN flows|Seq Scan on flows|ix_flows_own_ordered", plan)
    assert (await person.client.get("/flows/")).json() == []
