"""The worker that draws images: near copies of neighbours, and the same image again from its report."""

from pathlib import Path
from typing import Any

import pytest
from tests.fakes.media import png

from impasto_nodes.media.probe import probe
from impasto_nodes.providers.local import image_renderer
from impasto_nodes.providers.local.image_renderer import RenderRequest, render_image, size_of
from impasto_nodes.providers.local.image_renderer import render as renderer
from impasto_nodes.providers.local.workers.render import render, render_video

PROMPT = "A podcast about cities at night"


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw a sixteenth of the area."""
    for module in (image_renderer, renderer):
        monkeypatch.setattr(module, "size_of", lambda ratio: tuple(length // 4 for length in size_of(ratio)))


@pytest.fixture
def draw(tmp_path: Path) -> Any:
    """Draw an image of a small task; return what the worker reports, and the file."""

    def one(**task: Any) -> tuple[dict[str, Any], Path]:
        out = tmp_path / f"{len(list(tmp_path.iterdir()))}.png"
        defaults: dict[str, Any] = {
            "index": 0,
            "image": None,
            "beside": [],
            "stride": 1,
            "palette": [],
            "fonts": [],
        }
        found = render({"prompt": PROMPT, "seed": 1, **defaults, **task, "out": str(out)}, lambda *_: None)
        return found, out

    return one


@pytest.mark.usefixtures("small")
def test_image_is_no_near_copy_of_its_neighbor(draw: Any) -> None:
    _, neighbor = draw(seed=3)
    alike, _ = draw(seed=1)
    other, _ = draw(seed=1, beside=[str(neighbor)])
    assert alike["style"] == "riso"
    assert other["style"] != "riso"


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw 64 by 64 pixels."""
    for module in (image_renderer, renderer):
        monkeypatch.setattr(module, "size_of", lambda ratio: (64, 64))


@pytest.mark.usefixtures("tiny")
def test_image_that_differs_most_from_its_neighbors_is_taken(draw: Any) -> None:
    """Of its own position and the next three, each of which is the stride further."""
    drawn = [draw(index=position, style="aura") for position in (1, 3, 5, 7)]
    neighbors = [str(out) for _, out in drawn]
    found, out = draw(index=1, stride=2, style="aura", beside=neighbors[:3])
    assert found == drawn[3][0]
    assert (found["position"], out.read_bytes()) == (7, drawn[3][1].read_bytes())
    same, out = draw(index=1, stride=2, style="aura", beside=neighbors)
    assert (same["position"], out.read_bytes()) == (1, drawn[0][1].read_bytes())
    second, _ = draw(index=1, stride=2, style="aura", beside=[neighbors[0], *neighbors[2:]])
    assert second == drawn[1][0]


@pytest.mark.usefixtures("tiny", "system_fonts")
def test_size_words_and_letters_without_a_font_are_reported(draw: Any) -> None:
    found, _ = draw(index=2, style="aura", headline="Listen ភា", line="At night")
    assert found == {
        "width": 64,
        "height": 64,
        "style": "aura",
        "headline": "",
        "line": "",
        "position": 2,
        "undrawn": "ភ",
    }


@pytest.mark.usefixtures("small")
def test_image_is_drawn_again_from_what_is_reported_of_it(draw: Any) -> None:
    found, out = draw(index=2)
    facts = {name: found[name] for name in ("style", "headline", "line")}
    same = RenderRequest(PROMPT, seed=1, **facts)
    assert render_image(same, found["position"]) == out.read_bytes()


def test_words_are_replaced_and_the_format_changes_without_the_style(draw: Any) -> None:
    before, _ = draw(index=2)
    facts = {"style": before["style"], "headline": "Listen at night", "line": "Start with episode 1"}
    after, _ = draw(index=before["position"], aspect_ratio="16:9", **facts)
    assert {name: after[name] for name in facts} == facts
    assert (after["width"], after["height"]) == (1536, 864)


def test_clip_is_made_of_the_files_of_its_task(tmp_path: Path) -> None:
    (tmp_path / "source").write_bytes(png(64, 36))
    reports: list[tuple[float, str]] = []
    task = {
        "out": str(tmp_path / "clip.mp4"),
        "images": [str(tmp_path / "source")],
        "duration": 0.5,
        "aspect_ratio": "16:9",
        "seed": 1,
        "prompt": PROMPT,
        "palette": ["#de8b3a"],
        "brand_name": "",
        "fonts": ["Own"],
        "font_files": [],
        "height": 36,
        "fps": 4,
    }
    assert render_video(task, lambda fraction, message: reports.append((fraction, message))) == {}
    assert reports == [(0.0, ""), (0.475, ""), (0.95, ""), (1.0, "")]
    found = probe(tmp_path / "clip.mp4")
    assert (found.width, found.height, found.has_video) == (64, 36, True)
