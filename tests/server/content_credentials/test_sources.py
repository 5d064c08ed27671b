"""The credentials of sources are embedded in few bytes, and stay as provable as they were."""

from pathlib import Path
from typing import Any

import pytest
from tests.server.content_credentials.samples import make_signer, read, sample, sign

from impasto_server.content_credentials import claims
from impasto_server.content_credentials.sources import manifest_store, manifests, without_padding
from impasto_server.content_credentials.worker import Operations

GENERATION = {"provider": "replicate", "model": "flux-1.1-pro"}
MAX_BYTES = 5000
MAX_BYTES_OF_SOURCE = 3600
Source = tuple[claims.Input, Path]


@pytest.fixture(scope="module")
def signer(tmp_path_factory: pytest.TempPathFactory) -> Operations:
    return make_signer(tmp_path_factory.mktemp("authority"))


def _signed(
    signer: Operations,
    folder: Path,
    name: str,
    media_type: str = "image/png",
    inputs: list[Source] | None = None,
) -> Source:
    path = folder / name
    path.write_bytes(sample(media_type))
    generation: dict[str, Any] = {**GENERATION, "method": "edited"} if inputs else GENERATION
    signed, _ = sign(signer, path, generation=generation, inputs=inputs)
    return claims.Input(name, media_type.partition("/")[0], media_type, "yes", claims.GENERATED), signed


def _growth(file: Path) -> int:
    return file.stat().st_size - Path(str(file).removesuffix(".signed")).stat().st_size


@pytest.mark.parametrize("media_type", ["image/png", "image/jpeg", "image/webp", "video/mp4", "audio/wav"])
def test_each_source_adds_its_claims_and_keeps_its_trust(
    signer: Operations, tmp_path: Path, media_type: str
) -> None:
    sources = [_signed(signer, tmp_path, f"s{number}", media_type) for number in range(3)]
    path = tmp_path / "video"
    path.write_bytes(sample("video/mp4"))
    signed, _ = sign(signer, path, inputs=sources)
    report = read(signer, signed)
    assert (report["state"], report["problems"]) == ("trusted", [])
    found = [(each["asset_id"], each["state"], each["model"]) for each in report["sources"]]
    assert found == [(f"s{number}", "trusted", "flux-1.1-pro") for number in range(3)]
    assert _growth(signed) <= MAX_BYTES + 3 * MAX_BYTES_OF_SOURCE


def test_sources_keep_their_order_whether_or_not_they_have_credentials(
    signer: Operations, tmp_path: Path
) -> None:
    (tmp_path / "photo").write_bytes(sample("image/jpeg"))
    photo = (claims.Input("photo", "image", "image/jpeg"), tmp_path / "photo")
    sources = [photo, _signed(signer, tmp_path, "setting"), photo]
    path = tmp_path / "placed"
    path.write_bytes(sample("image/webp"))
    report = read(signer, sign(signer, path, inputs=sources)[0])
    assert [(each["asset_id"], each["state"]) for each in report["sources"]] == [
        ("photo", "none"),
        ("setting", "trusted"),
        ("photo", "none"),
    ]


@pytest.mark.parametrize("was_padded", [False, True])
def test_source_that_is_also_a_source_of_another_source_stays_trusted(
    signer: Operations, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, was_padded: bool
) -> None:
    """Files that an older version signed contain the padded credentials of their sources."""
    first = _signed(signer, tmp_path, "first")
    with monkeypatch.context() as patched:
        if was_padded:
            patched.setattr(Operations, "_small_stores", lambda *_: {})
        second = _signed(signer, tmp_path, "second", inputs=[first])
    path = tmp_path / "video"
    path.write_bytes(sample("video/mp4"))
    signed, _ = sign(signer, path, inputs=[first, second])
    report = read(signer, signed)
    assert (report["state"], report["problems"]) == ("trusted", [])
    assert [each["state"] for each in report["sources"]] == ["trusted", "trusted"]
    assert report["sources"][1]["sources"][0]["asset_id"] == "first"


def test_changed_source_is_recorded_as_invalid(signer: Operations, tmp_path: Path) -> None:
    source, file = _signed(signer, tmp_path, "source")
    content = bytearray(file.read_bytes())
    content[-40] ^= 1
    file.write_bytes(content)
    path = tmp_path / "edited"
    path.write_bytes(sample("image/png"))
    report = read(signer, sign(signer, path, inputs=[(source, file)])[0])
    assert report["sources"][0]["state"] == "invalid"


def test_only_the_padding_of_the_active_manifest_is_left_out(signer: Operations, tmp_path: Path) -> None:
    _, file = _signed(signer, tmp_path, "second", inputs=[_signed(signer, tmp_path, "first")])
    store = manifest_store(file)
    assert store
    assert store in file.read_bytes()
    smaller = without_padding(store)
    assert len(store) - len(smaller) > 900
    before, after = manifests(store), manifests(smaller)
    assert list(before) == list(after)
    assert [label for label in before if before[label] != after[label]] == [list(before)[-1]]
    assert without_padding(smaller) == smaller


@pytest.mark.parametrize("kept", [0, 20, 41, 200, 2000])
def test_damaged_store_is_refused(signer: Operations, tmp_path: Path, kept: int) -> None:
    _, file = _signed(signer, tmp_path, "source")
    store = manifest_store(file)
    assert store
    with pytest.raises(ValueError, match=r"box|unpack"):
        without_padding(store[:kept])
