"""Signatures as node types: ports, settings, and how a function is called."""

from collections.abc import AsyncIterator
from typing import Annotated, Any, NamedTuple

import pytest

from impasto import Context, DefinitionError, Image, Integer, Json, Lazy, Number, Port, Setting, Text, node
from impasto.sdk.node_type import InputPort, NodeType, OutputPort, node_type_of
from impasto.types import IMAGE, INTEGER, TEXT, PortType

ONE_TEXT = PortType(TEXT)


def declared(function: Any, **arguments: Any) -> NodeType:
    """Return the node type that a function declares."""
    found = node_type_of(node(**arguments)(function))
    assert found is not None
    return found


def test_function_without_arguments_is_read_as_a_whole():
    async def say_it(main_text: Text, other: Integer = 3) -> Text | None:
        """Say a text.

        Aloud.
        """

    found = declared(say_it)
    assert (found.id, found.version, found.title, found.function) == ("say_it", 1, "Say it", say_it)
    assert (found.summary, found.help) == ("Say a text.", "Say a text.\n\nAloud.")
    assert found.inputs == (
        InputPort(name="main_text", type=ONE_TEXT, title="Main text"),
        InputPort(name="other", type=PortType(INTEGER), title="Other", default=3),
    )
    assert found.outputs == (OutputPort(name="output", type=ONE_TEXT, title="Output", optional=True),)
    assert (found.settings, found.setting_names) == ((), {})
    assert (found.input_names, found.output_names) == ({"main_text": 0, "other": 1}, {"output": 0})
    assert (found.single, found.context, found.input, found.variables) == (True, None, None, ())
    assert (found.retries, found.timeout, found.migrations, found.subflow) == (0, None, {}, None)
    assert (found.value_types, found.plain) == ((TEXT, INTEGER), {str})


class Parts(NamedTuple):
    first_part: Annotated[Text, Port(text_of="data", help="As text.")]
    data: Annotated[Json | None, Port(title="Data", meaning="post", item_of="rows")]


def test_ports_and_settings_have_what_is_declared_for_them():
    async def cut(
        text: Annotated[Text, Port(title="Words", help="To cut.")] = "",
        later: Annotated[Lazy[Image] | None, Port(item_of="rows")] = None,
        *more: Image,
        rows: Json = None,
        label: Annotated[str, Setting(input=True)],
        flow: str = "",
        variables: dict[str, Text],
    ) -> Parts: ...

    found = declared(
        cut, id="cut2", title="Cut", version=2, variables=["label"], subflow="flow", retries=2, timeout=1.5,
        migrations={1: dict},
    )  # fmt: skip
    assert (found.id, found.title, found.version, found.summary, found.help) == ("cut2", "Cut", 2, "", "")
    assert found.inputs == (
        InputPort(name="text", type=ONE_TEXT, title="Words", help="To cut.", default=""),
        InputPort(name="later", type=PortType(IMAGE), title="Later", default=None, lazy=True, item_of="rows"),
        InputPort(name="more", type=PortType(IMAGE, 1), title="More", default=[], spread=True),
    )
    assert [(port.name, port.title, port.help, port.optional) for port in found.outputs] == [
        ("first_part", "First part", "As text.", False),
        ("data", "Data", "", True),
    ]
    assert [(port.meaning, port.text_of, port.item_of) for port in found.outputs] == [
        (None, "data", None),
        ("post", None, "rows"),
    ]
    assert [(spec.name, spec.index, spec.required) for spec in found.settings] == [
        ("rows", 0, False),
        ("label", 1, True),
        ("flow", 2, False),
    ]
    assert [*found.setting_names] == ["rows", "label", "flow"]
    assert (found.single, found.input, found.variables, found.subflow) == (False, "label", ("label",), "flow")
    assert (found.retries, found.timeout, found.migrations) == (2, 1.5, {1: dict})
    assert (found.output_names, found.plain) == ({"first_part": 0, "data": 1}, frozenset())


async def plain(text: Text, *, size: int = 1) -> Text: ...


async def with_a_context(text: Text, *, context: Context) -> Text: ...


async def with_a_positional_context(context: Context, text: Text) -> Text: ...


async def with_an_optional_context(text: Text, *, context: Context | None = None) -> Text: ...


async def with_any_number(*texts: Text) -> Text: ...


async def with_a_template(*, text: str = "", variables: dict[str, str]) -> Text: ...


async def with_a_list(*, sizes: list[int] = []) -> Text: ...  # noqa: B006


async def with_data(*, data: Json = None) -> Text: ...


async def with_a_choice_of_types(*, size: int | str = 1) -> Text: ...


def blocking(text: Text) -> Text: ...


async def streaming(text: Text) -> AsyncIterator[Text]:
    yield text


async def effect(text: Text) -> None: ...


