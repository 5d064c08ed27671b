"""What the listing of a launch says: its title, its brand and the words that find it."""

from typing import Any

import pytest

from impasto_server.runs.library.listings import of_launch, title_of
from impasto_server.runs.models import RunRow


def prompt(name: str, text: Any = None, **about: Any) -> dict[str, Any]:
    return {"id": name, "type": "user_prompt", "settings": {"text": text}, **about}


TONE = [{"name": "tone", "value": "calm"}]


@pytest.mark.parametrize(
    ("inputs", "nodes", "variables", "title"),
    [
        ({"a": "Hi"}, [], None, "Hi"),
        ({"a": 3, "b": ["x"], "c": "Hi", "d": "Ho"}, [], None, "Hi"),
        ({"a": " ", "b": "Hi"}, [], None, "Hi"),
        ({"b": "other", "p": "asked"}, [prompt("p", "own")], None, "asked"),
        ({"b": "other"}, [prompt("p", "own")], None, "own"),
        ({"b": "other"}, [prompt("p")], None, "other"),
        ({"b": "other", "p": ""}, [prompt("p", "own"), prompt("q", "second")], None, "own"),
        ({"b": "other"}, [{"id": "p", "type": "user_prompt"}, "damaged"], None, "other"),
        ({}, [{"id": "p", "type": "image", "settings": {"text": "own"}}], None, ""),
        ({}, [prompt("p", "in a {{tone}} {{voice}}")], TONE, "in a calm {{voice}}"),
        ({}, [prompt("p", "in a {{tone}} voice")], None, "in a {{tone}} voice"),
        ({}, [prompt("p", "{{tone}}", variables={"text": "tone"})], TONE, "calm"),
        ({}, [prompt("p", "{{tone}}", variables={"text": "unknown"})], TONE, "{{tone}}"),
        ({"a": "  one\n two\0 "}, [], None, "one two"),
        ({"a": "x" * 200}, [], None, "x" * 200),
        ({"a": "x" * 201}, [], None, "x" * 199 + "…"),
        ({"a": "x" * 198 + " yz"}, [], None, "x" * 198 + "…"),
        ({"a": " " * 799 + "ab"}, [], None, "a"),
    ],
)  # fmt: skip
def test_title_is_the_start_of_the_prompt_else_of_the_first_text(
    inputs: dict[str, Any], nodes: list[Any], variables: Any, title: str
) -> None:
    assert title_of(inputs, {"nodes": nodes, "variables": variables}) == title


def listed(**about: Any) -> Any:
    row = RunRow(id="run", owner_id="mara", flow_name="Poster", document={}, **{"inputs": {}, **about})
    return of_launch(row)


def test_listing_of_a_launch_names_its_brand_and_has_no_results() -> None:
    brands = [{"brand_id": "b1", "name": "Fjell\0"}, {"brand_id": "b2", "name": "Fjord"}]
    found = listed(inputs={"ask": "Hi"}, brands=brands)
    assert (found.run_id, found.owner_id, found.title, found.excerpt) == ("run", "mara", "Hi", "")
    assert (found.brand_id, found.brand_name, found.asset_ids, found.assets) == ("b1", "Fjell", [], 0)
    plain = listed()
    assert (plain.brand_id, plain.brand_name) == (None, None)


def test_run_is_found_by_the_texts_of_its_inputs_but_not_by_the_names_of_its_files() -> None:
    image = {"$type": "Image", "name": "hidden"}
    inputs = {"a": ["one", image, {"$type": "Json", "deep": [" ", {"x": "two"}]}], "b": 3}
    found = listed(inputs=inputs, brands=[{"brand_id": "b1", "name": "Fjell"}]).words
    assert all(word in found.lower() for word in ("poster", "fjell", "one", "two"))
    assert "hidden" not in found
    assert "json" not in found.lower()


def test_the_first_8000_characters_find_a_run() -> None:
    found = listed(inputs={"a": 1, "b": ["y" * 7993, "zq"]}).words.lower()
    assert "zq" not in found, "title and name of the agent are before them"
    long = listed(inputs={"b": ["y" * 7000, "zq"]}).words.lower()
    assert "zq" in long
