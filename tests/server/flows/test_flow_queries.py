"""Which agents the queries of agents find, and in which order."""

import itertools
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson
import pytest
from sqlalchemy.exc import NoResultFound

from impasto_server.container import AppState
from impasto_server.flows import access, repository
from impasto_server.flows.models import FlowRow
from impasto_server.flows.repository import FlowFilter
from impasto_server.http.errors import FieldInvalid
from impasto_server.http.pagination import PageQuery, decode_cursor
from impasto_server.users.models import User
from impasto_server.versions.models import VersionRow

pytestmark = pytest.mark.anyio
AT = datetime(2026, 1, 31, 9, tzinfo=UTC)
PUBLIC: dict[str, Any] = {"visibility": "public", "status": "published", "version": 1}
Store = Callable[..., Awaitable[None]]


@pytest.fixture
async def mara(person: Any) -> str:
    return str(await person.id())


@pytest.fixture
async def ines(new_person: Any) -> str:
    return str(await (await new_person("ines")).id())


@pytest.fixture
def store(app_state: AppState) -> Store:
    """Return a function that stores agents, which differ as given by their ids."""

    async def add(**agents: dict[str, Any]) -> None:
        async with app_state.database.writing() as session:
            for flow_id, about in agents.items():
                usual = {"name": flow_id, "draft": {"nodes": []}, "created_at": AT, "updated_at": AT}
                session.add(FlowRow(id=flow_id, **usual | about))

    return add


async def test_agents_are_found_by_id_key_and_state(
    app_state: AppState, mara: str, ines: str, store: Store
) -> None:
    await store(
        a={"owner_id": mara}, b={"owner_id": ines, "beta": True}, c={"built_in": "poster"},
        d={"built_in": "video", "beta": True}, e={"owner_id": mara, "draft": {"nodes": ["x"]}},
    )  # fmt: skip
    async with app_state.database.writing() as session:
        for find in (repository.find, repository.find_for_update, repository.without_draft):
            assert [row and row.id for row in (await find(session, "a"), await find(session, "gone"))] == [
                "a",
                None,
            ]
        assert (await repository.find_built_in(session, "poster")).id == "c"  # type: ignore[union-attr]
        assert await repository.find_built_in(session, "a") is None
        assert await repository.draft_of(session, "e") == {"nodes": ["x"]}
        with pytest.raises(NoResultFound):
            await repository.draft_of(session, "gone")

        async def ids(found: Any) -> list[str]:
            return sorted(row.id for row in await found)

        assert await ids(repository.without_drafts(session, ["a", "c", "gone"])) == ["a", "c"]
        assert await ids(repository.named(session, ["a", "poster", "c", "gone"])) == ["a", "c"]
        assert await ids(repository.in_beta(session)) == ["b", "d"]
        assert await ids(repository.open_built_ins(session)) == ["c"]
        assert [await repository.count(session, owner) for owner in (mara, ines, "noor")] == [2, 1, 0]


async def test_size_of_an_agent_is_that_of_its_published_document_else_of_its_draft(
    app_state: AppState, mara: str, store: Store
) -> None:
    await store(a={"owner_id": mara}, b={"owner_id": mara, "version": 2})
    async with app_state.database.writing() as session:
        for number, text in ((1, "x"), (2, "x" * 50)):
            session.add(VersionRow(flow_id="b", number=number, revision=number, document={"text": text}))
        await session.flush()
        rows = [await repository.find(session, flow_id) for flow_id in "ab"]
        sizes = [await repository.document_bytes(session, row) for row in rows if row]
        for version in (None, 1):
            deleted = FlowRow(id="c", version=version)
            assert await repository.document_bytes(session, deleted) is None
    assert sizes == [len(orjson.dumps({"nodes": []})), len(orjson.dumps({"text": "x" * 50}))]


async def test_public_agents_and_ones_own_are_listed(
    app_state: AppState, mara: str, ines: str, store: Store
) -> None:
    of_ines = {"owner_id": ines}
    await store(
        a={"owner_id": mara}, b={"owner_id": mara, **PUBLIC}, c=of_ines | PUBLIC,
        d=of_ines | PUBLIC | {"visibility": "private"}, e=of_ines | PUBLIC | {"withheld_at": AT},
        f=of_ines | {"visibility": "public", "status": "draft"},
        g=of_ines | PUBLIC | {"status": "deprecated"},
        h=PUBLIC | {"built_in": "poster", "category": "ads", "takes": ["image"], "description": "For a wall"},
        i={"owner_id": mara, **PUBLIC, "visibility": "private", "takes": ["audio"]},
    )  # fmt: skip
    async with app_state.database.reading() as session:

        async def listed(**wanted: Any) -> str:
            found = await repository.visible_to(session, mara, FlowFilter(**wanted))
            paged, cursor = await repository.visible_page(session, mara, FlowFilter(**wanted), PageQuery(9))
            assert ([row.id for row in paged], cursor) == ([row.id for row in found], None)
            return "".join(sorted(row.id for row in found))

        assert await listed() == "bchi"
        assert await listed(include_all=True) == "abchi"
        assert await listed(mine=True) == "bi"
        assert await listed(mine=True, include_all=True) == "abi"
        assert await listed(mine=False) == "ch"
        assert await listed(category="ads") == "h"
        assert await listed(q="WALL") == "h"
        assert await listed(q="nothing") == ""
        assert await listed(flow_ids=("b", "h", "d")) == "bh"
        assert await listed(flow_ids=("b", "h"), has_few=True) == "bh"
        assert await listed(flow_ids=()) == ""
        assert await listed(q="wall", flow_ids=("b",)) == ""
        assert await listed(takes=("image",)) == "bch"
        assert await listed(takes=("image", "audio", "image")) == "bchi"

        async def public(text: str, status: Any = None) -> str:
            rows = await session.scalars(repository.public_matching(text, status))
            return "".join(sorted(row.id for row in rows))

        assert await public("") == "bcegh"
        assert await public(" C ") == "c"
        assert await public("_") == ""
        states = ("published", "featured", "withheld", "deprecated")
        assert [await public("", status) for status in states] == ["bch", "", "e", "g"]


