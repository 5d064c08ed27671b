"""Manifests that are huge, nested or full of sources cost bounded time and memory, and win no trust."""

import asyncio
import io
import struct
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import c2pa
import pytest
from tests.server.brands.imports.websites import served
from tests.server.content_credentials.samples import make_signer, png_with, read, sample, sign

from impasto_server.content_credentials import authority, claims
from impasto_server.content_credentials.report import report_of
from impasto_server.content_credentials.schemas import AssetCredentials
from impasto_server.content_credentials.service import ContentCredentials
from impasto_server.content_credentials.worker import Operations
from impasto_server.settings import Settings

pytestmark = pytest.mark.anyio
MAX_SECONDS = 3
MAX_MEMORY = 512 * 2**20


def _box(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content) + 8) + kind + content


def _superbox(label: bytes, content: bytes) -> bytes:
    return _box(b"jumb", _box(b"jumd", b"c2pa" + bytes(12) + b"\x03" + label + b"\0") + content)


def _nested() -> bytes:
    """Boxes in boxes, 20,000 deep: each has its own length and the rest of the file."""
    depth, head = 20_000, len(_superbox(b"c2pa", b""))
    sizes = range(depth * head, 0, -head)
    box = _superbox(b"c2pa", b"")[8:]
    return b"".join(struct.pack(">I", size) + b"jumb" + box for size in sizes)


MANIFESTS: dict[str, Callable[[], bytes]] = {
    "nested": _nested,
    "60 MiB": lambda: _superbox(b"c2pa", _superbox(b"urn:c2pa:x", bytes(60 * 2**20))),
    "a million boxes": lambda: _superbox(b"c2pa", _superbox(b"urn:c2pa:x", _box(b"cbor", b"") * 1_000_000)),
    "longer than the file": lambda: struct.pack(">I", 2**31) + _superbox(b"c2pa", b"")[4:],
    "compressed garbage": lambda: _superbox(
        b"c2pa", _superbox(b"urn:c2pa:x", _box(b"brob", b"c2ma" + b"\x5b" * 9999))
    ),
}


@pytest.fixture
async def service(tmp_path: Path) -> AsyncIterator[ContentCredentials]:
    settings = Settings(
        _env_file=None,
        data_dir=tmp_path,
        content_credentials_seconds=MAX_SECONDS,
        content_credentials_memory_mib=MAX_MEMORY // 2**20,
    )
    authority.prepare(settings)
    found = ContentCredentials(settings)
    yield found
    await found.close()


@pytest.mark.parametrize("manifest", MANIFESTS)
async def test_hostile_manifest_is_invalid_within_the_limits(
    service: ContentCredentials, tmp_path: Path, manifest: str
) -> None:
    hostile, good = tmp_path / "hostile", tmp_path / "good"
    hostile.write_bytes(png_with(MANIFESTS[manifest]()))
    good.write_bytes(sample("image/png"))
    signed, _ = sign(make_signer(tmp_path / "acme", "Acme"), good, generation={"model": "m"})
    assert (await service.read("mara", signed) or {})["state"] == "valid"
    started = time.process_time()
    report = await asyncio.wait_for(service.read("mara", hostile), 60)
    assert time.process_time() - started < 1  # of this process: the file is parsed in another one
    shown = AssetCredentials.from_report(report)
    assert shown.state == ("none" if report is None else "invalid")
    if shown.state == "invalid":
        assert shown.problems
    assert (await service.read("mara", signed) or {})["state"] == "valid"


@pytest.mark.parametrize("has_authority", [True, False])
def test_manifest_that_a_file_names_is_not_fetched(tmp_path: Path, has_authority: bool) -> None:
    signer, named = make_signer(tmp_path), tmp_path / "named"
    with served() as site:
        builder = c2pa.Builder({"claim_generator_info": [{"name": "x"}]}, signer._current_context())
        with builder, named.open("w+b") as file:
            builder.set_no_embed()
            builder.set_remote_url(f"{site.url}manifest.c2pa")
            builder.sign("image/png", io.BytesIO(sample("image/png")), file)
        unsigned = {"own": True, "certificates": "", "key": "", "signer": "", "trusted": ""}
        report = read(signer if has_authority else Operations(unsigned), named)
    assert report["unreadable"].startswith("Remote: must fetch remote manifests from url http://")
    assert site.asked == []


def test_report_on_sources_that_contain_each_other_is_bounded() -> None:
    source = {"active_manifest": "a", "title": "t" * 10_000, "relationship": "componentOf"}
    manifest = {"ingredients": [source] * 1000, "assertions": []}
    report: Any = report_of({"active_manifest": "a", "manifests": {"a": manifest}})
    assert _count(report["sources"]) <= 20 * (1 + 4 + 16 + 64)
    assert report["state"] == "invalid"
    assert len(report["sources"][0]["title"]) == 200


def _count(sources: list[dict[str, Any]]) -> int:
    return sum(1 + _count(source["sources"]) for source in sources)


async def test_growing_chain_of_sources_is_signed_with_bounded_size(tmp_path: Path) -> None:
    """Each file is made from the one before, as in a flow that edits an image again and again."""
    signer, path = make_signer(tmp_path / "own"), tmp_path / "0"
    path.write_bytes(sample("image/jpeg"))
    inputs = None
    for step in range(1, 8):
        signed, _ = sign(signer, path, generation={"model": "m", "method": "edited"}, inputs=inputs)
        inputs = [(claims.Input(str(step), "image", "image/jpeg", "yes", claims.GENERATED), signed)]
        path = tmp_path / str(step)
        path.write_bytes(sample("image/jpeg"))
    assert signed.stat().st_size - path.stat().st_size < 7 * 6000
