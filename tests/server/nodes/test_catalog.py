"""The node catalog and the options of dynamic settings."""

import gzip
from typing import Annotated, Any

import pytest
from tests.server.responses import expect
from tests.server.sample_nodes import sample_catalog

from impasto import Catalog, Setting, Text, node
from impasto.compiler.catalog import BrokenPlugin
from impasto_server.nodes.service import serialize_catalog

pytestmark = pytest.mark.anyio


@pytest.fixture
def catalog() -> Catalog:
    found = sample_catalog()
    found.broken.append(
        BrokenPlugin(
            name="paints",
            package="impasto-paints",
            error="ImportError: no brush",
            traceback="File /secret/path",
        )
    )
    return found


async def test_catalog_describes_every_node_type(person: Any) -> None:
    found = (await person.client.get("/nodes/")).json()
    speak = next(item for item in found["types"] if item["id"] == "speak")
    assert speak["settings"]["properties"]["voice"]["x-ui"]["options"] is True
    assert speak["inputs"][0]["type"] == "Text"
    assert next(item for item in found["types"] if item["id"] == "secret")["beta"] is True
    assert {"from": "Integer", "to": "Number"} in found["conversions"]
    assert found["categories"][:2] == ["inputs", "ai_models"]


async def test_broken_plugin_is_listed_without_paths(person: Any) -> None:
    response = await person.client.get("/nodes/")
    assert response.json()["broken"] == [
        {"name": "paints", "package": "impasto-paints", "error": "ImportError: no brush"}
    ]
    assert "/secret/path" not in response.text


async def test_catalog_is_compressed_for_clients_that_accept_gzip(person: Any) -> None:
    plain = await person.client.get("/nodes/", headers={"Accept-Encoding": "identity"})
    compressed = await person.client.get("/nodes/", headers={"Accept-Encoding": "br, gzip"})
    assert "content-encoding" not in plain.headers
    assert compressed.headers["content-encoding"] == "gzip"
    assert int(compressed.headers["content-length"]) < int(plain.headers["content-length"]) / 2
    assert compressed.json() == plain.json()
    assert compressed.headers["etag"] == f"W/{plain.headers['etag']}"
    for answer in (plain, compressed):
        assert answer.headers["vary"] == "Accept-Encoding"
        assert answer.headers["cache-control"] == "private, no-cache"
        assert answer.headers["content-type"] == "application/json"
    refused = await person.client.get("/nodes/", headers={"Accept-Encoding": "gzip;q=0"})
    assert "content-encoding" not in refused.headers
    again = await person.client.get("/nodes/", headers={"If-None-Match": compressed.headers["etag"]})
    expect(again, 304)


def test_catalog_is_serialized_once_and_to_the_same_bytes_at_any_time() -> None:
    catalog = sample_catalog()
    found = serialize_catalog(catalog)
    assert serialize_catalog(catalog) is found
    assert serialize_catalog(sample_catalog()) == found
    assert (gzip.decompress(found.gzipped), found.gzipped[4:8]) == (found.body, bytes(4))


async def test_matching_etag_returns_304(person: Any) -> None:
    tag = (await person.client.get("/nodes/")).headers["etag"]
    again = await person.client.get("/nodes/", headers={"If-None-Match": tag})
    expect(again, 304)
    assert again.content == b""
    names = ("etag", "vary", "cache-control")
    assert [again.headers[name] for name in names] == [
        tag.removeprefix("W/"),
        "Accept-Encoding",
        "private, no-cache",
    ]
    expect(await person.client.get("/nodes/", headers={"If-None-Match": '"old"'}), 200)


async def test_options_match_query_and_use_provider_key(person: Any) -> None:
    found = (await person.client.get("/nodes/speak/options/voice?q=A")).json()
    assert found["items"][0] == {
        "value": "rachel",
        "label": "Rachel",
        "group": None,
        "detail": None,
        "value_schema": None,
        "sample": None,
    }
    assert [item["label"] for item in found["items"]] == ["Rachel", "Adam", "Bella"]
    await person.client.put("/credentials/elevenlabs", json={"key": "clone-voice-1"})
    found = (await person.client.get("/nodes/speak/options/voice?q=clone")).json()
    assert [item["label"] for item in found["items"]] == ["clone-voice-1"]


