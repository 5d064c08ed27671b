"""What is kept of a file's origin: the credentials of uploads, old assets as inputs, and unsigned files."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PIL import Image
from tests.fakes.media import saved
from tests.server.sample_nodes import png

from impasto_server.assets import metadata
from impasto_server.assets.media.images import has_watermark as has_mark
from impasto_server.assets.models import AssetRow
from impasto_server.assets.origin import signing
from impasto_server.assets.origin.signing import Marks
from impasto_server.content_credentials import claims
from impasto_server.content_credentials.claims import Nature

pytestmark = pytest.mark.anyio
GENERATED = Nature(claims.GENERATED, "yes", ())
NOISE = saved(Image.fromarray(np.random.default_rng(1).integers(0, 256, (256, 256), np.uint8)))
ORIGIN = {"run_id": "r1", "flow_name": "Jugs", "version": 3}


@pytest.mark.parametrize(
    ("report", "kept"),
    [
        (None, Marks()),
        ({"unreadable": "too large"}, Marks()),
        ({"state": "invalid", "ai_made": "yes", "source_type": "a"}, Marks()),
        ({"state": "valid", "ai_made": "yes", "source_type": "a"}, Marks("embedded", "a", "yes")),
        ({"state": "trusted", "ai_made": "partly", "source_type": ""}, Marks("embedded", None, "partly")),
        ({"state": "trusted", "ai_made": "yes", "source_type": "x" * 61}, Marks("embedded", "x" * 60, "yes")),
        ({"state": "trusted", "ai_made": "no", "source_type": "a"}, Marks("embedded")),
        ({"state": "trusted", "ai_made": None, "source_type": "a"}, Marks("embedded")),
    ],
    ids=["none", "unreadable", "invalid", "valid", "no type", "long type", "not by AI", "unknown"],
)
async def test_upload_keeps_what_valid_credentials_say_of_ai(
    report: Any, kept: Marks, tmp_path: Path
) -> None:
    asked = []

    async def read(owner_id: str, path: Path) -> Any:
        asked.append((owner_id, path))
        return report

    app_state: Any = SimpleNamespace(content_credentials=SimpleNamespace(read=read))
    assert await signing.marks_of_upload(app_state, "mara", tmp_path / "file") == kept
    assert asked == [("mara", tmp_path / "file")]


@pytest.mark.parametrize(
    ("ai_made", "made_by", "expected"),
    [
        (None, {"provider": "openai"}, "yes"),
        (None, {"provider": "local"}, "partly"),
        (None, {"change": "crop"}, "partly"),
        (None, None, "partly"),
        ("partly", {"provider": "openai"}, "partly"),
        ("yes", None, "yes"),
    ],
)
def test_edit_of_an_asset_from_before_marks_is_by_ai_if_its_provider_was(
    ai_made: Any, made_by: Any, expected: str
) -> None:
    row = AssetRow(id="a1", kind="image", media_type="image/png", ai_made=ai_made, made_by=made_by)
    found = signing.nature_of("image", {"method": "edited"}, [row])
    assert found == Nature(claims.EDITED_BY_MODEL, expected, ("parentOf",))  # type: ignore[arg-type]
    assert signing.nature_of("image", None, []) == Nature(claims.RENDERED, "no", ())


def application(*, is_enabled: bool = True) -> Any:
    """Return what `embed` reads of the application."""
    return SimpleNamespace(
        content_credentials=SimpleNamespace(is_enabled=is_enabled),
        settings=SimpleNamespace(image_megapixels=10),
    )


@pytest.mark.parametrize("is_enabled", [True, False])
async def test_file_has_its_provenance_whether_it_is_signed_or_not(is_enabled: bool, tmp_path: Path) -> None:
    app_state = application(is_enabled=is_enabled)
    for content, is_media in ((png(4), True), (b"words", False)):
        path = tmp_path / "file"
        path.write_bytes(content)
        found = await signing.embed(app_state, path, "image", ORIGIN, GENERATED, has_watermark=False)
        assert (found is not None) is (is_enabled and is_media)
        if found is not None:
            assert (found.format.media_type, found.original, found.is_watermarked) == (
                "image/png",
                None,
                False,
            )
            assert (found.path, found.nature) == (path, GENERATED)
        assert metadata.read(path) == (ORIGIN if is_media else None)
        assert (b"digitalsourcetype/trainedAlgorithmicMedia" in path.read_bytes()) is is_media
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


async def test_file_is_copied_as_its_provider_signed_it(tmp_path: Path) -> None:
    path, content = tmp_path / "file", png(4) + b"c2pa"
    path.write_bytes(content)
    found = await signing.embed(application(), path, "image", ORIGIN, GENERATED, has_watermark=False)
    assert found is not None
    assert found.original is not None
    assert (found.original.parent, found.original.read_bytes()) == (tmp_path, content)
    assert metadata.read(path) == ORIGIN


@pytest.mark.parametrize(
    ("kind", "nature", "content", "has_watermark", "is_watermarked"),
    [
        ("image", GENERATED, NOISE, True, True),
        ("image", GENERATED, NOISE, False, False),
        ("image", Nature(claims.RENDERED, "no", ()), NOISE, True, False),
        ("video", GENERATED, NOISE, True, False),
        ("image", GENERATED, NOISE[:60], True, False),
        ("image", GENERATED, png(4), True, False),
    ],
    ids=["generated", "not wanted", "rendered", "video", "damaged", "one color"],
)
async def test_image_that_ai_made_has_a_watermark_if_it_is_wanted(
    kind: str, nature: Nature, content: bytes, has_watermark: bool, is_watermarked: bool, tmp_path: Path
) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    found = await signing.embed(application(), path, kind, ORIGIN, nature, has_watermark=has_watermark)
    assert found is not None
    assert found.is_watermarked is is_watermarked
    assert not is_watermarked or has_mark(path, 10)
