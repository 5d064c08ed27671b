"""A brand's own font files: nodes and the local renderer draw with them by the family's name."""

import io
from pathlib import Path
from typing import Any

import pytest
from PIL import Image as Pillow
from tests.server.brands.imports import font_files

from impasto import Brand, File
from impasto_nodes.media.text import fonts
from impasto_nodes.providers.local.workers.render import render
from impasto_nodes.transform import burn_captions, compose_ads, contact_sheet, overlay_logo, overlay_text

pytestmark = pytest.mark.anyio


async def branded(desk: Any, *files: tuple[str, bytes], **changes: Any) -> Brand:
    stored = [
        File(asset_id=(await desk.store.put(data, "font/ttf", None)).asset_id, name=name)
        for name, data in files
    ]
    return Brand(**{"brand_name": "abc", "fonts": ("Fjell Sans",), "font_files": tuple(stored)} | changes)


@pytest.mark.parametrize(
    ("node", "medium", "inputs", "settings"),
    [
        (overlay_text, "image", {"text": "abc"}, {}),
        (overlay_logo, "image", {}, {}),
        (contact_sheet, "images", {"title": "abc"}, {}),
        (compose_ads, "images", {"headlines": ["abc"]}, {"sizes": "Pinterest"}),
        (burn_captions, "video", {"cues": {"cues": [{"start": 0, "end": 0.1, "text": "abc"}]}}, {}),
    ],
    ids=["overlay_text", "overlay_logo", "contact_sheet", "compose_ads", "burn_captions"],
)
async def test_node_draws_with_the_brands_own_font(
    desk: Any, node: Any, medium: str, inputs: dict[str, Any], settings: dict[str, Any]
) -> None:
    image = await desk.image(Pillow.new("RGB", (400, 300), "#204030"))
    media = {"image": image, "images": [image], "video": await desk.video(0.1, hertz=None)}
    digests = set()
    for files in (
        [("Fjell Sans-400.ttf", font_files.font(width=300))],
        [("Fjell Sans-400.ttf", font_files.font(width=900))],
        [],
    ):
        branding = {medium: media[medium], "brand": await branded(desk, *files)}
        run = await desk.run(node, inputs | branding, settings)
        [drawn] = run.output if isinstance(run.output, list) else [run.output]
        digests.add(drawn.sha256)
        if files:
            assert "No font here" not in str([event.data for event in run.events])
    assert len(digests) == 3


async def test_every_font_of_the_brand_may_be_chosen(desk: Any) -> None:
    image = await desk.image(Pillow.new("RGB", (400, 300), "#204030"))
    files = [
        (f"{name}-400.ttf", font_files.font(width=width))
        for name, width in (("Fjell Sans", 300), ("Fjord", 900))
    ]
    inputs = {
        "image": image,
        "text": "abc",
        "brand": await branded(desk, *files, fonts=("Fjell Sans", "Fjord")),
    }
    drawn = []
    for font in ("", "Fjord"):
        run = await desk.run(overlay_text, inputs, {"font": font})
        assert [event for event in run.events if event.type == "step.progress"] == []
        drawn.append(run.output.sha256)
    assert len(set(drawn)) == 2


async def test_deleted_or_damaged_file_is_reported_and_another_font_used(desk: Any) -> None:
    image = await desk.image(Pillow.new("RGB", (400, 300), "#204030"))
    gone = File(asset_id="gone", name="Fjell Sans-400.ttf")
    for brand in (
        await branded(desk, font_files=(gone,)),
        await branded(desk, ("Fjell Sans-400.ttf", b"damaged")),
    ):
        run = await desk.run(overlay_text, {"image": image, "text": "abc", "brand": brand})
        assert run.output is not None
        assert "No font here is named 'Fjell Sans'" in str([event.data for event in run.events])


def in_files(folder: Path, **files: bytes) -> list[tuple[Path, str]]:
    found = []
    for number, (name, data) in enumerate(files.items()):
        path = folder / str(number)
        path.write_bytes(data)
        found.append((path, f"Fjell Sans-{name.removeprefix('w')}.ttf"))
    return found


def test_file_nearest_to_the_weight_is_taken_and_only_inside_the_block(tmp_path: Path) -> None:
    files = in_files(
        tmp_path,
        w300=font_files.font(weight=300),
        w700=font_files.font(weight=700),
        w700italic=font_files.font(weight=700, italic=True),
    )
    light, bold, italic = (path for path, _ in files)
    with fonts.own_fonts(files):
        found = {
            weight: fonts.find("fjell-sans", weight) for weight in ("light", "regular", "black", "italic")
        }
        assert found == {"light": light, "regular": light, "black": bold, "italic": italic}
    assert fonts.find("Fjell Sans") is None


def test_letters_that_the_font_lacks_are_set_in_another(tmp_path: Path) -> None:
    with fonts.own_fonts(in_files(tmp_path, w400=font_files.font())):
        assert fonts.suited("Abc", "Fjell Sans", "regular", 20).getname()[0] == "Fjell Sans"
        assert fonts.suited("Größe", "Fjell Sans", "regular", 20).getname()[0] != "Fjell Sans"
        assert fonts.missing("Größe", "Fjell Sans") == ""


def test_variable_font_is_drawn_in_the_weight(tmp_path: Path) -> None:
    shipped = fonts.find("Hanken Grotesk")
    assert shipped is not None
    with fonts.own_fonts([(shipped, "Fjell Sans-400.ttf")]):
        widths = [fonts.load("Fjell Sans", weight, 40).getlength("Fjell") for weight in ("light", "black")]
    assert widths[0] < widths[1]


def test_local_renderer_draws_with_the_brands_own_font(tmp_path: Path) -> None:
    def drawn(*files: tuple[Path, str]) -> Pillow.Image:
        out = tmp_path / "out.png"
        task: dict[str, Any] = {
            "prompt": 'A poster that says "abc"',
            "palette": ["#18465c"],
            "fonts": ["Fjell Sans"],
            "image": None,
            "out": str(out),
            "index": 0,
            "beside": [],
            "stride": 1,
            "aspect_ratio": "1:1",
            "seed": 7,
            "font_files": [(str(path), name) for path, name in files],
        }
        render(task, lambda fraction, message: None)
        return Pillow.open(io.BytesIO(out.read_bytes()))

    own = in_files(tmp_path, w400=font_files.font())
    assert drawn(*own).tobytes() != drawn().tobytes()
