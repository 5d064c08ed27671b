"""The folder of models, the memory of this machine, and checksums as the hub states them."""

import hashlib
import os
import sys
from pathlib import Path

import pytest

from impasto import Configuration
from impasto_nodes.providers.local.errors import BadConfiguration
from impasto_nodes.providers.local.model_store import place
from impasto_nodes.providers.local.model_store.checksum import Checksum
from impasto_nodes.providers.local.model_store.place import (
    are_downloads_allowed,
    memory_gb,
    models_folder,
    threads,
)


@pytest.mark.parametrize(
    ("variables", "folder"),
    [
        ({"IMPASTO_MODELS_DIR": "/models", "XDG_CACHE_HOME": "/cache"}, Path("/models")),
        ({"IMPASTO_MODELS_DIR": "~/models"}, Path.home() / "models"),
        ({"XDG_CACHE_HOME": "/cache"}, Path("/cache/impasto/models")),
        ({}, Path.home() / ".cache" / "impasto" / "models"),
    ],
)
def test_models_are_in_the_chosen_folder_else_in_the_cache(
    variables: dict[str, str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    assert models_folder(Configuration(variables)) == folder


def test_cache_of_a_mac_is_in_its_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    found = models_folder(Configuration({"XDG_CACHE_HOME": "/cache"}))
    assert found == Path.home() / "Library" / "Caches" / "impasto" / "models"


@pytest.mark.parametrize(
    ("value", "is_allowed"), [("1", True), ("yes", True), ("0", False), ("False", False), ("NO", False)]
)
def test_downloads_are_allowed_unless_they_are_turned_off(value: str, is_allowed: bool) -> None:
    assert are_downloads_allowed(Configuration({"IMPASTO_LOCAL_DOWNLOAD": value})) is is_allowed
    assert are_downloads_allowed(Configuration({}))


@pytest.mark.parametrize(
    ("text", "gigabytes"), [("500000000\n", 0.5), ("max\n", None), ("9" * 30, None), (None, None)]
)
def test_memory_is_that_of_the_container_where_it_is_less(
    text: str | None, gigabytes: float | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit = tmp_path / "memory.max"
    if text is not None:
        limit.write_text(text)
    monkeypatch.setattr(place, "_CGROUP", limit)
    whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    assert memory_gb() == (whole if gigabytes is None else gigabytes)


@pytest.mark.parametrize(("text", "number"), [("", 0), ("0", 0), ("3", 3)])
def test_threads_are_a_number_or_all(text: str, number: int) -> None:
    assert threads(Configuration({"IMPASTO_LOCAL_THREADS": text})) == number


@pytest.mark.parametrize("text", ["-1", "two", "1.5"])
def test_threads_that_are_no_number_are_refused(text: str) -> None:
    with pytest.raises(BadConfiguration, match="IMPASTO_LOCAL_THREADS must be a whole number from 0"):
        threads(Configuration({"IMPASTO_LOCAL_THREADS": text}))


def test_checksum_is_a_sha256_or_that_of_a_git_blob() -> None:
    digest = Checksum("sha256", "x").start(3)
    digest.update(b"abc")
    assert digest.hexdigest() == hashlib.sha256(b"abc").hexdigest()
    blob = Checksum("git", "x").start(3)
    blob.update(b"abc")
    assert blob.hexdigest() == hashlib.sha1(b"blob 3\0abc", usedforsecurity=False).hexdigest()
    assert (str(Checksum("sha256", "x")), str(Checksum("git", "y"))) == ("SHA-256 x", "git hash y")
