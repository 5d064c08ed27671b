"""Installed providers, their order, and the models that they list."""

import json
from datetime import date
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.running import options_of
from tests.nodes.providers.own_providers import Install, unused

from impasto import Catalog, Configuration
from impasto_nodes.providers.models import Model
from impasto_nodes.providers.protocols import KINDS
from impasto_nodes.providers.registry import (
    default_model,
    duration_options,
    either,
    find_model,
    listed,
    makes_length,
    model_option,
    nearest_ratio,
    provider_choices,
    provider_title,
    providers_listing,
    replacement_of,
    specs,
    specs_of,
    titles_of,
)
from impasto_nodes.providers.spec import CredentialField, ProviderSpec
from impasto_nodes.providers.validation import expected_model, expected_provider, problems_with


def test_every_kind_has_a_default_model_for_each_of_its_providers() -> None:
    for kind in KINDS:
        for spec in specs_of(kind):
            assert default_model(kind, spec.id) or spec.address == "required", (kind, spec.id)
        assert provider_choices(kind)[0] == "auto"


def test_every_model_is_of_a_kind_that_its_provider_makes() -> None:
    for spec in specs().values():
        assert {model.kind for model in spec.models} <= set(spec.kinds), spec.id


def test_auto_tries_this_machine_last() -> None:
    assert [spec.id for spec in specs_of("image")] == ["openai", "gemini", "replicate", "fal", "local"]
    assert [spec.id for spec in specs_of("speech")] == ["elevenlabs", "openai", "gemini", "local"]
    assert [spec.id for spec in specs_of("captions")] == ["openai", "groq", "elevenlabs", "local"]


def test_the_default_for_editing_may_differ_from_the_default_for_generating() -> None:
    assert default_model("image", "replicate") == "black-forest-labs/flux-1.1-pro"
    assert default_model("image", "replicate", editing=True) == "black-forest-labs/flux-kontext-pro"
    assert default_model("image", "openai", editing=True) == "gpt-image-2"
    assert default_model("image", "fal", editing=True, masked=True) == "fal-ai/flux-pro/v1/fill"
    assert default_model("image", "gemini", editing=True, masked=True) == default_model("image", "gemini")


def test_the_estimate_of_an_edit_is_that_of_the_model_that_edits() -> None:
    node_type = Catalog.discover()["image_edit"]

    def usd(**settings: object) -> float:
        return float(node_type.cost({"provider": "fal", **settings}, {}, frozenset({"fal"}))["usd"])

    assert usd() == pytest.approx(0.04)
    assert usd(mask={"$type": "Mask", "image": {"$type": "Image", "asset_id": "a"}}) == pytest.approx(0.05)
    assert usd(mask=None) == pytest.approx(0.04)


def test_a_provider_that_is_not_installed_is_called_by_its_id() -> None:
    assert provider_title("openai") == "OpenAI"
    assert provider_title("gone") == "gone"


@pytest.mark.anyio
async def test_a_model_says_whether_it_takes_a_mask() -> None:
    found = await options_of("image_edit", "model", "", key=None)
    details = {option["value"]: option.get("detail") for option in found}
    assert details["fal-ai/flux-pro/v1/fill"] == "fal, $0.05 per image, takes a mask"
    assert details["fal-ai/flux-pro/kontext"] == "fal, $0.04 per image"


@pytest.mark.anyio
async def test_options_can_be_searched_by_model_and_provider() -> None:
    found = await options_of("image_generation", "model", "flux", key=None)
    assert {option["provider"] for option in found} == {"replicate", "fal"}
    assert (await options_of("language_model", "model", "anthropic", key=None))[0]["group"] == "Anthropic"


@pytest.mark.parametrize(
    ("provider", "variables", "is_configured"),
    [
        ("openai", {}, False),
        ("openai", {"OPENAI_API_KEY": "k"}, True),
        ("openai", {"OPENAI_API_KEY": " "}, False),
        ("local", {}, True),
        ("ollama", {}, False),
        ("ollama", {"IMPASTO_OLLAMA_BASE_URL": "http://localhost:11434"}, True),
        ("openai_compatible", {"OPENAI_COMPATIBLE_API_KEY": "k"}, False),
        ("openai_compatible", {"IMPASTO_OPENAI_COMPATIBLE_BASE_URL": "http://localhost/v1"}, True),
    ],
)
def test_a_provider_is_configured_by_its_required_variables(
    provider: str, variables: dict[str, str], is_configured: bool
) -> None:
    assert specs()[provider].is_configured(Configuration(variables)) is is_configured