@pytest.mark.parametrize(
    ("function", "arguments", "facts"),
    [
        (plain, {}, {}),
        (plain, {"timeout": 1}, {"simple": False}),
        (plain, {"retries": 1}, {"simple": False}),
        (plain, {"seeded": True}, {"outside": True}),
        (plain, {"fingerprint": str}, {"outside": True}),
        (with_a_context, {}, {"effects": True, "simple": False, "context": "context"}),
        (with_an_optional_context, {}, {"effects": True, "simple": False, "context": "context"}),
        (
            with_a_positional_context,
            {},
            {"effects": True, "simple": False, "direct": False, "positional": False, "context": "context"},
        ),
        (with_any_number, {}, {"direct": False, "simple": False}),
        (with_a_template, {"variables": "text"}, {"direct": False, "simple": False}),
        (with_a_list, {}, {"open": True, "simple": False}),
        (with_data, {}, {"open": True, "simple": False}),
        (with_a_choice_of_types, {}, {"open": True, "simple": False}),
        (blocking, {}, {"kind": "thread", "effects": True, "simple": False}),
        (blocking, {"cpu": True}, {"kind": "process", "effects": True, "simple": False}),
        (streaming, {}, {"kind": "stream", "effects": True, "simple": False}),
        (effect, {}, {"single": False}),
    ],
    ids=lambda value: value.__name__ if callable(value) else None,
)
def test_how_a_function_is_called_follows_from_its_signature(function, arguments, facts):
    usual = {"kind": "async", "single": True, "context": None, "positional": True, "direct": True}
    usual |= {"effects": False, "outside": False, "open": False, "simple": True}
    found = declared(function, **arguments)
    assert {name: getattr(found, name) for name in usual} == usual | facts


@pytest.mark.parametrize(
    ("annotation", "outputs", "plain"),
    [
        (Text, [("Text", False)], {str}),
        (Number, [("Number", False)], {float, int}),
        (Text | None, [("Text", True)], {str}),
        (list[Text], [("list[Text]", False)], set()),
        (None, [], set()),
        (Annotated[Image, Port(title="A")], [("Image", False)], {Image}),
    ],
    ids=["text", "number", "optional", "list", "nothing", "image"],
)
def test_output_has_the_type_that_is_returned(annotation, outputs, plain):
    async def made(): ...

    made.__annotations__["return"] = annotation
    found = declared(made)
    assert [(str(port.type), port.optional) for port in found.outputs] == outputs
    assert found.plain == plain


@pytest.mark.parametrize(
    ("annotation", "default", "is_taken"),
    [
        (Text, "a", True),
        (Text, None, True),
        (Text, 5, False),
        (list[Text], [], True),
        (list[Text], ("a", "b"), True),
        (list[Text], ["a", 5], False),
        (list[Text], "a", False),
        (list[list[Text]], [["a"], []], True),
        (list[list[Text]], [["a"], "b"], False),
        (list[list[Text]], [[5]], False),
    ],
    ids=str,
)
def test_default_of_an_input_has_its_type(annotation, default, is_taken):
    async def made(value=default) -> Text: ...

    made.__annotations__["value"] = annotation
    if is_taken:
        assert declared(made).inputs[0].default == default
        return
    with pytest.raises(DefinitionError, match="Change the default, or the annotation"):
        declared(made)


def lazy_input(text: Lazy[Text]) -> Text: ...


def with_an_item(item_of: str | None, default: Any = ..., output: str | None = None) -> Any:
    """Return a function whose input and outputs belong to items of these settings."""

    class Found(NamedTuple):
        first: Annotated[Text, Port(item_of=output)]

    async def bad(text, *, rows: Json = None) -> Found: ...

    bad.__annotations__ |= {"text": Annotated[Text, Port(item_of=item_of)], "return": Found}
    bad.__defaults__ = None if default is ... else (default,)
    return bad


def test_input_of_an_item_names_a_setting_and_has_a_default():
    assert declared(with_an_item("rows.list", None, "rows")).inputs[0].item_of == "rows.list"
    for function, fault in (
        (
            with_an_item("lines", None),
            "In the input 'text' of node .*: item_of='lines' is not one of its sett",
        ),
        (
            with_an_item(None, None, "x.y"),
            "In the output 'first' of node .*: item_of='x.y' is not one of its",
        ),
        (with_an_item("rows"), "In parameter 'text' of node .*: an input of an item has no default"),
    ):
        with pytest.raises(DefinitionError, match=fault):
            declared(function)


@pytest.mark.parametrize("text_of", ["first", "third"])
def test_output_is_the_text_of_another_output(text_of):
    class Found(NamedTuple):
        first: Annotated[Text, Port(text_of=text_of)]
        second: Text

    async def bad() -> Found: ...

    bad.__annotations__["return"] = Found
    with pytest.raises(
        DefinitionError, match=f"text_of='{text_of}' is not another output. Name one of second"
    ):
        declared(bad)


def test_process_takes_no_lazy_inputs():
    assert declared(lazy_input).inputs[0].lazy
    with pytest.raises(DefinitionError, match="a cpu node cannot have lazy inputs"):
        declared(lazy_input, cpu=True)


def test_stream_is_declared_as_an_iterator():
    async def bad() -> Text:
        yield "a"

    with pytest.raises(DefinitionError, match="an async generator must return an AsyncIterator"):
        declared(bad)


@pytest.mark.parametrize("arguments", [{"variables": ["size", "text"]}, {"subflow": "text"}], ids=str)
def test_argument_that_names_a_setting_must_name_one(arguments):
    async def bad(text: Text, *, size: str = "", variables: dict[str, str]) -> Text: ...

    with pytest.raises(DefinitionError, match="='text' is not one of its settings"):
        declared(bad, **arguments)


def test_annotation_may_use_the_names_that_its_function_uses():
    class Own(NamedTuple):
        part: Text

    async def unused() -> "Own": ...

    async def used() -> "Own":
        return Own(later)

    with pytest.raises(DefinitionError, match="an annotation cannot be read"):
        declared(unused)
    assert [port.name for port in declared(used).outputs] == ["part"]
    later = "a"
