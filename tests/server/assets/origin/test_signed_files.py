"""What a file is signed with: its definition, its sources, and what is kept of the signature."""

from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.server.sample_nodes import png

from impasto_server.assets.models import AssetRow
from impasto_server.assets.origin import signing
from impasto_server.assets.origin.signing import Marks, Unsigned
from impasto_server.content_credentials import claims
from impasto_server.content_credentials.claims import Nature
from impasto_server.content_credentials.formats import Format
from impasto_server.content_credentials.service import Ingredient, Signature
from impasto_server.settings import Settings
from impasto_server.storage.object_storage import Storage

pytestmark = pytest.mark.anyio
NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
NATURE = Nature(claims.EDITED_BY_MODEL, "partly", ("parentOf", "inputTo", "componentOf"))
GENERATION = {"provider": "openai", "model": "m", "method": "edited"}
PROVENANCE = {"flow_name": "Jugs", "version": 3, "node_type": "paint"}


class Requests:
    """A signing service that keeps the requests, and an application that has it."""

    def __init__(self, folder: Path, signature: Signature | None = None, **about: Any) -> None:
        self.seen: list[tuple[Any, ...]] = []
        self.storage = Storage.from_settings(Settings(_env_file=None, data_dir=folder))
        self._signature = signature
        service = {"version": "1.2", "organization": None, "is_enabled": True, "sign": self.sign, **about}
        self.app_state: Any = SimpleNamespace(
            content_credentials=SimpleNamespace(**service), storage=self.storage, clock=lambda: NOON
        )

    async def sign(self, *request: Any) -> Signature | None:
        self.seen.append(request)
        return self._signature


def row(asset_id: str, key: str, size: int = 1, **about: Any) -> AssetRow:
    common = {"kind": "image", "media_type": "image/png", "ai_made": "yes", "source_type": "t"}
    return AssetRow(id=asset_id, object_key=key, bytes=size, **{**common, **about})


def named(asset_id: str, index: int, relationship: str) -> dict[str, Any]:
    return {
        "label": f"input{index}", "title": "image", "format": "image/png", "relationship": relationship,
        "instance_id": f"{claims.ASSET_URN}{asset_id}",
    }  # fmt: skip


def defined(**about: Any) -> dict[str, Any]:
    usual: dict[str, Any] = {
        "version": "1.2", "agent": "Jugs", "agent_version": 3, "node_type": "paint",
        "generation": GENERATION, "nature": NATURE, "signed_at": NOON,
    }  # fmt: skip
    return claims.definition(**{**usual, **about})


@pytest.mark.parametrize(
    ("signature", "kept"),
    [
        (None, (Marks(None, NATURE.source_type, "partly"), None)),
        (Signature(), (Marks("embedded", NATURE.source_type, "partly"), None)),
        (Signature(b"beside"), (Marks("sidecar", NATURE.source_type, "partly"), b"beside")),
    ],
    ids=["unsigned", "embedded", "sidecar"],
)
async def test_file_is_signed_with_the_sources_that_its_step_read(
    signature: Signature | None, kept: Any, tmp_path: Path
) -> None:
    requests = Requests(tmp_path, signature, organization="Fjell")
    key = await requests.storage.put_bytes(b"a source")
    source = tmp_path / "assets" / key
    limit = 64 * 2**20
    rows = [row("a", key, limit), row("b", key, limit + 1), row("c", "missing")]
    path, format_ = tmp_path / "file", Format("image/webp")

    async def sign(original: Path | None, creator: str | None, *, is_watermarked: bool) -> Any:
        unsigned = Unsigned(path, format_, NATURE, original, is_watermarked)
        given = (unsigned, "mara", PROVENANCE, GENERATION, rows, creator)
        return await signing.sign(requests.app_state, *given)

    assert await sign(None, "Mara", is_watermarked=True) == kept
    assert await sign(tmp_path / "original", None, is_watermarked=False) == kept
    first, second = requests.seen
    assert first == (
        "mara", path, format_, defined(creators=["Fjell", "Mara"], is_watermarked=True),
        [
            Ingredient(named("a", 0, "parentOf"), source, "image/png"),
            Ingredient(named("b", 1, "inputTo"), None, "image/png"),
            Ingredient(named("c", 2, "componentOf"), None, "image/png"),
        ],
    )  # fmt: skip
    original = claims.original_ingredient("image/webp")
    assert second == (
        "mara", path, format_, defined(creators=["Fjell"], has_original=True),
        [
            Ingredient(original, tmp_path / "original", "image/webp"),
            Ingredient(named("a", 0, "inputTo"), source, "image/png"),
            Ingredient(named("b", 1, "inputTo"), None, "image/png"),
            Ingredient(named("c", 2, "componentOf"), None, "image/png"),
        ],
    )  # fmt: skip


async def test_file_without_a_step_is_signed_without_a_generation(tmp_path: Path) -> None:
    requests = Requests(tmp_path)
    unsigned = Unsigned(tmp_path, Format("image/png"), Nature(claims.RENDERED, "no", ()), None, False)
    provenance = {"flow_name": "Jugs", "version": "draft"}
    await signing.sign(requests.app_state, unsigned, "mara", provenance, None, [], None)
    expected = defined(generation=None, nature=unsigned.nature, node_type=None, agent_version="draft")
    assert requests.seen == [("mara", tmp_path, Format("image/png"), expected, [])]


@pytest.mark.parametrize(
    ("about", "organization", "expected"),
    [
        ({}, None, {"agent": "", "agent_version": "draft", "node_type": None, "generation": None}),
        (
            {"flow_name": "Jugs", "version": 3, "node_type": "paint", "made_by": GENERATION},
            "Fjell",
            {"creators": ["Fjell"]},
        ),
    ],
    ids=["upload", "run"],
)
async def test_edited_copy_is_signed_with_the_asset_as_its_parent(
    about: dict[str, Any], organization: str | None, expected: dict[str, Any], tmp_path: Path
) -> None:
    path, original = tmp_path / "file", tmp_path / "original"
    path.write_bytes(png(4))
    for ai_made, nature in (("yes", "yes"), (None, "partly")):
        requests = Requests(tmp_path, organization=organization)
        asset = row("a", "key", owner_id="mara", **{**about, "ai_made": ai_made})
        await signing.sign_edit(requests.app_state, path, asset, original)
        definition = defined(**{"nature": Nature("t", nature, ("parentOf",)), **expected})  # type: ignore[arg-type]
        parent = Ingredient(named("a", 0, "parentOf"), original, "image/png")
        assert requests.seen == [("mara", path, Format("image/png"), definition, [parent])]


async def test_edited_copy_that_cannot_contain_its_credentials_is_not_signed(tmp_path: Path) -> None:
    for content, is_enabled, source_type in (
        (png(4), False, "t"),
        (png(4), True, None),
        (b"OggS", True, "t"),
        (b"words", True, "t"),
    ):
        requests = Requests(tmp_path, is_enabled=is_enabled)
        (tmp_path / "file").write_bytes(content)
        asset = row("a", "key", owner_id="mara", source_type=source_type)
        await signing.sign_edit(requests.app_state, tmp_path / "file", asset, tmp_path / "original")
        assert requests.seen == []
