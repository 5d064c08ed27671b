"""The processes that sign, as the server starts them."""

from pathlib import Path

import pytest
from tests.server.content_credentials.samples import sample

from impasto_server.content_credentials import authority
from impasto_server.content_credentials.formats import Format
from impasto_server.content_credentials.service import ContentCredentials
from impasto_server.settings import Settings

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("chosen", [None, "glibc.malloc.hugetlb=0"])
async def test_process_uses_huge_pages_unless_the_operator_chose(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chosen: str | None
) -> None:
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
