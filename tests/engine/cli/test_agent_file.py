"""Files that the command line runs: a flow document, or the zip of an exported agent with its assets."""

import json
import zipfile
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from impasto import Flow, FlowInvalid, MemoryStore
from impasto.cli.agent_file import AgentFile, load_agent
from impasto.document.archive import ArchivedBrand, ArchivedFile, MissingPart, dump_manifest

pytestmark = pytest.mark.anyio
CUP, LID = b"a cup", b"a lid"


def archived(name: str, asset_id: str, data: bytes) -> ArchivedFile:
    return ArchivedFile(f"assets/{name}", asset_id, name, "image/png", len(data), sha256(data).hexdigest())


def exported(
    folder: Path, settings: dict[str, Any], *missing: MissingPart, brands: Iterable[ArchivedBrand] = ()
) -> Path:
    """Write the zip of an agent with two images and a node with these settings."""
    files = [archived("cup.png", "c1", CUP), archived("lid.png", "l1", LID)]
    path = folder / "agent.zip"
    with zipfile.ZipFile(path, "w") as archive:
        node = {"id": "a", "type": "say", "settings": settings}
        archive.writestr("flow.json", json.dumps({"name": "Tea", "nodes": [node]}))
        archive.writestr("manifest.json", dump_manifest(files, missing, brands))
        archive.writestr("assets/cup.png", CUP)
        archive.writestr("assets/lid.png", LID)
    return path


async def test_assets_of_an_exported_agent_are_those_of_its_document(tmp_path: Path) -> None:
    cup, lid = sha256(CUP).hexdigest(), sha256(LID).hexdigest()
    settings = {
        "image": {"$type": "Image", "asset_id": "c1"},
        "deep": [{"list": [{"asset_id": "l1", "inner": {"asset_id": "c1"}}, {"asset_id": "other"}]}],
        "odd": {"asset_id": 5},
        "text": "c1",
    }
    agent = load_agent(exported(tmp_path, settings), tmp_path)
    assert agent.flow.name == "Tea"
    assert agent.flow.nodes[0].settings == {
        "image": {"$type": "Image", "asset_id": cup},
        "deep": [{"list": [{"asset_id": lid, "inner": {"asset_id": cup}}, {"asset_id": "other"}]}],
        "odd": {"asset_id": 5},
        "text": "c1",
    }
    assert [(path.read_bytes(), file.name) for path, file in agent.files] == [
        (CUP, "cup.png"),
        (LID, "lid.png"),
    ]
    store = MemoryStore()
    await agent.store_files(store)
    assert store.assets == {cup: CUP, lid: LID}
    assert agent.warnings() == []


async def test_each_part_that_was_not_exported_is_named(tmp_path: Path) -> None:
    parts = [MissingPart("brand", "b1", "Lu\u202emo"), MissingPart("file", "f1", "")]
    assert load_agent(exported(tmp_path, {}, *parts), tmp_path).warnings() == [
        "The brand 'Lu?mo' was not exported with this agent.",
        "The file 'f1' was not exported with this agent.",
    ]


async def test_saved_brands_that_a_run_goes_without_are_named(tmp_path: Path) -> None:
    settings = {"brand": {"$type": "Brand", "saved": "b1"}}
    brands = [ArchivedBrand("b1", "Lu\u202emo", {"name": "Lumo"})]
    missing = MissingPart("file", "f1", "cup.png")
    agent = load_agent(exported(tmp_path, settings, missing, brands=brands), tmp_path)
    assert agent.warnings() == [
        "The file 'cup.png' was not exported with this agent.",
        "The saved brand 'Lu?mo' is not used here: only a server that imports this agent has it.",
    ]
    assert agent.flow.nodes[0].settings == settings


async def test_flow_document_has_no_files(tmp_path: Path) -> None:
    flow = Flow.parse({"nodes": [{"id": "a", "type": "say"}]})
    flow.dump(tmp_path / "flow.json")
    assert load_agent(tmp_path / "flow.json", tmp_path) == AgentFile(flow=flow)
    (tmp_path / "flow.json").write_text("PK")
    with pytest.raises(FlowInvalid):
        load_agent(tmp_path / "flow.json", tmp_path)
