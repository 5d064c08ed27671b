"""Problems and estimates before a run, with providers of the tests' own."""

from datetime import date
from typing import Any

import pytest
from tests.nodes.providers.own_providers import Install, unused

from impasto_nodes.providers.errors import TextTooLong
from impasto_nodes.providers.models import ClipPrice, Model
from impasto_nodes.providers.spec import CredentialField, ProviderSpec
from impasto_nodes.providers.validation import (
    expected_cost,
    expected_model,
    expected_provider,
    problems_with,
    require_length,
)

LONG_AGO = date(2020, 1, 1)


def text(name: str, price_usd: float = 1.0, **facts: Any) -> Model:
    return Model(kind="text", name=name, title=name.upper(), price_usd=price_usd, **facts)


def spec(name: str, rank: int, *models: Model, has_key: bool = True, **facts: Any) -> ProviderSpec:
    key = (CredentialField(variable=f"{name.upper()}_KEY"),) if has_key else ()
    made_kinds: dict[str, Any] = {"text": unused} | facts
    return ProviderSpec(id=name, title=name.title(), rank=rank, credentials=key, models=models, **made_kinds)


def codes(kind: Any, settings: dict[str, Any], configured: frozenset[str] | None) -> list[str]:
    return [problem["code"] for problem in problems_with(kind, settings, configured)]


FIRST, SECOND, BOTH = frozenset({"first"}), frozenset({"second"}), frozenset({"first", "second"})


@pytest.fixture
def two_providers(install_only: Install) -> None:
    first = spec("first", 1, text("a"), text("shared", 3))
    install_only(first, spec("second", 2, text("b", 2), text("shared", 4)))


@pytest.mark.parametrize(
    ("settings", "configured", "provider", "model"),
    [
        ({}, BOTH, "first", "a"),
        ({}, SECOND, "second", "b"),
        ({"model": "shared"}, BOTH, "first", "shared"),
        ({"model": "shared"}, SECOND, "second", "shared"),
        ({"model": "shared"}, frozenset(), "first", "shared"),
        ({"model": "b"}, frozenset(), "second", "b"),
        ({"provider": "second"}, FIRST, "second", "b"),
        ({"provider": "second", "model": "shared"}, FIRST, "second", "shared"),
    ],
)
def test_estimate_is_for_the_provider_and_model_that_will_run(
    two_providers: None, settings: dict[str, Any], configured: frozenset[str], provider: str, model: str
) -> None:
    assert expected_provider("text", settings, configured) == provider
    found = expected_model("text", settings, configured)
    assert found is not None
    assert found.name == model
    estimate = expected_cost("text", settings, configured, lambda each: each.price_usd * 10)
    assert estimate == {"usd": found.price_usd * 10, "provider": provider}


def test_nothing_is_estimated_where_no_provider_can_be_called(two_providers: None) -> None:
    estimate = expected_cost("text", {}, frozenset(), lambda each: each.price_usd)
    assert estimate == {"usd": 0.0, "provider": ""}


def test_price_of_an_unlisted_model_is_not_known(two_providers: None) -> None:
    settings = {"provider": "first", "model": "own"}
    estimate = expected_cost("text", settings, FIRST, lambda each: each.price_usd)
    assert estimate == {"usd": None, "provider": "first"}


@pytest.mark.parametrize(
    ("given", "name"), [({}, "plain"), ({"editing": True}, "editor"), ({"masked": True}, "masker")]
)
def test_estimate_of_an_edit_is_for_the_model_that_edits(
    install_only: Install, given: dict[str, bool], name: str
) -> None:
    models = [
        Model(kind="image", name="plain", title="", price_usd=1),
        Model(kind="image", name="editor", title="", price_usd=2, edits_images=True),
        Model(kind="image", name="masker", title="", price_usd=3, takes_mask=True),
    ]
    install_only(spec("first", 1, *models, image=unused))
    found = expected_model("image", {}, FIRST, **given)
    assert found is not None
    assert found.name == name
    estimate = expected_cost("image", {}, FIRST, lambda each: each.price_usd, **given)
    assert estimate["usd"] == found.price_usd


def test_length_of_a_clip_is_for_video_only(install_only: Install) -> None:
    short = Model(kind="video", name="s", title="S", durations=(5,))
    first = spec("first", 1, short, text("a", durations=(5,)), video=unused)
    install_only(first, spec("second", 2, Model(kind="video", name="l", title="L"), text("b"), video=unused))
    assert expected_provider("video", {"duration": 5}, BOTH) == "first"
    assert expected_provider("video", {"duration": 8}, BOTH) == "second"
    assert expected_provider("text", {"duration": 8}, BOTH) == "first"


@pytest.mark.parametrize(
    ("settings", "configured", "found"),
    [
        ({}, frozenset(), ["missing_credential"]),
        ({}, SECOND, []),
        ({}, None, []),
        ({"provider": "auto"}, FIRST, []),
        ({"provider": "first"}, SECOND, ["missing_credential"]),
        ({"provider": "first"}, None, []),
        ({"provider": "not installed"}, FIRST, []),
        ({"model": "shared"}, SECOND, []),
        ({"model": "a"}, SECOND, ["missing_credential"]),
    ],
)
def test_missing_key_is_a_problem_where_the_keys_are_known(
    two_providers: None, settings: dict[str, Any], configured: frozenset[str] | None, found: list[str]
) -> None:
    assert codes("text", settings, configured) == found


