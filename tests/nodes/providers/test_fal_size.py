"""By how much a size that was asked for makes a request to fal dearer."""

from typing import Any

import pytest

from impasto_nodes.providers.fal.inputs import NAMES
from impasto_nodes.providers.fal.size import size_factor
from impasto_nodes.providers.jobs.inputs import Inputs

INPUTS = Inputs(
    "fal", "model", NAMES, {"properties": {"resolution": {"default": "720p"}, "image_size": {}}}, {}
)


@pytest.mark.parametrize(
    ("arguments", "factor"),
    [
        ({}, 1),
        ({"resolution": "720p"}, 1),
        ({"resolution": "480p"}, 1),
        ({"resolution": "1440p"}, 4),
        ({"resolution": "4K"}, 9),
        ({"resolution": "1.5k"}, (1.5 * 540 / 720) ** 2),
        ({"image_size": {"width": 1024, "height": 1024}}, 1),
        ({"image_size": {"width": 2048, "height": 1025}}, 3),
    ],
)
def test_a_request_costs_by_its_pixels(arguments: dict[str, Any], factor: float) -> None:
    assert size_factor(INPUTS, arguments) == pytest.approx(factor)


@pytest.mark.parametrize(
    "arguments",
    [
        {"resolution": "1.2.3k"},
        {"resolution": "...k"},
        {"resolution": "9" * 400 + "p"},
        {"resolution": {"width": 4}},
        {"image_size": {"width": "wide", "height": 4}},
        {"image_size": {"width": float("nan"), "height": 4}},
    ],
)
def test_a_size_that_is_none_costs_no_more(arguments: dict[str, Any]) -> None:
    assert size_factor(INPUTS, arguments) == 1


@pytest.mark.parametrize("side", [1e308, float("inf"), 10**400])
def test_an_absurd_size_has_a_finite_price(side: float) -> None:
    assert size_factor(INPUTS, {"image_size": {"width": side, "height": side}}) == pytest.approx(9537)