async def test_option_that_names_a_setting_has_the_schema_of_its_value(person: Any) -> None:
    found = (await person.client.get("/nodes/speak/options/effects")).json()
    assert found["items"][0]["value_schema"] == {"type": "integer", "maximum": 3}


async def test_setting_without_options_has_none(person: Any) -> None:
    assert (await person.client.get("/nodes/shout/options/mark")).json() == {
        "items": [],
        "next_cursor": None,
        "sources": [],
    }


@pytest.mark.parametrize("path", ["nothing/options/voice", "speak/options/nothing"])
async def test_unknown_setting_is_not_found(person: Any, path: str) -> None:
    refused = expect(await person.client.get(f"/nodes/{path}"), 404)
    node_type, _, setting = path.partition("/options/")
    assert refused.json()["detail"] == f"There is no setting {node_type}.{setting}."


async def test_provider_error_is_reported(person: Any) -> None:
    response = await person.client.get("/nodes/speak/options/voice?q=down")
    expect(response, 502, code="options_unavailable")
    assert response.json()["detail"] == "The voices cannot be reached."


async def test_catalog_requires_token(client: Any) -> None:
    expect(await client.get("/nodes/"), 401)


async def test_only_images_in_the_data_itself_are_samples_of_options(person: Any) -> None:
    png = "data:image/png;base64,AAAA"
    items = (await person.client.get("/nodes/speak/options/voice?q=sampled")).json()["items"]
    assert [item["sample"] for item in items] == [png, None, None]


WRONG: dict[str, list[Any]] = {"nameless": [{"label": "Low"}], "grouped": [{"value": "low", "group": ["a"]}]}
SAMPLE = "data:image/png;base64," + "A" * (100_000 - 22)


async def list_tones(query: str) -> Any:
    """List tones in each way in which a plugin may write an option."""
    if query == "many":
        return range(201)
    if query in WRONG:
        return WRONG[query]
    return [
        7,
        {"value": 8},
        {"value": "low", "label": "", "group": "Voices", "detail": "Deep", "hint": "Unused"},
        {"value": "high", "label": "High", "detail": "", "hint": "Bright", "schema": "no object"},
        {"value": "sampled", "sample": SAMPLE},
        {"value": "sampled", "sample": SAMPLE + "A"},
        {"value": "sampled", "sample": b"data:image/png;base64,AAAA"},
    ]


@node(id="hum")
def hum(text: Text, *, tone: Annotated[str, Setting(options="list_tones")] = "low") -> Text:
    """Return the text."""
    return text


class TestOptionsOfAPlugin:
    """Options that a plugin writes in its own way."""

    @pytest.fixture
    def catalog(self) -> Catalog:
        return Catalog([hum])

    async def test_options_are_shown_in_one_form(self, person: Any) -> None:
        found = (await person.client.get("/nodes/hum/options/tone")).json()["items"]
        names = ("value", "label", "group", "detail", "value_schema")
        assert [tuple(item[name] for name in names) for item in found] == [
            ("7", "7", None, None, None),
            ("8", "8", None, None, None),
            ("low", "low", "Voices", "Deep", None),
            ("high", "High", None, "Bright", None),
            *[("sampled", "sampled", None, None, None)] * 3,
        ]
        assert [item["sample"] for item in found] == [None] * 4 + [SAMPLE, None, None]

    async def test_two_hundred_options_are_shown(self, person: Any) -> None:
        found = (await person.client.get("/nodes/hum/options/tone?q=many")).json()["items"]
        assert [item["value"] for item in found] == [str(number) for number in range(200)]

    @pytest.mark.parametrize("query", WRONG)
    async def test_options_in_a_wrong_form_cannot_be_listed(self, person: Any, query: str) -> None:
        response = await person.client.get("/nodes/hum/options/tone", params={"q": query})
        expect(response, 502, code="options_unavailable")
        assert response.json()["detail"] == (
            "The options cannot be listed now. You can enter the value yourself."
        )
