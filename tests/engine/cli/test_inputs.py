"""Inputs from the command line: text, JSON and files."""

from typing import Annotated

import pytest

from impasto import Audio, Image, InputsInvalid, Json, MemoryStore, Setting, Text, node
from impasto.cli.run_view import read_inputs
from impasto.testing import plan_of

pytestmark = pytest.mark.anyio


@node
async def brief(*, text: Annotated[str, Setting(input=True)] = "") -> Text:
    return text


@node
async def sizes(*, value: Annotated[Json, Setting(input=True)] = None) -> Json:
    return value


@node
async def photo(*, image: Annotated[Image | None, Setting(input=True)] = None) -> Text:
    return ""


@node
async def voice(*, audio: Annotated[Audio | None, Setting(input=True)] = None) -> Text:
    return ""


NODES = {"n": "sizes", "p": "photo", "v": "voice", "a": "brief", "b": "brief"}
PLAN = plan_of([brief, sizes, photo, voice], NODES)


@pytest.mark.parametrize(
    ("prompt", "given", "inputs"),
    [
        (None, [], {}),
        ("Hi", [], {"a": "Hi"}),
        ("Hi", ["a=Ho"], {"a": "Ho", "b": "Hi"}),
        (None, ["a=1", "n=1"], {"a": "1", "n": 1}),
        (None, ['n={"w": [1, 2]}', "b=x=y"], {"n": {"w": [1, 2]}, "b": "x=y"}),
        (None, ["n=not JSON", "a="], {"n": "not JSON", "a": ""}),
        (None, ["n=[1180591620717411303424]"], {"n": [2**70]}),
    ],
)
async def test_text_is_taken_as_it_is_and_the_prompt_goes_to_the_first_free_text(prompt, given, inputs):
    assert await read_inputs(PLAN, prompt, given, MemoryStore()) == inputs


@pytest.mark.parametrize(
    ("node", "name", "media_type"),
    [
        ("p", "cup.jpg", "image/jpeg"),
        ("p", "cup", "image/png"),
        ("v", "hum.mp3", "audio/mpeg"),
        ("v", "hum", "audio/mpeg"),
    ],
)
async def test_a_file_is_stored_under_its_name_and_media_type(tmp_path, node, name, media_type):
    path = tmp_path / name
    path.write_bytes(b"content")
    store = MemoryStore()
    inputs = await read_inputs(PLAN, None, [f"{node}={path}"], store)
    value = inputs[node]
    assert (value["name"], value["media_type"], value["bytes"]) == (name, media_type, 7)
    async with store.path(value["asset_id"]) as stored:
        assert stored.read_bytes() == b"content"


@pytest.mark.parametrize(
    ("prompt", "given", "code", "text"),
    [
        (None, ["cup"], "bad_input", "Write inputs as id=value, not 'cup'."),
        (None, ["p=/no/cup.png"], "bad_input", "There is no file '/no/cup.png' for the input 'p'."),
        ("Hi", ["a=1", "b=2"], "unknown_input", "This flow has no text input for the prompt."),
    ],
)
async def test_invalid_inputs_are_refused(prompt, given, code, text):
    with pytest.raises(InputsInvalid) as raised:
        await read_inputs(PLAN, prompt, given, MemoryStore())
    (problem,) = raised.value.problems
    assert (problem.code, problem.message) == (code, text)
