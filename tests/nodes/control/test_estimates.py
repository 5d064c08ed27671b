"""Estimates of steps that run once per item of a list made on the way."""

import pytest

from impasto import Catalog, Image, Text, compile, node
from impasto.testing import flow_of
from impasto_nodes.control import collect
from impasto_nodes.transform.resize_crop import resize_crop


@node(cost=lambda settings, inputs: {"usd": 0.3, "items": 3})
async def draw() -> list[Image]: ...


@node(cost=0.1)
async def animate(image: Image) -> Text: ...


@pytest.mark.parametrize(
    ("edges", "calls"),
    [
        ([("draw.output", "animate.image")], 3),
        (
            [
                ("draw.output", "collect.items"),
                ("more.output", "collect.items"),
                ("collect.output", "animate.image"),
            ],
            6,
        ),
        ([("draw.output", "sizes.image"), ("sizes.output", "animate.image")], 9),
    ],
)
def test_paid_step_is_estimated_once_per_item(edges, calls):
    nodes = {
        "draw": "draw", "more": "draw", "collect": "collect", "animate": "animate",
        "sizes": ("resize_crop", {"sizes": "Instagram"}),
    }  # fmt: skip
    edges = [*edges, *([] if calls == 9 else [("draw.output", "sizes.image")])]
    plan = compile(flow_of(nodes, edges), Catalog([draw, animate, collect, resize_crop]))
    assert plan.step_estimates()["animate"]["usd"] == pytest.approx(0.1 * calls)
