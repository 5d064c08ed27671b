"""Inputs of a flow pass on what was given, within their limits, and close their port without it."""

import base64
import io

import PIL.Image
import pytest

from impasto import (
    Audio,
    Brand,
    Catalog,
    Flow,
    FlowInvalid,
    Image,
    Mask,
    NodeError,
    Video,
    compile,
    execute,
)
from impasto.sdk.node_type import node_type_of
from impasto.testing import run_node
from impasto_nodes import control, inputs, transform
from impasto_nodes.inputs import (
    audio_input,
    brand_system,
    choice,
    mask,
    number,
    picture,
    table,
    user_prompt,
    video_input,
    whole_number,
)
from impasto_nodes.inputs.brand_system import list_fonts

pytestmark = pytest.mark.anyio
LOGO = Image(asset_id="logo", media_type="image/png", width=40, height=20)


async def test_prompt_is_passed_on_and_an_empty_one_is_an_error():
    assert (await run_node(user_prompt, settings={"text": "Dawn"})).output == "Dawn"
    with pytest.raises(NodeError, match="prompt is empty"):
        await run_node(user_prompt, settings={"text": "  "})
    assert (await run_node(user_prompt, settings={"may_be_empty": True})).output == ""
    assert (await run_node(user_prompt, settings={"may_be_empty": True, "text": " Dawn "})).output == " Dawn "


@pytest.mark.parametrize(
    ("node", "setting", "value"),
    [
        (picture, "picture", LOGO),
        (video_input, "video", Video(asset_id="clip", media_type="video/mp4")),
        (audio_input, "audio", Audio(asset_id="song", media_type="audio/mpeg")),
        (mask, "mask", Mask(image=LOGO)),
    ],
)
async def test_media_is_passed_on_and_closes_the_port_if_it_is_not_given(node, setting, value):
    assert (await run_node(node)).outputs == {}
    assert (await run_node(node, settings={setting: value})).output == value


@pytest.mark.parametrize(("value", "code"), [(1.5, "out_of_range"), (12, "out_of_range")])
async def test_a_number_keeps_to_its_limits(value, code):
    for allowed in (2, 5, 10):
        settings = {"value": allowed, "lowest": 2, "highest": 10}
        assert (await run_node(number, settings=settings)).output == allowed
    with pytest.raises(NodeError) as caught:
        await run_node(number, settings={"value": value, "lowest": 2, "highest": 10})
    assert caught.value.code == code


async def test_a_choice_is_one_of_its_options_and_the_first_by_default():
    options = ["Instagram", "X"]
    assert (await run_node(choice, settings={"options": options})).output == "Instagram"
    assert (await run_node(choice, settings={"options": options, "value": "X"})).output == "X"
    with pytest.raises(NodeError, match=r"'TV' is none of the options\. Choose one of: Instagram, X"):
        await run_node(choice, settings={"options": options, "value": "TV"})


async def test_every_row_of_a_table_is_an_item():
    rows = [{"name": "Can"}, {"name": "Bag"}]
    assert (await run_node(table, settings={"rows": rows})).output == rows
    assert len((await run_node(table, settings={"rows": [{}] * 1000})).output) == 1000
    with pytest.raises(NodeError, match="1001 rows; 1000 is the limit"):
        await run_node(table, settings={"rows": [{}] * 1001})


async def test_brand_values_are_normalized():
    settings = {
        "brand_name": "  North  bound ",
        "palette": ["#D84", "", "2b2018"],
        "description": " Coffee. ",
        "fonts": [" Manrope "],
        "banned_words": ["", "delve"],
        "example_lines": [" Sip. "],
        "logo": LOGO,
        "tone": " dry ",
    }
    brand = (await run_node(brand_system, settings=settings)).output
    assert brand == Brand(
        brand_name="North bound",
        description="Coffee.",
        palette=("#dd8844", "#2b2018"),
        fonts=("Manrope",),
        logo=LOGO,
        tone="dry",
        banned_words=("delve",),
        example_lines=("Sip.",),
    )


async def test_every_text_of_a_whole_brand_is_normalized():
    lines = (" one ", "", "two")
    given = Brand(
        brand_name=" A  B ",
        description=" soap ",
        palette=("D84", " "),
        fonts=lines,
        tone=" calm ",
        banned_words=lines,
        example_lines=lines,
        dos=lines,
        donts=lines,
        languages=lines,
        legal_line=" A  Ltd ",
        clear_space=0.5,
    )
    kept = ("one", "two")
    assert (await run_node(brand_system, settings={"brand": given, "brand_name": "Ours"})).output == Brand(
        brand_name="A B",
        description="soap",
        palette=("#dd8844",),
        fonts=kept,
        tone="calm",
        banned_words=kept,
        example_lines=kept,
        dos=kept,
        donts=kept,
        languages=kept,
        legal_line="A Ltd",
        clear_space=0.5,
    )


async def test_a_choice_without_options_takes_any_text():
    assert (await run_node(choice, settings={"value": "TV"})).output == "TV"
    assert (await run_node(choice)).output == ""


async def test_a_number_without_limits_takes_any_value():
    for value in (-1e9, 0.0, 1e9):
        assert (await run_node(number, settings={"value": value})).output == value