def test_help_of_a_variable_says_what_it_is() -> None:
    secret = CredentialField(variable="ACME_SECRET", name="secret")
    credentials = (CredentialField(variable="ACME_KEY"), secret)
    spec = ProviderSpec(id="acme", title="Acme", credentials=credentials, address="required")
    key, other, address = (one.help for one in spec.variables)
    assert key.startswith("Key of Acme for every user; a key that a user stores")
    assert other == "Credential 'secret' of Acme, for every user."
    assert address == "Acme: address of the server; may be in a private network."


def test_every_variable_of_a_provider_is_listed() -> None:
    names = {variable.name for spec in specs().values() for variable in spec.variables}
    assert {
        "OPENAI_API_KEY",
        "GROQ_API_KEY",
        "OPENROUTER_API_KEY",
        "OPENAI_COMPATIBLE_API_KEY",
        "REPLICATE_API_TOKEN",
        "FAL_KEY",
        "IMPASTO_OPENAI_BASE_URL",
        "IMPASTO_OLLAMA_BASE_URL",
        "IMPASTO_LOCAL_THREADS",
        "IMPASTO_LOCAL_DOWNLOAD",
        "IMPASTO_LOCAL_MODEL",
        "IMPASTO_MODEL_HUB",
        "IMPASTO_MODELS_DIR",
    } <= names
    assert all(variable.help for spec in specs().values() for variable in spec.variables)


@pytest.mark.parametrize(
    ("size", "ratio"),
    [((1000, 1000), "1:1"), ((1920, 1080), "16:9"), ((1080, 1920), "9:16"), ((None, None), "1:1")],
)
def test_nearest_ratio_is_chosen(size: tuple[int | None, int | None], ratio: str) -> None:
    assert nearest_ratio(*size, ()) == ratio
    assert nearest_ratio(1920, 1080, ("1:1", "3:2")) == "3:2"


def test_a_missing_key_is_reported_before_the_run() -> None:
    (problem,) = problems_with("text", {"provider": "openai"}, frozenset())
    assert problem["code"] == "missing_credential"
    assert "OPENAI_API_KEY" in problem["hint"]
    assert "Provider keys" in problem["hint"]
    assert not list(problems_with("text", {"provider": "openai"}, frozenset({"openai"})))
    assert not list(problems_with("text", {"provider": "openai"}, None))
    assert not list(problems_with("text", {"provider": "auto"}, frozenset()))


def test_an_estimate_uses_the_model_of_the_best_configured_provider() -> None:
    assert expected_model("text", {}, frozenset()) == find_model("text", "local", "small")
    assert expected_model("text", {}, frozenset({"mistral", "groq"})) == find_model(
        "text", "mistral", "mistral-large-latest"
    )
    named = expected_model("text", {"model": "gpt-4o-mini"}, frozenset())
    assert named == find_model("text", "openai", "gpt-4o-mini")
    assert expected_model("text", {"provider": "openai", "model": "unlisted"}, frozenset()) is None


def test_a_shape_or_length_the_model_lacks_is_said_before_the_run() -> None:
    settings = {"provider": "replicate", "model": "kwaivgi/kling-v2.1", "duration": 7, "aspect_ratio": "21:9"}
    problems = list(problems_with("video", settings, None))
    assert [problem["code"] for problem in problems] == ["unsupported_ratio", "unsupported_duration"]
    assert "5, 10" in problems[1]["hint"]


def test_music_without_any_provider_says_which_to_add() -> None:
    (problem,) = problems_with("music", {"provider": "auto"}, frozenset())
    assert problem["code"] == "missing_credential"
    assert problem["message"].startswith("ElevenLabs ")


def list_price(listed: dict[str, object], kind: str) -> float:
    """What litellm's own list says, in our units; 0 where it counts otherwise."""
    if kind == "text":
        return float(listed["output_cost_per_token"]) * 1000
    if kind == "captions":
        return float(listed["input_cost_per_second"]) * 60
    return float(listed.get("output_cost_per_image") or 0)


