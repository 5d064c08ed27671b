"""What can be changed in a composed image, from the steps that drew it and their values."""

from typing import Any

import pytest

from impasto_server.asset_versions.composition import ComposedStep, Composition, describe
from impasto_server.asset_versions.errors import NotChangeable
from impasto_server.asset_versions.schemas import LayoutChange
from impasto_server.assets.models import AssetRow
from impasto_server.runs.models import RunRow

DRAWN = {"headline": "Night walks", "line": "Join us", "style": "s", "position": 0}


def image(asset_id: str) -> dict[str, Any]:
    return {"$type": "Image", "asset_id": asset_id}


def step(
    name: str,
    kind: str,
    *,
    place: tuple[int, ...] = (),
    rendered: dict[str, Any] | None = None,
    **settings: Any,
) -> ComposedStep:
    node = {"id": name, "type": kind, "settings": settings}
    return ComposedStep(node, name.title(), AssetRow(id=name), "output", place, rendered)


def composition(
    *steps: ComposedStep, edges: list[str] | None = None, outputs: dict[str, Any] | None = None
) -> Composition:
    """Return a composition whose target is the first step, from edges such as `a.output -> b.text`."""
    ends = [edge.split(" -> ") for edge in edges or ()]
    document = {"edges": [{"from": source, "to": target} for source, target in ends]}
    values = {name: {"output": value} for name, value in (outputs or {}).items()}
    by_id = {each.node["id"]: each for each in steps}
    return Composition(RunRow(id="run"), steps[0].node["id"], by_id, values, document)


def test_edges_into_a_step_are_its_sources() -> None:
    found = composition(
        step("inner/set", "overlay_text"),
        edges=["inner/draw.output -> inner/set.image", "words.out -> inner/set.text", "a.b -> set.text"],
    )
    assert list(found.sources("inner/set")) == [
        ("inner/draw", "output", "image"),
        ("words", "out", "text"),
    ]


def test_steps_that_reach_the_image_through_others_only_are_left_out() -> None:
    found = composition(
        step("set", "overlay_text"),
        step("crop", "resize_crop"),
        step("draw", "image_generation"),
        step("other", "image_generation"),
        edges=["crop.output -> set.image", "draw.output -> crop.image", "other.output -> model.image",
               "model.output -> set.text", "set.output -> draw.image"],
    )  # fmt: skip
    assert list(found.connected().steps) == ["set", "crop", "draw"]


def drawn(**more: Any) -> Composition:
    return composition(
        step("set", "overlay_text"),
        step("draw", "image_generation", rendered=DRAWN, **more),
        edges=["draw.output -> set.image", "words.output -> set.text", "photo.output -> draw.picture"],
        outputs={"words": "Listen", "photo": image("p1"), "draw": image("d"), "set": image("s")},
    )


