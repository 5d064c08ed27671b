import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from impasto_nodes.providers.known import NEED_ADDRESS, PROVIDERS, providers_of
from impasto_nodes.providers.models import (
    MODELS,
    default_model,
    model_options,
    nearest_ratio,
    provider_choices,
)
from impasto_nodes.providers.validation import problems_with


def test_every_kind_has_a_default_for_each_of_its_providers() -> None:
    for kind in ("text", "image", "video", "speech", "captions"):
        for provider in set(providers_of(kind)) - NEED_ADDRESS:
            assert default_model(kind, provider), (kind, provider)
        assert provider_choices(kind)[0] == "auto"


def test_every_model_belongs_to_a_provider_that_makes_its_kind() -> None:
    for model in MODELS:
        assert model.kind in PROVIDERS[model.provider].makes


def test_options_can_be_searched() -> None:
    assert {option["provider"] for option in model_options("image", "flux")} == {"replicate"}
    assert model_options("text", "anthropic")[0]["group"] == "Anthropic"


@pytest.mark.parametrize(
    ("size", "ratio"),
    [((1000, 1000), "1:1"), ((1920, 1080), "16:9"), ((1080, 1920), "9:16"), ((None, None), "1:1")],
)
def test_the_nearest_shape(size: tuple[int | None, int | None], ratio: str) -> None:
    assert nearest_ratio(*size, ()) == ratio
    assert nearest_ratio(1920, 1080, ("1:1", "3:2")) == "3:2"


def test_a_missing_key_is_said_before_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    (problem,) = problems_with("text", {"provider": "openai"}, frozenset())
    assert problem["code"] == "missing_credential"
    assert "OPENAI_API_KEY" in problem["hint"]
    assert "Provider keys" in problem["hint"]
    assert not list(problems_with("text", {"provider": "openai"}, frozenset({"openai"})))
    assert not list(problems_with("text", {"provider": "openai"}, None))
    assert not list(problems_with("text", {"provider": "auto"}, frozenset()))
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    assert not list(problems_with("text", {"provider": "openai"}, frozenset()))


def test_a_shape_or_length_the_model_lacks_is_said_before_the_run() -> None:
    settings = {"provider": "replicate", "model": "kwaivgi/kling-v2.1", "duration": 7, "aspect_ratio": "21:9"}
    problems = list(problems_with("video", settings, None))
    assert [problem["code"] for problem in problems] == ["unsupported_ratio", "unsupported_duration"]
    assert "5, 10" in problems[1]["hint"]


def test_captions_without_any_provider_say_which_to_add(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "GROQ_API_KEY", "ELEVENLABS_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    (problem,) = problems_with("captions", {"provider": "auto"}, frozenset())
    assert problem["code"] == "missing_credential"


def list_price(listed: dict[str, object], kind: str) -> float:
    """What litellm's own list says, in our units; 0 where it counts otherwise."""
    if kind == "text":
        return float(listed["output_cost_per_token"]) * 1000
    if kind == "captions":
        return float(listed["input_cost_per_second"]) * 60
    return float(listed.get("output_cost_per_image") or 0)


def test_prices_and_sight_are_those_of_the_list_that_charges_are_made_by() -> None:
    home = Path(str(find_spec("litellm").origin)).parent  # importing it all takes seconds
    prices = json.loads((home / "model_prices_and_context_window_backup.json").read_text())
    held = [model for model in MODELS if model.provider not in {"replicate", "local", "openrouter"}]
    for model in held:
        if model.kind == "speech":
            continue
        listed = prices.get(f"{model.provider}/{model.name}") or prices.get(model.name)
        assert listed, f"{model.name} is gone from the list"
        price = list_price(listed, model.kind)
        assert not price or model.usd == pytest.approx(price, rel=0.02), model.name
        if model.kind == "text":
            assert bool(listed.get("supports_vision")) is model.takes_picture, model.name
            assert listed.get("supports_response_schema"), model.name