def test_prices_and_image_inputs_agree_with_litellms_price_list() -> None:
    home = Path(str(find_spec("litellm").origin)).parent  # importing it all takes seconds
    prices = json.loads((home / "model_prices_and_context_window_backup.json").read_text())
    by_hand = {"replicate", "fal", "local", "minimax", "openrouter"}
    models = [(spec, model) for spec in specs().values() if spec.id not in by_hand for model in spec.models]
    for spec, model in models:
        if model.kind in {"speech", "dialogue", "music", "sound_effects"}:
            continue
        if (spec.id, model.kind) == ("xai", "video"):  # litellm lists none
            continue
        listed = prices.get(f"{spec.id}/{model.name}") or prices.get(model.name)
        assert listed, f"{model.name} is gone from the list"
        price = list_price(listed, model.kind)
        assert not price or model.price_usd == pytest.approx(price, rel=0.02), model.name
        if model.kind == "text":
            assert bool(listed.get("supports_vision")) is model.takes_image, model.name
            assert listed.get("supports_response_schema"), model.name


def test_auto_passes_over_a_provider_that_does_not_make_the_length() -> None:
    configured = frozenset({"gemini", "replicate"})
    assert expected_provider("video", {"duration": 8}, configured) == "gemini"
    assert expected_provider("video", {"duration": 5}, configured) == "replicate"
    assert expected_provider("video", {"duration": 5}, frozenset({"gemini"})) == "local"


def test_model_that_two_providers_list_goes_to_the_one_with_a_key() -> None:
    settings = {"model": "gpt-5-mini"}
    assert expected_provider("text", settings, frozenset({"azure"})) == "azure"
    assert expected_provider("text", settings, frozenset({"openai", "azure"})) == "openai"
    assert expected_provider("text", settings, frozenset()) == "openai"
    assert not list(problems_with("text", settings, frozenset({"azure"})))


# -- providers and models of the tests' own ----------------------------------------------------


def spec(name: str, rank: int, *models: Model, **facts: Any) -> ProviderSpec:
    return ProviderSpec(id=name, title=name.title(), rank=rank, models=models, **facts)


def video(name: str, *seconds: float, **facts: Any) -> Model:
    return Model(kind="video", name=name, title=name.title(), durations=seconds, **facts)


def gone(name: str, replaced_by: str = "") -> Model:
    return video(name, 99, retires_on=date(2020, 1, 1), replaced_by=replaced_by)


def test_rank_of_a_kind_comes_before_the_rank_of_a_provider(install_only: Install) -> None:
    install_only(
        spec("a", 1, text=unused, video=unused, kind_ranks={"video": 9}),
        spec("b", 5, text=unused, video=unused),
        spec("c", 7, text=unused),
    )
    assert [each.id for each in specs_of("text")] == ["a", "b", "c"]
    assert [each.id for each in specs_of("video")] == ["b", "a"]
    assert provider_choices("video") == ["auto", "b", "a"]
    assert titles_of("text") == "A, B or C"


@pytest.mark.parametrize(
    ("values", "any_of", "all_of"),
    [
        ([], "", ""),
        (["a"], "a", "a"),
        (["a", "b"], "a or b", "a and b"),
        (["a", "b", "c"], "a, b or c", "a, b and c"),
    ],
)
def test_values_are_joined_as_a_phrase(values: list[str], any_of: str, all_of: str) -> None:
    assert (either(values), listed(values)) == (any_of, all_of)


def test_model_is_found_by_kind_and_name_at_its_provider(install_only: Install) -> None:
    own = video("x")
    install_only(spec("a", 1, own, Model(kind="text", name="x", title="X"), video=unused))
    assert find_model("video", "a", "x") is own
    assert find_model("video", "a", "y") is None
    assert find_model("text", "a", "x") is None
    assert find_model("video", "not installed", "x") is None


def test_default_is_the_first_model_that_is_served(install_only: Install) -> None:
    install_only(spec("a", 1, gone("old"), video("x"), video("y"), video=unused), spec("b", 2, video=unused))
    assert default_model("video", "a") == "x"
    assert default_model("video", "b") == ""


@pytest.mark.parametrize(
    ("provider", "seconds", "is_made"),
    [("a", 5, True), ("a", 6, False), ("a", None, True), ("b", 6, True), ("c", 6, True)],
)
def test_length_is_made_unless_the_default_model_lacks_it(
    install_only: Install, provider: str, seconds: float | None, is_made: bool
) -> None:
    install_only(
        spec("a", 1, video("x", 5), video("y", 6), video=unused),
        spec("b", 2, video("any"), video=unused),
        spec("c", 3, video=unused),
    )
    assert makes_length("video", provider, seconds) is is_made


