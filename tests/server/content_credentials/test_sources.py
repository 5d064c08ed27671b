"""The credentials of sources are embedded in few bytes, and stay as provable as they were."""

from pathlib import Path
from typing import Any

import pytest
from tests.server.content_credentials.samples import make_signer, read, sample, sign

from impasto_server.content_credentials import claims
from impasto_server.content_credentials.sources import manifest_store, manifests, shortened, without_padding
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


def box(kind: bytes, content: bytes) -> bytes:
    return (len(content) + 8).to_bytes(4) + kind + content


def superbox(label: bytes, *parts: bytes) -> bytes:
    return box(b"jumb", box(b"jumd", bytes(16) + b"\x03" + label + b"\0") + b"".join(parts))


STORE = box(
    b"jumb",
    box(b"jumd", bytes.fromhex("6332706100110010800000AA00389B71") + b"\x03c2pa\0") + superbox(b"urn:c2pa:m"),
)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (0, 0), (500, 500), (2**20 - 100, 0), (0, 3 * 2**20), (3 * 2**20, 300),
        (3 * 2**20, 2**20 - len(STORE)),
    ],
)  # fmt: skip
def test_store_is_found_near_the_start_or_the_end(tmp_path: Path, before: int, after: int) -> None:
    path = tmp_path / "file"
    path.write_bytes(bytes(before) + STORE + bytes(after))
    assert manifest_store(path) == STORE


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"words",
        STORE[12:],
        bytes(2 * 2**20) + STORE + bytes(2**20 - len(STORE) + 1),
        (2**20 + 1).to_bytes(4) + STORE[4:] + bytes(2**20),
    ],
    ids=["empty", "text", "without its start", "in the middle", "too large"],
)
def test_store_elsewhere_or_of_more_than_a_mebibyte_is_not_read(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    assert manifest_store(path) is None


def test_store_of_a_mebibyte_is_read(tmp_path: Path) -> None:
    path = tmp_path / "file"
    content = (2**20).to_bytes(4) + STORE[4:].ljust(2**20 - 4, b"\0")
    path.write_bytes(content + b"rest")
    assert manifest_store(path) == content


def signed_store(signature: bytes, *others: bytes) -> bytes:
    """Return a store with other boxes before its active manifest, whose signature is this one."""
    claim = superbox(b"c2pa.claim", box(b"cbor", b"\xd2\x84\x58\x01\0\xa1\x63pad\x59\0\x02\0\0"))
    active = superbox(
        b"urn:c2pa:m", claim, superbox(b"c2pa.signature", box(b"cbor", signature), box(b"free", b""))
    )
    return box(b"jumb", b"".join([box(b"jumd", bytes(16)), *others, active]))


@pytest.mark.parametrize(
    ("padded", "small"),
    [
        (b"\xd2\x84\x58\x02ab\xa1\x63pad\x59\0\x03\0\0\0end", b"\xd2\x84\x58\x02ab\xa0end"),
        (
            b"\xd2\x84\x59\0\x02ab\xa1\x63pad\x59\x01\x04" + bytes(260) + b"end",
            b"\xd2\x84\x59\0\x02ab\xa0end",
        ),
        (b"\xd2\x84\x58\x02ab\xa1\x63pad\x59\0\x00end", b"\xd2\x84\x58\x02ab\xa0end"),
        (b"\xd2\x84\x58\x02ab\xa1\x63pad\x59\0\x03\0\1\0end", None),
        (b"\xd2\x84\x58\x02ab\xa1\x63pap\x59\0\x03\0\0\0end", None),
        (b"\xd2\x84\x58\x02ab\xa2\x63pad\x59\0\x03\0\0\0end", None),
        (b"\xd2\x84\x57\xa1\x63pad\x59\0\x03\0\0\0end", None),
        (b"", None),
    ],
    ids=[
        "padding",
        "long padding",
        "empty padding",
        "not zero",
        "other key",
        "two keys",
        "no signature",
        "empty",
    ],
)
def test_padding_alone_is_taken_out_of_a_signature(padded: bytes, small: bytes | None) -> None:
    other = superbox(b"urn:c2pa:other", superbox(b"c2pa.signature", box(b"cbor", padded)))
    expected = signed_store(padded if small is None else small, other)
    assert without_padding(signed_store(padded, other)) == expected


def test_manifests_are_found_by_their_labels() -> None:
    first, second = superbox(b"urn:c2pa:1", box(b"cbor", b"1")), superbox(b"urn:c2pa:2")
    store = box(b"jumb", box(b"jumd", bytes(25)) + first + box(b"free", b"") + second)
    assert list(manifests(store).items()) == [(b"urn:c2pa:1", first), (b"urn:c2pa:2", second)]
    assert manifests(box(b"jumb", box(b"jumb", b""))) == {b"": box(b"jumb", b"")}


@pytest.mark.parametrize("length", [0, 7, 9])
def test_box_with_another_length_than_it_says_is_refused(length: int) -> None:
    with pytest.raises(ValueError, match="another length"):
        manifests(bytes(8) + length.to_bytes(4) + b"jumb")


def test_recorded_verification_says_what_readers_cannot_find_out() -> None:
    found = {
        "activeManifest": {
            "success": [
                {"code": "claimSignature.validated", "url": "u", "explanation": "words"},
                {"code": "assertion.hashedURI.match", "url": "u"},
            ],
            "failure": None,
        },
        "specVersion": "2.2",
        "ingredientDeltas": [],
    }
    assert shortened(found) == {
        "activeManifest": {"success": [{"code": "claimSignature.validated", "url": "u"}], "failure": []},
        "specVersion": "2.2",
    }
