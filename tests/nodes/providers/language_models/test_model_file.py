from pathlib import Path

import pytest

from impasto import Configuration
from impasto_nodes.providers.local.errors import ModelMissing
from impasto_nodes.providers.local.language_models import model_file
from impasto_nodes.providers.local.language_models.families import FAMILIES, family_of
from impasto_nodes.providers.local.language_models.model_file import ModelFile, find_model, writes_by_itself
from impasto_nodes.providers.local.language_models.offers import offers


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "models"
    folder.mkdir()
    return folder


def configured(folder: Path, **more: str) -> Configuration:
    return Configuration({"IMPASTO_MODELS_DIR": str(folder), **more})


def test_operators_file_comes_first(folder: Path, tmp_path: Path) -> None:
    own = tmp_path / "own-7b.gguf"
    own.write_bytes(b"GGUF")
    (folder / "large.gguf").write_bytes(b"GGUF" * 10)
    chosen = configured(folder, IMPASTO_LOCAL_MODEL=str(own))
    assert find_model(chosen) == ModelFile("own-7b", own)
    with pytest.raises(ModelMissing):
        find_model(configured(folder, IMPASTO_LOCAL_MODEL=str(tmp_path / "gone.gguf")))


def test_downloaded_model_is_chosen_by_name_else_by_size(folder: Path) -> None:
    (folder / "small.gguf").write_bytes(b"GGUF")
    (folder / "large.gguf").write_bytes(b"GGUF" * 10)
    (folder / "half.gguf.part").write_bytes(b"GGUF" * 100)
    assert find_model(configured(folder)) == ModelFile("large", folder / "large.gguf")
    named = find_model(configured(folder, IMPASTO_LOCAL_MODEL="Small"))
    assert named == ModelFile("small", folder / "small.gguf")


def test_packaged_model_serves_without_a_download(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = find_model(configured(folder))
    assert found.name == "SmolLM2-135M-Instruct"
    assert found.path.read_bytes()[:4] == b"GGUF"
    assert not found.family.follows_instructions
    monkeypatch.setattr(model_file, "packaged_model", lambda: None)
    with pytest.raises(ModelMissing) as caught:
        find_model(configured(folder))
    assert "impasto models pull" in caught.value.message


@pytest.mark.parametrize(
    ("name", "is_capable"), [("qwen2.5-1.5b", True), ("smollm2-135m", False), (None, False)]
)
def test_machine_writes_by_itself_with_a_model_that_follows_instructions(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str | None, is_capable: bool
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("IMPASTO_MODELS_DIR", str(folder))
    monkeypatch.delenv("IMPASTO_LOCAL_MODEL", raising=False)
    monkeypatch.setattr(model_file, "packaged_model", lambda: None)
    if name:
        (folder / f"{name}.gguf").write_bytes(b"GGUF")
    assert writes_by_itself() is is_capable


def test_family_is_that_of_the_name_and_never_of_the_size() -> None:
    assert family_of("Qwen3-8B-Q4_K_M").template == {"enable_thinking": False}
    assert family_of("Meta-Llama-3.1-8B-Instruct").id == "llama3"
    assert not family_of("Mistral-7B-Instruct-v0.3").takes_system
    assert family_of("SmolLM2-1.7B-Instruct").follows_instructions
    assert family_of("something new").id == "general"
    assert {family_of(offer.name).id for offer in offers()} <= {family.id for family in FAMILIES}
    assert all(family_of(offer.name).id != "general" for offer in offers())