def fields(found: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    texts = {each.id: (each.label, each.value, each.max_length) for each in found.texts}
    return texts, {each.id: (each.label, each.asset_id) for each in found.images}


def test_layout_has_the_texts_images_and_format_of_all_steps() -> None:
    found = describe(drawn(aspect_ratio="4:5"), LayoutChange())
    assert found is not None
    assert (found.aspect_ratio, found.aspect_ratios) == ("4:5", ["1:1", "4:5", "9:16", "16:9"])
    assert fields(found) == (
        {
            "draw.headline": ("Headline", "Night walks", 64),
            "draw.line": ("Call to action", "Join us", 80),
            "set.text": ("Set", "Listen", 500),
        },
        {"draw.picture": ("Product image", "p1")},
    )


def test_earlier_changes_are_the_current_values() -> None:
    earlier = LayoutChange(
        aspect_ratio="9:16", texts={"set.text": "Start", "draw.line": ""}, images={"draw.picture": "p2"}
    )
    found = describe(drawn(), earlier)
    assert found is not None
    assert found.aspect_ratio == "9:16"
    texts, images = fields(found)
    assert {key: value[1] for key, value in texts.items()} == {
        "draw.headline": "Night walks", "draw.line": "", "set.text": "Start",
    }  # fmt: skip
    assert images["draw.picture"][1] == "p2"


def test_format_is_square_by_default_and_fixed_by_a_later_size() -> None:
    found = describe(drawn(), LayoutChange())
    assert found is not None
    assert found.aspect_ratio == "1:1"
    sized = drawn()
    sized.steps["size"] = step("size", "resize_crop")
    found = describe(sized, LayoutChange(aspect_ratio="9:16"))
    assert found is not None
    assert (found.aspect_ratio, found.aspect_ratios) == (None, [])


def test_value_that_cannot_be_determined_leaves_the_others_changeable() -> None:
    found = drawn()
    found.outputs["words"] = {"output": ["One", "Two"]}
    found.steps["draw"] = step("draw", "image_generation", rendered={"style": "s", "position": 0})
    layout = describe(found, LayoutChange())
    assert layout is not None
    assert fields(layout) == (
        {"draw.headline": ("Headline", "", 64), "draw.line": ("Call to action", "", 80)},
        {"draw.picture": ("Product image", "p1")},
    )


def test_image_without_anything_to_change_has_no_layout() -> None:
    assert describe(composition(step("size", "resize_crop")), LayoutChange()) is None
    text = composition(
        step("set", "overlay_text"),
        edges=["words.output -> set.text"],
        outputs={"words": 7, "set": image("s")},
    )
    assert describe(text, LayoutChange()) is None


@pytest.mark.parametrize(
    ("kind", "port", "value", "replaceable"),
    [
        ("place_product", "product", image("p"), "p"),
        ("place_product", "setting", image("p"), None),
        ("image_generation", "picture", image("p"), "p"),
        ("image_generation", "picture", {"a": image("p"), "b": image("q")}, None),
        ("image_generation", "picture", None, None),
        ("overlay_text", "picture", image("p"), None),
    ],
)
def test_only_the_single_image_of_a_renderer_or_a_product_can_be_replaced(
    kind: str, port: str, value: Any, replaceable: str | None
) -> None:
    found = describe(
        composition(
            step("make", kind, rendered=DRAWN),
            edges=[f"photo.output -> make.{port}"],
            outputs={"photo": value, "make": image("m")},
        ),
        LayoutChange(),
    )
    assert found is not None
    assert [each.asset_id for each in found.images] == ([replaceable] if replaceable else [])


@pytest.mark.parametrize(
    ("value", "made", "place", "expected"),
    [
        ("one", image("a"), (), "one"),
        (["one", "two"], [image("a"), image("b")], (1,), "two"),
        (["one", "two"], [image("a"), image("b")], (0,), "one"),
        (["one"], [image("a"), image("b")], (0,), NotChangeable),
        (["one", "two"], image("a"), (), NotChangeable),
        (["one", "two"], [image("a"), image("b")], (), NotChangeable),
    ],
)
def test_value_of_a_list_is_that_of_the_image(
    value: Any, made: Any, place: tuple[int, ...], expected: Any
) -> None:
    setting = step("set", "overlay_text", place=place)
    found = composition(setting, edges=["words.output -> set.text"], outputs={"words": value, "set": made})
    assert found.value_for(setting, "words", "output", is_list=True) == value
    if expected is NotChangeable:
        with pytest.raises(NotChangeable):
            found.value_for(setting, "words", "output")
    else:
        assert found.value_for(setting, "words", "output") == expected
        assert found.value_for(setting, "gone", "output") is None


def ads(place: tuple[int, ...], said: Any, *, images: int = 2, made: Any = None) -> tuple[Composition, Any]:
    """Return two headlines on images in three sizes, and a step that made one of the six."""
    ad = step("ads", "compose_ads", place=place)
    outputs = {
        "photos": [image(f"p{at}") for at in range(images)],
        "heads": ["One", " ", "Two"],
        "calls": said,
        "ads": [image(f"a{at}") for at in range(6)] if made is None else made,
    }
    edges = [
        "photos.output -> ads.images",
        "heads.output -> ads.headlines",
        "calls.output -> ads.calls",
        "gone.output -> ads.brand",
    ]
    return composition(ad, edges=edges, outputs=outputs), ad


@pytest.mark.parametrize(
    ("place", "said", "images", "index"),
    [
        ((0,), ["Call", "Write"], 2, 0),
        ((2,), ["Call", "Write"], 2, 0),
        ((3,), ["Call", "Write"], 2, 1),
        ((5,), ["Call", "Write"], 2, 1),
        ((5,), ["Call"], 2, 0),
        ((5,), ["", "Call"], 2, 1),
        ((5,), ["A", "B", "C"], 2, 1),
        ((5,), ["A", "B", "C"], 3, 2),
        ((2,), ["A", "B", "C"], 3, 1),
        ((5,), "Call", 2, 0),
    ],
)
def test_each_variation_of_an_ad_takes_the_next_text(
    place: tuple[int, ...], said: Any, images: int, index: int
) -> None:
    found, ad = ads(place, said, images=images)
    texts = [said] if isinstance(said, str) else said
    assert found.ad_text(ad, "calls", "output") == (texts, index)


@pytest.mark.parametrize(
    ("place", "said", "images", "made"),
    [
        ((0,), [], 2, None),
        ((0,), [" "], 2, None),
        ((0,), 7, 2, None),
        ((0,), None, 2, None),
        ((0, 1), ["Call"], 2, None),
        ((), ["Call"], 2, None),
        ((0,), ["Call"], 4, None),
        ((0,), ["Call"], 2, image("a")),
    ],
)
def test_text_of_an_ad_that_cannot_be_determined_is_not_changeable(
    place: tuple[int, ...], said: Any, images: int, made: Any
) -> None:
    found, ad = ads(place, said, images=images, made=made)
    for source in ("calls", "gone"):
        with pytest.raises(NotChangeable):
            found.ad_text(ad, source, "output")


def test_layout_of_an_ad_has_the_texts_on_it_alone() -> None:
    found, _ = ads((3,), ["Call", "Write"])
    found.steps["draw"] = step("draw", "image_generation", rendered=DRAWN)
    layout = describe(found, LayoutChange())
    assert layout is not None
    assert (layout.aspect_ratio, layout.images) == (None, [])
    assert fields(layout)[0] == {
        "ads.headlines": ("Headline", "Two", 200),
        "ads.calls": ("Call to action", "Write", 200),
    }
