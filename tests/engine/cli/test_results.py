"""The files that a run from the command line writes: one for each text and asset, and results.json."""

import io
import json

import pytest
from rich.console import Console

from impasto import Audio, Context, File, Image, Json, Text, node
from impasto.cli.run_view import run_flow
from impasto.testing import plan_of

pytestmark = pytest.mark.anyio


@node
async def word(*, text: str = "ink") -> Text:
    return text


@node
async def words() -> list[Text]:
    return ["one", "two"]


@node
async def data() -> Json:
    return {"sizes": [1, 2]}


@node
async def large() -> Json:
    return {"number": 2**70, "text": "Größe"}


@node
async def image(*, context: Context) -> Image:
    return await context.store(b"png", "image/png", name="cup.jpeg")


@node
async def audio(*, context: Context) -> Audio:
    return await context.store(b"flac", "audio/x-flac", name="loop.flac")


@node
async def table(*, context: Context) -> File:
    return await context.store(b"{}", "application/json")


@node
async def blob(*, context: Context) -> File:
    return await context.store(b"blob", "application/x-unknown")


TYPES = [large, word, words, data, image, audio, table, blob]


async def written(tmp_path, nodes):
    """Run the nodes and return the content of the files by name, and results.json."""
    console = Console(file=io.StringIO(), width=200, record=True)
    folder = tmp_path / "deep" / "out"
    assert await run_flow(plan_of(TYPES, nodes), None, [], folder, None, console)
    summary = json.loads((folder / "results.json").read_text())
    files = {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "results.json"}
    printed = console.export_text().splitlines()
    assert {line.strip() for line in printed if line.startswith("  ")} == {
        str(folder / name) for name in [*files, "results.json"]
    }
    return files, summary


async def test_each_text_and_asset_has_a_file_named_after_its_result_and_type(tmp_path):
    nodes = {"a": "word", "b": "words", "c": "data", "d": "image", "e": "audio", "f": "blob"}
    files, summary = await written(tmp_path, nodes)
    assert files == {
        "a.txt": b"ink",
        "b-1.txt": b"one",
        "b-2.txt": b"two",
        "d.png": b"png",
        "e.flac": b"flac",
        "f.bin": b"blob",
    }
    assert summary["status"] == "finished"
    assert summary["results"] == {
        "a.output": "ink",
        "b.output": ["one", "two"],
        "c.output": {"sizes": [1, 2]},
        "d.output": "d.png",
        "e.output": "e.flac",
        "f.output": "f.bin",
    }


async def test_summary_is_indented_json_with_exact_numbers(tmp_path):
    _, summary = await written(tmp_path, {"a": "large"})
    assert (tmp_path / "deep" / "out" / "results.json").read_text("utf-8") == (
        f"""{{
  "run_id": "{summary["run_id"]}",
  "status": "finished",
  "cost_usd": 0.0,
  "results": {{
    "a.output": {{
      "number": 1180591620717411303424,
      "text": "Größe"
    }}
  }}
}}"""
    )


async def test_results_whose_names_differ_in_case_or_in_forbidden_letters_have_files_of_their_own(tmp_path):
    names = ("Ad", "ad", "a:d", "a?d", "caf\u00e9", "cafe\u0301")
    files, _ = await written(
        tmp_path, {name: ("word", {"text": str(index)}) for index, name in enumerate(names)}
    )
    assert files == {
        "Ad.txt": b"0",
        "ad (2).txt": b"1",
        "a-d.txt": b"2",
        "a-d (2).txt": b"3",
        "caf\u00e9.txt": b"4",
        "cafe\u0301 (2).txt": b"5",  # some file systems have one file for both
    }


async def test_a_long_name_is_shortened_to_what_file_systems_allow(tmp_path):
    name = "ü" * 200
    files, _ = await written(tmp_path, {name: "word"})
    (file,) = files
    assert file.endswith("ü.txt")
    assert 100 < len(file.encode()) <= 255


async def test_no_result_has_the_file_of_another_one_or_of_the_summary(tmp_path):
    nodes = {"b-1": "word", "b": "words", "B-2": ("word", {"text": "two"}), "results": "table"}
    files, summary = await written(tmp_path, nodes)
    assert files == {
        "b-1.txt": b"ink",
        "b-1 (2).txt": b"one",
        "b-2.txt": b"two",
        "B-2 (2).txt": b"two",
        "results (2).json": b"{}",
    }
    assert summary["results"]["results.output"] == "results (2).json"
