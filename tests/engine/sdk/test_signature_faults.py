"""Signatures that the decorator refuses: the error names the function, the parameter and the fix."""

from typing import Annotated, NamedTuple

import pytest

from impasto import Context, DefinitionError, Image, Integer, Lazy, Setting, Text, node


def no_annotation():
    async def bad(text) -> Text: ...

    return bad


def no_return():
    async def bad(text: Text): ...

    return bad


def odd_type():
    async def bad(text: set[int]) -> Text: ...

    return bad


def anything():
    async def bad(**text: Text) -> Text: ...

    return bad


def setting_as_port():
    async def bad(text: Annotated[str, Setting(title="x")]) -> Text: ...

    return bad


def bad_default():
    async def bad(*, size: Annotated[int, Setting(ge=5)] = 1) -> Text: ...

    return bad


def plain_generator():
    def bad(text: Text) -> Text:
        yield text

    return bad


def two_inputs():
    async def bad(
        *, a: Annotated[str, Setting(input=True)] = "", b: Annotated[str, Setting(input=True)] = ""
    ) -> Text: ...

    return bad


def bad_port_default():
    async def bad(count: Integer = "three") -> Text: ...

    return bad


def positional_only_context():
    async def bad(text: Text, context: Context, /) -> Text: ...

    return bad


def positional_only_input_beside_a_context():
    async def bad(text: Text, /, context: Context) -> Text: ...

    return bad


def lazy_values_of_any_number():
    async def bad(*text: Lazy[Text]) -> Text: ...

    return bad


def two_contexts():
    async def bad(*, context: Context, again: Context) -> Text: ...

    return bad


def unreadable_pattern():
    async def bad(*, code: Annotated[str, Setting(pattern="(")] = "") -> Text: ...

    return bad


def a_choice_of_types():
    async def bad(thing: Text | Image) -> Text: ...

    return bad


def bad_field():
    class Several(NamedTuple):
        good: Text
        wrong: bytes

    async def bad() -> Several: ...

    return bad


def odd_return():
    async def bad() -> bytes: ...

    return bad


@pytest.mark.parametrize(
    ("make", "parameter", "mend"),
    [
        (bad_port_default, "count", "Change the default"),
        (positional_only_context, "context", "Remove the `/`"),
        (positional_only_input_beside_a_context, "context", "after a bare `*`"),
        (two_contexts, "again", "Remove one"),
        (lazy_values_of_any_number, "text", "Lazy[list["),
        (unreadable_pattern, "code", "Correct the pattern"),
        (a_choice_of_types, "thing", "Use Text"),
        (bad_field, "the output 'wrong'", "Use Text"),
        (odd_return, "the return type", "Use Text"),
        (no_annotation, "text", "Annotate"),
        (no_return, "return", "-> Text"),
        (odd_type, "text", "Use Text"),
        (anything, "text", "keyword-only"),
        (setting_as_port, "text", "after a bare `*`"),
        (bad_default, "size", "Change the default"),
        (plain_generator, "generator", "async def"),
        (two_inputs, "a, b", "Mark one"),
    ],
)
def test_bad_definition_names_function_parameter_and_fix(make, parameter, mend):
    with pytest.raises(DefinitionError) as raised:
        node(make())
    sentence = str(raised.value)
    assert "bad" in sentence
    assert parameter in sentence
    assert mend in sentence
