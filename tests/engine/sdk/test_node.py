"""The decorator: what a signature declares, and what is refused."""

import asyncio
import inspect
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Annotated, Literal, NamedTuple

import msgspec
import pytest

from impasto import (
    Audio,
    Catalog,
    Context,
    DefinitionError,
    Image,
    Json,
    Lazy,
    Number,
    Port,
    Setting,
    Text,
    node,
)
from impasto.sdk.node_type import node_type_of


class Pair(NamedTuple):
    first: Text
    second: Annotated[Image, Port(title="The picture")]


@node(id="speak", title="Speak", category="ai_models", version=3, migrations={2: dict}, generative=True)
async def speak(
    text: Text,
    tone: Text | None = None,
    *,
    voice: Annotated[str, Setting(options="list_voices", group="Voice")] = "Rachel",
    stability: Annotated[float, Setting(ge=0, le=1, step=0.05)] = 0.5,
    mood: Literal["calm", "wild"] = "calm",
    context: Context,
) -> Pair:
    """Speak a text.

    In a chosen voice.
    """
    raise NotImplementedError


async def list_voices(query: str) -> list[str]:
    return [name for name in ("Rachel", "Adam") if query.lower() in name.lower()]


def test_positional_parameters_are_inputs_and_keyword_only_ones_settings():
    found = node_type_of(speak)
    assert [(port.name, str(port.type), port.required) for port in found.inputs] == [
        ("text", "Text", True),
        ("tone", "Text", False),
    ]
    assert [spec.name for spec in found.settings] == ["voice", "stability", "mood"]
    assert found.context == "context"


def test_named_tuple_gives_an_output_for_each_field():
    outputs = node_type_of(speak).outputs
    assert [(port.name, port.title, str(port.type)) for port in outputs] == [
        ("first", "First", "Text"),
        ("second", "The picture", "Image"),
    ]


def test_docstring_is_the_help():
    described = Catalog([speak]).describe()["types"][0]
    assert described["summary"] == "Speak a text."
    assert described["help"] == "Speak a text.\n\nIn a chosen voice."
    assert (described["id"], described["version"], described["generative"]) == ("speak", 3, True)


def test_catalog_has_a_schema_with_hints_for_each_setting():
    schema = Catalog([speak]).describe()["types"][0]["settings"]
    stability = schema["properties"]["stability"]
    assert (stability["minimum"], stability["maximum"], stability["default"]) == (0, 1, 0.5)
    assert (stability["x-ui"]["widget"], stability["x-ui"]["step"]) == ("slider", 0.05)
    voice = schema["properties"]["voice"]
    assert voice["x-ui"]["options"] is True
    assert voice["x-ui"]["group"] == "Voice"
    assert sorted(schema["properties"]["mood"]["enum"]) == ["calm", "wild"]
    assert schema["additionalProperties"] is False


@node
async def mix(
    *,
    volume: Annotated[int | None, Setting(ge=0, le=10)] = None,
    gain: Annotated[float, Setting(ge=0)] = 1,
    label: str | None = None,
    is_loud: bool = False,
    tags: list[str] = [],  # noqa: B006
    anything: int | str = 1,
) -> Text:
    raise NotImplementedError


def test_field_of_a_setting_follows_its_type_also_if_it_may_be_empty():
    schema = Catalog([mix]).describe()["types"][0]["settings"]["properties"]
    assert {name: setting["x-ui"]["widget"] for name, setting in schema.items()} == {
        "volume": "slider",
        "gain": "number",
        "label": "text",
        "is_loud": "switch",
        "tags": "list",
        "anything": "json",
    }


@dataclass(frozen=True)
class Stop:
    """A place on the way."""

    name: Annotated[str, msgspec.Meta(min_length=1, extra_json_schema={"x-ui": {"widget": "long_text"}})]
    photo: Annotated[Image | None, msgspec.Meta(title="How it looks")] = None


@node(id="walk", title="Walk")
async def walk(*, stop: Stop, home: Stop | None = None, badge: Image, sound: Audio | None = None) -> Text:
    """Walk along."""
    raise NotImplementedError


def test_media_setting_is_a_file_field_and_a_dataclass_a_form():
    schema = Catalog([walk]).describe()["types"][0]["settings"]["properties"]
    widgets = {name: setting["x-ui"]["widget"] for name, setting in schema.items()}
    assert widgets == {"stop": "object", "home": "object", "badge": "picture", "sound": "file"}
    carried = {name: setting["x-type"] for name, setting in schema.items()}
    assert carried == {"stop": "tests.Stop", "home": "tests.Stop", "badge": "Image", "sound": "Audio"}


def test_dataclass_fields_have_limits_titles_and_hints():
    schema = Catalog([walk]).describe()["types"][0]["settings"]["properties"]["stop"]
    name = schema["properties"]["name"]
    assert (name["minLength"], name["x-ui"]) == (1, {"widget": "long_text"})
    assert schema["properties"]["photo"]["title"] == "How it looks"
    assert schema["required"] == ["name"]