async def test_a_limit_of_zero_is_a_limit():
    assert (await run_node(number, settings={"value": 0.0, "lowest": 0.0})).output == 0
    with pytest.raises(NodeError, match=r"0\.5 is too large: use 0 or less"):
        await run_node(number, settings={"value": 0.5, "highest": 0.0})
    with pytest.raises(NodeError, match=r"-0\.5 is too small: use 0 or more"):
        await run_node(number, settings={"value": -0.5, "lowest": 0.0})


async def test_an_invalid_color_of_a_brand_is_refused():
    with pytest.raises(NodeError, match=r"^'sand' is not a colour\. Write it like #de4f2a\.$"):
        await run_node(brand_system, settings={"palette": ["#112233", "sand", "sea"]})


async def test_a_saved_brand_needs_the_server_that_saved_it():
    with pytest.raises(NodeError, match="saved on a server"):
        await run_node(brand_system, settings={"brand": Brand(saved="fjell@2")})


async def test_run_may_replace_the_whole_brand():
    catalog = Catalog([brand_system])
    plan = compile(
        {
            "format": 1,
            "nodes": [{"id": "b", "type": "brand_system", "settings": {"brand_name": "Ours"}}],
            "edges": [],
        },
        catalog,
    )
    theirs = {"$type": "Brand", "brand_name": "Theirs", "palette": ["#112233"]}
    result = await execute(plan, {"b": theirs})
    assert result.outputs["b.output"].brand_name == "Theirs"
    assert (await execute(plan)).outputs["b.output"].brand_name == "Ours"


async def test_fonts_are_offered_by_name():
    for query in ("manr", "ROPE"):
        [font] = await list_fonts(query, None)
        assert (font["value"], font["label"]) == ("Manrope", "Manrope")


async def test_every_font_is_offered_with_a_sample_of_its_own_letters():
    offered = await list_fonts("", None)
    samples = [font["sample"] for font in offered]
    assert len(set(samples)) == len(offered) > 10
    for sample in samples:
        picture = PIL.Image.open(io.BytesIO(base64.b64decode(sample.removeprefix("data:image/png;base64,"))))
        alpha = picture.getchannel("A")
        assert picture.height == 72
        assert alpha.getbbox() is not None
        assert not any(alpha.crop((0, edge, picture.width, edge + 1)).getbbox() for edge in (0, 71)), "cut"


def test_categories_hold_exactly_their_nodes():
    ids = {room: [node_type_of(node).id for node in room.NODES] for room in (inputs, control, transform)}
    assert ids[inputs][:3] == ["user_prompt", "picture", "brand_system"]
    assert ids[control][:3] == ["condition", "choose", "merge"]
    for room in ids:
        assert {*(node.__name__ for node in room.NODES), "NODES"} == set(room.__all__)
    found = Catalog.discover()
    assert not found.broken
    known = {node["id"] for node in found.describe()["types"]}
    assert {name for named in ids.values() for name in named} <= known


def test_catalog_keeps_the_order_of_the_palette():
    types = [node["id"] for node in Catalog.discover().describe()["types"]]
    for room in (inputs, transform, control):
        named = [node_type_of(node).id for node in room.NODES]
        assert [node for node in types if node in named] == named


def test_the_forms_of_input_nodes_say_what_they_take():
    types = {node["id"]: node for node in Catalog.discover().describe()["types"]}
    assert types["user_prompt"]["input"] == "text"
    assert types["picture"]["settings"]["properties"]["picture"]["x-ui"]["widget"] == "picture"
    assert types["brand_system"]["input"] == "brand"
    for node in types.values():
        assert node["summary"], f"{node['id']} has no help"


async def test_the_fonts_of_a_whole_brand_are_chosen_as_those_of_its_parts_are():
    catalog = Catalog.discover()
    [brand] = [node for node in catalog.describe()["types"] if node["id"] == "brand_system"]
    [whole, _] = brand["settings"]["properties"]["brand"]["anyOf"]
    named = whole["properties"]["fonts"]["x-ui"]["options"]
    assert named == "fonts"
    assert await catalog.options("brand_system", named)


async def test_the_number_of_images_can_be_an_input():
    """A count flows into a setting that counts; one beyond its limits is refused in words."""
    nodes = [
        {"id": "many", "type": "whole_number", "settings": {"value": 2, "highest": 4}},
        {"id": "ask", "type": "user_prompt", "settings": {"text": "A can"}},
        {"id": "draw", "type": "image_generation", "settings": {"provider": "local"}},
    ]
    edges = [{"from": "many.output", "to": "draw.n_images"}, {"from": "ask.output", "to": "draw.prompt"}]
    flow = Flow.parse({"format": 1, "name": "test", "nodes": nodes, "edges": edges})
    assert compile(flow, Catalog.discover()).inputs["properties"]["many"]["type"] == "integer"
    assert (await run_node(whole_number, settings={"value": 3})).output == 3
    with pytest.raises(NodeError, match="5 is too large: use 4 or less"):
        await run_node(whole_number, settings={"value": 5, "highest": 4})


def prompt(text):
    node = {"id": "ask", "type": "user_prompt", "settings": {"text": text}}
    return Flow.parse({"format": 1, "nodes": [node], "edges": []})


def test_a_prompt_has_at_most_20_000_characters():
    catalog = Catalog([user_prompt])
    compile(prompt("x" * 20_000), catalog)
    with pytest.raises(FlowInvalid, match=r"20,?000"):
        compile(prompt("x" * 20_001), catalog)
