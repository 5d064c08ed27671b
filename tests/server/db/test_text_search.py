"""Full-text search: terms, queries of any text, both databases, both ways to find rows."""

from typing import Any

import pytest
from sqlalchemy import text
from tests.server.responses import expect
from tests.server.sample_nodes import png

from impasto_server.db import text_search
from impasto_server.db.text_search import indexed_text

pytestmark = pytest.mark.anyio


@pytest.fixture
def database_url(both_databases: str) -> str:
    return both_databases


async def names(person: Any, query: str) -> list[str]:
    response = await person.client.get("/assets/library", params={"q": query})
    expect(response, 200)
    return [item["name"] for item in response.json()["items"]]


@pytest.mark.parametrize("max_matches", [500, 0])
async def test_rows_are_found_by_words_in_any_script(
    person: Any, monkeypatch: pytest.MonkeyPatch, max_matches: int
) -> None:
    monkeypatch.setattr(text_search, "_MAX_MATCHES", max_matches)
    kana, words = "あいうえおかきくけこさしす", [f"w{number}" for number in range(12)]
    sent = [f"{kana} {' '.join(words)}.png", "Summer in Porto.png", "夏のポルト旅行.png", "โรงแรมริมน้ำ.png"]
    sent.append("hero_v2 ☕.png")
    for shade, name in enumerate(sent):
        file = {"file": (name, png(shade), "image/png")}
        expect(await person.client.post("/assets/", files=file), 201)
    long, summer, japanese, thai, hero = reversed(await names(person, "png"))
    assert await names(person, " \t") == [hero, thai, japanese, summer, long]
    for query in ("PORTO", "porto summer", "por", "  summer   PO "):
        assert await names(person, query) == [summer]
    for query in ("ポルト", "旅行", "夏", "夏 旅行", "行"):
        assert await names(person, query) == [japanese]
    assert await names(person, "ริมน้ำ") == [thai]
    for query in ("hero", "v2", "☕"):
        assert await names(person, query) == [hero]
    for query in ("por summer", "summer tokyo", "旅夏", "orto"):
        assert await names(person, query) == []
    # The first twelve terms count. Thirteen characters of a script without spaces are twelve of them.
    for query in (
        " ".join([*words, "none"]),
        f"{kana}x",
        f"{kana} none",
        f"{kana[:12]} w0 none",
        f"{kana}な",
    ):
        assert await names(person, query) == [long], query
    for query in (" ".join([*words[:11], "none"]), f"{kana[:12]}な", f"{kana[:12]} none"):
        assert await names(person, query) == [], query


async def test_a_query_of_any_text_is_answered(person: Any) -> None:
    for query in (
        *('"', "'", "a OR b", "NEAR(", "*", "-x", "col:x", "a & ! b", "((", "\\", "%", "_"),
        *("😀" * 50, "x" * 200),
    ):
        assert await names(person, query) == [], query


async def test_rows_of_other_users_are_not_matched(person: Any, new_person: Any) -> None:
    other = await new_person("ines")
    for each, name in ((person, "porto-mine.png"), (other, "porto-hers.png")):
        expect(await each.client.post("/assets/", files={"file": (name, png(1), "image/png")}), 201)
    assert await names(person, "porto") == ["porto-mine.png"]


async def test_deleted_rows_leave_the_index(person: Any, app_state: Any) -> None:
    sent = await person.client.post("/assets/", files={"file": ("porto.png", png(1), "image/png")})
    expect(await person.client.delete(f"/assets/{sent.json()['id']}"), 204)
    assert await names(person, "porto") == []
    if app_state.database.url.startswith("sqlite"):
        async with app_state.database.reading() as session:
            assert await session.scalar(text("SELECT count(*) FROM assets_search_rows")) == 0


def test_a_text_is_stored_as_its_terms() -> None:
    assert indexed_text("Été: IMG_2041.png, été") == " été img 2041 png "
    assert indexed_text("咖啡罐") == " 咖啡 啡罐 罐 "
    assert indexed_text("!?") == ""
