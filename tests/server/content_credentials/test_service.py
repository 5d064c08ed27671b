"""The processes that sign, as the server starts them."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from tests.server.content_credentials.samples import make_signer, sample, sign

from impasto_server.compiler.process import CompilerProcess
from impasto_server.content_credentials import authority
from impasto_server.content_credentials.formats import Format
from impasto_server.content_credentials.service import ContentCredentials, worker_setup
from impasto_server.content_credentials.signers import load_signer
from impasto_server.http.errors import RateLimited
from impasto_server.settings import Settings

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("chosen", [None, "glibc.malloc.hugetlb=0"])
async def test_process_uses_huge_pages_unless_the_operator_chose(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chosen: str | None
) -> None:
    monkeypatch.setattr("impasto_server.content_credentials.service.CompilerProcess", CompilerProcess)
    monkeypatch.delenv("GLIBC_TUNABLES", raising=False)
    monkeypatch.setenv("IMPASTO_TEST_KEPT", "1")
    if chosen:
        monkeypatch.setenv("GLIBC_TUNABLES", chosen)
    settings = Settings(_env_file=None, data_dir=tmp_path)
    authority.prepare(settings)
    service = ContentCredentials(settings)
    path = tmp_path / "file"
    path.write_bytes(sample("image/png"))
    assert await service.sign("mara", path, Format("image/png"), {}, [])
    assert service._pool
    (process,) = service._pool.process_ids
    environment = Path(f"/proc/{process}/environ").read_bytes().split(b"\0")
    await service.close()
    assert f"GLIBC_TUNABLES={chosen or 'glibc.malloc.hugetlb=1'}".encode() in environment
    assert b"IMPASTO_TEST_KEPT=1" in environment


@pytest.fixture
async def service(tmp_path: Path) -> AsyncIterator[ContentCredentials]:
    settings = Settings(_env_file=None, data_dir=tmp_path)
    authority.prepare(settings)
    made = ContentCredentials(settings)
    yield made
    await made.close()


async def test_file_that_cannot_have_credentials_starts_no_process(
    service: ContentCredentials, tmp_path: Path
) -> None:
    path = tmp_path / "file"
    for content in (b"words c2pa", sample("image/png")):
        path.write_bytes(content)
        assert await service.read("mara", path) is None
    assert service._pool is None


async def test_signature_is_in_the_file_or_beside_it(service: ContentCredentials, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(sample("image/png"))
    embedded = await service.sign("mara", path, Format("image/png"), {}, [])
    assert embedded is not None
    assert (embedded.sidecar, path.read_bytes() == sample("image/png")) == (None, False)
    assert "state" in (await service.read("mara", path) or {})
    path.write_bytes(sample("video/webm"))
    beside = await service.sign("mara", path, Format("video/webm", embedded=False), {}, [])
    assert beside is not None
    assert path.read_bytes() == sample("video/webm")
    assert await service.read("mara", path) is None
    assert "state" in (await service.read("mara", path, beside.sidecar) or {})
    assert {each.name for each in tmp_path.iterdir()} == {"file", "file.signed", "secrets"}


async def test_file_that_is_not_what_it_says_stays_unsigned(
    service: ContentCredentials, tmp_path: Path
) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"words")
    assert await service.sign("mara", path, Format("image/png"), {}, []) is None
    assert path.read_bytes() == b"words"


@pytest.mark.parametrize(
    ("seconds", "reason"),
    [
        (10, "the credentials cannot be read"),
        (0.000001, "reading the credentials takes too much time or memory"),
    ],
    ids=["failure", "time_limit"],
)
async def test_file_whose_process_fails_stays_unsigned_and_has_unreadable_credentials(
    tmp_path: Path, seconds: float, reason: str
) -> None:
    settings = Settings(_env_file=None, data_dir=tmp_path, content_credentials_seconds=seconds)
    if seconds < 1:
        authority.prepare(settings)  # else the file of the key and the certificates is missing
    made = ContentCredentials(settings)
    path = tmp_path / "file"
    path.write_bytes(sample("image/png"))
    signed, _ = sign(make_signer(tmp_path / "acme"), path)
    assert await made.read("mara", signed) == {"unreadable": reason}
    assert await made.sign("mara", path, Format("image/png"), {}, []) is None
    assert path.read_bytes() == sample("image/png")
    await made.close()


async def test_reads_that_are_too_many_are_refused(
    service: ContentCredentials, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    path.write_bytes(sample("image/png"))
    monkeypatch.setattr("impasto_server.content_credentials.service._MAX_READS_WAITING", 0)
    assert await service.sign("mara", path, Format("image/png"), {}, []), "signing has no such limit"
    with pytest.raises(RateLimited) as refused:
        await service.read("mara", path)
    assert (refused.value.headers or {})["Retry-After"] == "1"
    monkeypatch.setattr("impasto_server.content_credentials.service._MAX_READS_WAITING", 1)
    assert isinstance(await service.read("mara", path), dict)


@pytest.mark.parametrize(
    ("chosen", "names"),
    [
        ({}, {"own": True, "certificates": "own", "key": "own", "signer": "", "trusted": ""}),
        ({"content_credentials": False}, {"own": True, "certificates": "", "key": ""}),
        (
            {"content_certificate_file": "c.pem", "content_key_file": "k.pem", "content_trust_file": "t.pem"},
            {"own": False, "certificates": "c.pem", "key": "k.pem", "trusted": "t.pem"},
        ),
        (
            {"content_certificate_file": "c.pem", "content_signer": "kms"},
            {"own": False, "certificates": "c.pem", "key": "", "signer": "kms"},
        ),
        (
            {
                "content_credentials_seconds": 3,
                "content_credentials_memory_mib": 512,
                "content_timestamp_url": "https://stamps.example",
                "plugins": "acme",
            },
            {
                "seconds": 3,
                "memory_bytes": 536_870_912,
                "timestamp_url": "https://stamps.example",
                "plugins": "acme",
            },
        ),
    ],
)
def test_process_gets_the_files_of_key_and_certificates(
    tmp_path: Path, chosen: dict[str, Any], names: dict[str, Any]
) -> None:
    settings = Settings(_env_file=None, data_dir=tmp_path, **chosen)
    own = str(authority.own_authority_file(settings))
    found = worker_setup(settings)
    usual = {"signer": "", "plugins": "", "timestamp_url": "", "trusted": "", "seconds": 10,
             "own": True, "certificates": "own", "key": "own", "memory_bytes": 1_073_741_824}  # fmt: skip
    assert found == {name: own if value == "own" else value for name, value in {**usual, **names}.items()}


def test_authority_of_an_installation_that_signs_no_more_still_verifies(tmp_path: Path) -> None:
    authority.prepare(Settings(_env_file=None, data_dir=tmp_path))
    settings = Settings(_env_file=None, data_dir=tmp_path, content_credentials=False)
    assert worker_setup(settings)["certificates"] == str(authority.own_authority_file(settings))


def test_signer_that_no_package_offers_is_named() -> None:
    with pytest.raises(LookupError, match="'kms'"):
        load_signer("kms")