@pytest.mark.parametrize(
    ("name", "replacement"),
    [("new", None), ("unlisted", None), ("old", "new"), ("older", "new"), ("lost", "x")],
)
def test_model_that_is_gone_is_replaced_by_one_that_is_served(
    install_only: Install, name: str, replacement: str | None
) -> None:
    models = [video("x"), video("new"), gone("old", "new"), gone("older", "old"), gone("lost")]
    install_only(spec("a", 1, *models, video=unused))
    found = replacement_of("video", "a", name)
    assert (found.name if found else None) == replacement


@pytest.mark.parametrize(
    ("models", "reason"),
    [
        ([gone("old")], "a lists no model in place of old"),
        ([gone("old", "unlisted"), video("x")], "a lists no model in place of old"),
        ([gone("old", "other"), gone("other", "old")], "the models in place of old replace each other"),
    ],
)
def test_model_that_is_gone_without_another_has_no_replacement(
    install_only: Install, models: list[Model], reason: str
) -> None:
    install_only(spec("a", 1, *models, video=unused))
    with pytest.raises(LookupError, match=reason):
        replacement_of("video", "a", "old")


def test_providers_that_list_a_model_are_in_the_order_of_auto(install_only: Install) -> None:
    install_only(
        spec("b", 2, video("x"), video=unused),
        spec("a", 1, video("x"), video=unused),
        spec("c", 3, Model(kind="text", name="x", title="X"), video("y"), video=unused, text=unused),
    )
    assert providers_listing("video", "x") == ["a", "b"]
    assert providers_listing("video", "none") == []


@pytest.mark.parametrize(
    ("facts", "detail"),
    [
        ({"price_usd": 0.5}, "A, $0.50 per second"),
        ({"price_usd": 2}, "A, $2.00 per second"),
        ({"price_usd": 0.125}, "A, $0.125 per second"),
        ({"price_usd": 0.0001}, "A, $0.0001 per second"),
        ({"price_usd": 10}, "A, $10.00 per second"),
        ({}, "A, $0.00"),
        ({"price_usd": 1, "takes_mask": True}, "A, $1.00 per second, takes a mask"),
        ({"is_priced": False, "takes_mask": True}, "A, takes a mask"),
        ({"is_priced": False}, None),
    ],
)
def test_model_is_offered_with_its_list_price(facts: dict[str, Any], detail: str | None) -> None:
    option = model_option(spec("a", 1, video("other"), video("x", **facts)), "x", "The X")
    expected = {"value": "x", "label": "The X", "group": "A", "provider": "a"}
    assert option == expected | ({"detail": detail} if detail else {})


def test_unlisted_model_is_offered_without_a_price() -> None:
    option = model_option(spec("a", 1, video("x")), "own", "Own")
    assert option == {"value": "own", "label": "Own", "group": "A", "provider": "a"}


def test_lengths_of_clips_are_offered_with_the_models_that_make_them(install_only: Install) -> None:
    install_only(
        spec("a", 1, video("x", 10, 5), gone("old"), video=unused), spec("b", 2, video("y", 5), video=unused)
    )
    assert duration_options() == [
        {"value": 5, "label": "5 s", "detail": "X, Y"},
        {"value": 10, "label": "10 s", "detail": "X"},
    ]


@pytest.mark.parametrize(
    ("width", "height", "allowed", "ratio"),
    [
        (1080, 1350, (), "4:5"),
        (2100, 900, (), "21:9"),
        (1000, 100, ("1:1", "4:5"), "1:1"),
        (100, 1000, ("1:1", "4:5"), "4:5"),
        (150, 100, ("2:1", "1:1"), "2:1"),
        (140, 100, ("2:1", "1:1"), "1:1"),
        (0, 100, ("4:5", "1:1"), "1:1"),
        (100, 0, ("4:5", "16:9"), "4:5"),
        (None, 100, (), "1:1"),
        (100, None, ("16:9",), "16:9"),
    ],
)
def test_ratio_is_the_nearest_allowed_one(
    width: int | None, height: int | None, allowed: tuple[str, ...], ratio: str
) -> None:
    assert nearest_ratio(width, height, allowed) == ratio