def test_problem_of_a_missing_key_says_how_to_add_it(two_providers: None) -> None:
    (problem,) = problems_with("text", {}, frozenset())
    hint = problem.pop("hint")
    assert problem == {
        "code": "missing_credential",
        "message": "First needs a key.",
        "setting": "provider",
        "severity": "error",
    }
    assert hint.startswith("Add it under ")
    assert hint.endswith("or set FIRST_KEY on the server, or choose another provider.")


def test_provider_without_credentials_needs_no_key(install_only: Install) -> None:
    install_only(spec("first", 1, text("a")), spec("free", 2, text("b"), has_key=False))
    assert codes("text", {}, frozenset()) == []
    assert expected_provider("text", {}, frozenset()) == "free"


def test_kind_that_no_provider_makes_is_no_problem_of_a_key(install_only: Install) -> None:
    install_only(spec("first", 1))
    assert codes("music", {}, frozenset()) == []
    assert expected_provider("music", {}, FIRST) == ""


def test_replacement_of_a_model_that_is_gone_is_estimated_and_checked(install_only: Install) -> None:
    gone = Model(
        kind="image", name="old", title="Old", retires_on=LONG_AGO, replaced_by="new", ratios=("4:5",)
    )
    new = Model(kind="image", name="new", title="New", price_usd=2, ratios=("1:1",))
    first = Model(kind="image", name="best", title="Best", price_usd=9)
    install_only(spec("first", 1, first, new, gone, image=unused))
    settings = {"provider": "first", "model": "old", "aspect_ratio": "4:5"}
    replaced, ratio = problems_with("image", settings, FIRST)
    assert (replaced["code"], replaced["setting"], replaced["severity"]) == (
        "model_replaced",
        "model",
        "warning",
    )
    assert replaced["message"] == "First closed Old on 2020-01-01. New runs in its place."
    assert replaced["hint"] == "Choose New or another model, so that the agent names the one that runs."
    assert ratio["message"] == "New does not make 4:5."
    estimate = expected_cost("image", settings, FIRST, lambda each: each.price_usd)
    assert estimate["usd"] == 2
    assert [notice["code"] for notice in estimate["notices"]] == ["model_replaced"]


def test_model_that_is_gone_without_another_is_an_error(install_only: Install) -> None:
    gone = Model(kind="image", name="old", title="Old", retires_on=LONG_AGO, ratios=("1:1",))
    install_only(spec("first", 1, gone, image=unused))
    settings = {"provider": "first", "model": "old", "aspect_ratio": "4:5"}
    (problem,) = problems_with("image", settings, FIRST)
    assert (problem["code"], problem["setting"]) == ("unknown_model", "model")
    assert (problem["hint"], problem["severity"]) == ("Choose another model.", "error")
    assert problem["message"] == "First has no model named 'old'. Choose another model."
    estimate = expected_cost("image", settings, FIRST, lambda each: 5.0)
    assert "notices" not in estimate


CLIP = Model(
    kind="video",
    name="clip",
    title="Clip",
    ratios=("16:9", "1:1"),
    durations=(5, 7.5),
    clip_prices=(ClipPrice("720p", 1, 4), ClipPrice("720p", 1, 8), ClipPrice("1080p", 1)),
)


@pytest.mark.parametrize(
    ("settings", "found"),
    [
        ({"aspect_ratio": "1:1", "duration": 5}, []),
        ({"aspect_ratio": None, "duration": None}, []),
        (
            {"aspect_ratio": "4:5"},
            [("unsupported_ratio", "aspect_ratio", "Clip does not make 4:5.", "16:9, 1:1")],
        ),
        (
            {"duration": 6},
            [("unsupported_duration", "duration", "Clip does not make clips of 6 seconds.", "5, 7.5")],
        ),
        ({"duration": 4, "more": {"resolution": "720p"}}, []),
        ({"duration": 5, "more": {"resolution": "1080p"}}, []),
        (
            {"duration": 5, "more": {"resolution": "720p"}},
            [("unsupported_duration", "duration", "Clip does not make clips of 5 seconds.", "4, 8")],
        ),
    ],
)
def test_shape_and_length_that_a_model_lacks_are_problems(
    install_only: Install, settings: dict[str, Any], found: list[tuple[str, str, str, str]]
) -> None:
    install_only(spec("first", 1, CLIP, video=unused))
    problems = list(problems_with("video", {"provider": "first"} | settings, FIRST))
    assert problems == [
        {
            "code": code,
            "setting": setting,
            "message": message,
            "hint": f"Choose one of {choices}, or another model.",
            "severity": "error",
        }
        for code, setting, message, choices in found
    ]


def test_model_without_known_shapes_or_lengths_is_not_checked(install_only: Install) -> None:
    install_only(spec("first", 1, Model(kind="video", name="v", title="V"), video=unused))
    assert codes("video", {"provider": "first", "aspect_ratio": "4:5", "duration": 6}, FIRST) == []
    assert codes("video", {"provider": "first", "model": "own", "duration": 6}, FIRST) == []


def test_text_as_long_as_the_model_takes_is_accepted(install_only: Install) -> None:
    install_only(spec("first", 1, text("a", max_input=1_000), text("b")))
    require_length("text", "first", "a", 1_000)
    require_length("text", "first", "b", 10**9)
    require_length("text", "first", "unlisted", 10**9)
    with pytest.raises(TextTooLong) as refused:
        require_length("text", "first", "a", 1_001)
    assert refused.value.detail == "1,001 characters of 1,000"