@pytest.mark.anyio
async def test_options_come_from_the_named_function():
    assert await Catalog([speak]).options("speak", "voice", "ra") == ["Rachel"]
    assert await Catalog([speak]).options("speak", "mood") == []


def test_function_may_use_a_variable_assigned_later():
    @node
    def late(text: Text) -> Text:
        return text + suffix

    suffix = "!"
    assert late("now") == "now!"


def test_decorated_function_is_still_a_plain_function():
    @node
    async def double(number: Number) -> Number:
        return number * 2

    assert asyncio.run(double(4)) == 8
    assert inspect.iscoroutinefunction(double)


def test_kind_follows_from_the_function():
    @node
    def plain(text: Text) -> Text:
        return text

    @node
    async def stream(text: Text) -> AsyncIterator[Text]:
        yield text

    assert node_type_of(plain).kind == "thread"
    assert node_type_of(stream).kind == "stream"


def test_dataclass_of_a_plugin_is_a_value_type():
    @dataclass(frozen=True)
    class Mesh:
        points: int

    @node
    async def make(*, n: int = 1) -> Mesh:
        return Mesh(n)

    catalog = Catalog([make])
    assert "Mesh" in catalog.value_types
    assert {"from": "tests.Mesh", "to": "Any"} in catalog.describe()["conversions"]


def test_decorator_arguments_are_checked():
    with pytest.raises(DefinitionError, match="has no argument 'colour'"):
        node(colour=1)(speak)
    with pytest.raises(DefinitionError, match="got 0"):

        @node(version=0)
        async def never() -> Text: ...

    with pytest.raises(DefinitionError, match="not one of its settings"):

        @node(variables="prompt")
        async def also_never() -> Text: ...


@pytest.mark.parametrize(
    ("declared", "words"),
    [
        ({"id": "two words"}, "cannot be an id"),
        ({"id": ""}, "cannot be an id"),
        ({"id": 3}, "cannot be an id"),
        ({"title": 3}, "title=3"),
        ({"timeout": "1"}, "a number of seconds"),
        ({"timeout": 0}, "timeout above 0"),
        ({"retries": True}, "Give an int"),
        ({"limit": 8}, "name of a limit"),
        ({"generative": "yes"}, "True or False"),
        ({"cost": "much"}, "dollars"),
        ({"check": "mine"}, "a function"),
        ({"version": 2, "migrations": {1: {}}}, r"migrations\[1\]"),
        ({"version": 2, "migrations": {2: dict}}, r"start at versions 1\.\.1"),
    ],
)
def test_bad_decorator_argument_names_the_node_and_the_fix(declared, words):
    async def mine() -> Text: ...

    with pytest.raises(DefinitionError, match=words) as raised:
        node(**declared)(mine)
    assert "mine" in str(raised.value)


def test_missing_options_function_is_refused_when_the_plugin_loads():
    @node
    async def singer(*, voice: Annotated[str, Setting(options="unlisted")] = "") -> Text: ...

    with pytest.raises(DefinitionError, match=r"'voice'.*singer.*'unlisted'"):
        Catalog([singer])


def test_cpu_node_must_be_a_plain_module_level_function():
    with pytest.raises(DefinitionError, match="Move it to module level"):

        @node(cpu=True)
        def inner(text: Text) -> Text: ...

    with pytest.raises(DefinitionError, match="instead of `async def`"):

        @node(cpu=True)
        async def wrong(text: Text) -> Text: ...


def test_lazy_ports_and_defaults_are_described():
    @node
    async def pick(which: Json, one: Lazy[Text], two: Lazy[Text] = None) -> Text: ...

    inputs = Catalog([pick]).describe()["types"][0]["inputs"]
    assert [(port["name"], port["lazy"], port["required"]) for port in inputs] == [
        ("which", False, True),
        ("one", True, True),
        ("two", True, False),
    ]


def test_two_types_of_one_id_and_version_are_refused_and_the_newest_version_wins():
    @node(id="same")
    async def one() -> Text: ...

    @node(id="same")
    async def two() -> Text: ...

    @node(id="same", version=2)
    async def three() -> Text: ...

    with pytest.raises(DefinitionError, match="Two node types"):
        Catalog([one, two])
    assert Catalog([three, one])["same"].version == 2


def test_keywords_are_part_of_the_catalog():
    @node(keywords=["tts", " narration "])
    async def say_aloud(text: Text) -> Text:
        return text

    (described,) = Catalog([say_aloud]).describe()["types"]
    assert described["keywords"] == ["tts", "narration"]


@pytest.mark.parametrize("keywords", ["tts", ["tts", 3], [" "]])
def test_keywords_that_are_not_a_list_of_words_are_refused(keywords):
    with pytest.raises(DefinitionError, match="keywords"):

        @node(keywords=keywords)
        async def say_aloud(text: Text) -> Text:
            return text