async def test_pages_follow_the_order_of_lists(app_state: AppState, mara: str, store: Store) -> None:
    hour = timedelta(hours=1)
    featured, positions, times = (None, AT, AT + hour), (None, 1, 2), (AT, AT + hour)
    agents = {
        f"{number:02}": PUBLIC
        | {"owner_id": mara, "featured_at": since, "position": position, "updated_at": at}
        for number, (since, position, at) in enumerate([*itertools.product(featured, positions, times)] * 2)
    }
    await store(**agents)

    def place(flow_id: str) -> tuple[Any, ...]:
        about = agents[flow_id]
        since, position = about["featured_at"], about["position"]
        return (
            since is None,
            -(since or AT).timestamp(),
            position is None,
            position or 0,
            -about["updated_at"].timestamp(),
            -int(flow_id),
        )

    expected = sorted(agents, key=place)
    async with app_state.database.reading() as session:
        whole = await repository.visible_to(session, mara, FlowFilter())
        assert [row.id for row in whole] == expected
        for limit in (1, 5, 36):
            found: list[str] = []
            after, pages = None, 0
            while pages == 0 or after is not None:
                rows, cursor = await repository.visible_page(
                    session, mara, FlowFilter(), PageQuery(limit, after)
                )
                found += [row.id for row in rows]
                after, pages = None if cursor is None else decode_cursor(cursor), pages + 1
            assert found == expected
            assert pages == -(-36 // limit)


@pytest.mark.parametrize(
    "place",
    [
        "x", "[]", "[1,2,3]", '[null,null,"2026-01-31",""]', "[null,null,null,null]",
        '[null,"x","2026-01-31T09:00:00Z",""]',
        '[null,null,"2026-01-31T09:00:00",""]', '[null,null,"2026-01-31T09:00:00Z",7]',
        '["x",null,"2026-01-31T09:00:00Z",""]', '[null,99999999999999999999,"2026-01-31T09:00:00Z",""]',
        '[null,null,"0001-01-01T00:00:00+02:00",""]',
        '[null,2147483648,"2026-01-31T09:00:00Z",""]', '[null,-2147483648,"2026-01-31T09:00:00Z",""]',
    ],
)  # fmt: skip
def test_place_that_no_list_has_is_refused(place: str) -> None:
    with pytest.raises(FieldInvalid):
        repository.page_query("mara", FlowFilter(), PageQuery(9, place))


@pytest.mark.parametrize("position", ["2147483647", "-2147483647", "0", "null"])
def test_place_may_have_any_position_of_the_column(position: str) -> None:
    place = f'[null,{position},"2026-01-31T09:00:00Z",""]'
    assert repository.page_query("mara", FlowFilter(), PageQuery(9, place)) is not None


@pytest.mark.parametrize(
    ("row", "visible", "permissions"),
    [
        ({"owner_id": "mara"}, True, (True, True, True, True)),
        ({"owner_id": "ines", **PUBLIC}, True, (False, True, False, False)),
        ({"owner_id": "ines", **PUBLIC, "version": None}, True, (False, False, False, False)),
        ({"owner_id": "ines", **PUBLIC, "withheld_at": AT}, False, (False, True, False, False)),
        ({"owner_id": "ines", **PUBLIC, "status": "draft"}, False, (False, True, False, False)),
        ({"owner_id": "ines", **PUBLIC, "visibility": "private"}, False, (False, True, False, False)),
        ({"owner_id": None, **PUBLIC, "built_in": "poster"}, True, (False, True, False, True)),
        ({"owner_id": None, **PUBLIC, "id": "beta"}, True, (False, True, False, True)),
    ],
)
def test_user_may_do_what_the_owner_allows(
    row: dict[str, Any], visible: bool, permissions: tuple[bool, ...]
) -> None:
    flow, user = FlowRow(**{"id": "f1", **row}), User(id="mara", betas=["poster", "beta"])
    found = access.permissions(flow, user)
    assert access.is_visible(flow, user) is visible
    assert (found.edit, found.run, found.publish, found.beta) == permissions


def test_user_has_the_betas_of_ids_and_keys_or_all() -> None:
    user = User(id="mara", betas=["poster", "beta"])
    assert access.has_beta(user, "other", "poster")
    assert not access.has_beta(user, "other")
    assert access.has_beta(User(id="mara", betas=["*"]), "other")
