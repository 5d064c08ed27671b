import hashlib
import http.server
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from impasto import Configuration
from impasto_nodes.providers.local import model_file
from impasto_nodes.providers.local.download import download
from impasto_nodes.providers.local.errors import DownloadFailed, ModelMissing
from impasto_nodes.providers.local.model_file import Download, ModelFile, find_model

pytestmark = pytest.mark.anyio
CONTENT = b"GGUF" + bytes(range(256)) * 20_000


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments: object) -> None:
        """Keep the test's output clean."""


class Calm(http.server.ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up early is what one of these tests is about."""


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[str]:
    folder = tmp_path / "hub"
    folder.mkdir()
    (folder / "model.gguf").write_bytes(CONTENT)
    with Calm(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IMPASTO_MODELS_DIR", str(tmp_path / "models"))
    monkeypatch.setenv("IMPASTO_LOCAL_DOWNLOAD", "1")
    monkeypatch.delenv("IMPASTO_LOCAL_MODEL", raising=False)
    monkeypatch.setattr(model_file, "_unreachable", set())


def offer(hub: str, **changed: object) -> Download:
    facts = {
        "name": "Tiny",
        "url": f"{hub}/model.gguf",
        "sha256": hashlib.sha256(CONTENT).hexdigest(),
        "size": len(CONTENT),
    }
    return Download(**(facts | changed))  # type: ignore[arg-type]


async def test_a_model_is_fetched_once_with_progress(hub: str, tmp_path: Path) -> None:
    seen: list[float] = []
    found = await find_model(
        Configuration.load(), lambda fraction, message: seen.append(fraction), offer(hub)
    )
    assert found == ModelFile("Tiny", tmp_path / "models" / "Tiny.gguf")
    assert found.path.read_bytes() == CONTENT
    assert seen[-1] == 1.0
    (tmp_path / "hub" / "model.gguf").unlink()
    assert await find_model(Configuration.load(), None, offer(hub)) == found


async def test_another_hash_is_refused_and_leaves_nothing(hub: str, tmp_path: Path) -> None:
    with pytest.raises(DownloadFailed) as caught:
        await download(
            f"{hub}/model.gguf", tmp_path / "m.gguf", sha256="0" * 64, size=len(CONTENT), title="Tiny"
        )
    assert "SHA-256" in str(caught.value.detail)
    assert [path.name for path in tmp_path.iterdir() if path.name != "hub"] == []


async def test_a_longer_file_is_refused_before_it_fills_the_disk(hub: str, tmp_path: Path) -> None:
    with pytest.raises(DownloadFailed):
        await download(f"{hub}/model.gguf", tmp_path / "m.gguf", sha256="0" * 64, size=1000, title="Tiny")
    assert not (tmp_path / "m.gguf").exists()


async def test_without_a_network_the_packaged_model_serves(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    packaged = ModelFile("Packaged", tmp_path / "p.gguf")
    monkeypatch.setattr(model_file, "packaged_model", lambda: packaged)
    gone = offer("http://127.0.0.1:9")
    assert await find_model(Configuration.load(), None, gone) == packaged
    assert gone.url in model_file._unreachable
    assert await find_model(Configuration.load(), None, gone) == packaged


async def test_downloads_can_be_switched_off(hub: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("IMPASTO_LOCAL_DOWNLOAD", "0")
    monkeypatch.setattr(model_file, "packaged_model", lambda: None)
    with pytest.raises(ModelMissing) as caught:
        await find_model(Configuration.load(), None, offer(hub))
    assert "IMPASTO_LOCAL_MODEL" in caught.value.message


async def test_the_operators_file_comes_first(
    hub: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    own = tmp_path / "own-7b.gguf"
    own.write_bytes(b"GGUF")
    monkeypatch.setenv("IMPASTO_LOCAL_MODEL", str(own))
    assert await find_model(Configuration.load(), None, offer(hub)) == ModelFile("own-7b", own)
    monkeypatch.setenv("IMPASTO_LOCAL_MODEL", str(tmp_path / "nowhere.gguf"))
    with pytest.raises(ModelMissing):
        await find_model(Configuration.load(), None, offer(hub))


def test_the_packaged_model_is_found_without_importing_its_package() -> None:
    found = model_file.packaged_model()
    assert found is not None
    assert found.name == "SmolLM2-135M-Instruct"
    assert found.path.read_bytes()[:4] == b"GGUF"
