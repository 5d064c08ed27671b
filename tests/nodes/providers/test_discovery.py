"""Which provider and model a step uses, and what can be chosen, with providers of the tests' own."""

import logging
from contextlib import AbstractAsyncContextManager
from datetime import date
from typing import Any, cast

import pytest
from tests.fakes.reports import seen_by
from tests.nodes.providers.own_providers import Install, fails, lists, unused

from impasto import Configuration, Context, NodeError
from impasto.sdk.options_context import OptionsContext, options_context
from impasto.testing import FakeContext
from impasto_nodes.providers.discovery import (
    Choice,
    choose,
    model_options,
    model_setting_options,
    voice_options,
)
from impasto_nodes.providers.errors import MissingCredential, RateLimited, UnknownModel, Unsupported
from impasto_nodes.providers.models import Model
from impasto_nodes.providers.spec import CredentialField, ProviderSpec

pytestmark = pytest.mark.anyio
LONG_AGO = date(2020, 1, 1)


def text(name: str, **facts: Any) -> Model:
    return Model(kind="text", name=name, title=name.upper(), **facts)


def video(name: str, *seconds: float) -> Model:
    return Model(kind="video", name=name, title=name, durations=seconds)


def spec(name: str, rank: int = 1, *, has_key: bool = True, **facts: Any) -> ProviderSpec:
    key = (CredentialField(variable=f"{name.upper()}_KEY"),) if has_key else ()
    return ProviderSpec(id=name, title=name.title(), rank=rank, credentials=key, **{"text": unused} | facts)


def with_keys(*names: str) -> Context:
    return seen_by(FakeContext(credentials=dict.fromkeys(names, "a-key")))


def asking(*names: str) -> AbstractAsyncContextManager[OptionsContext]:
    async def credential(provider: str) -> str | None:
        return "a-key" if provider in names else None

    return options_context(credential=credential, configuration=Configuration({}))


def logged(caplog: pytest.LogCaptureFixture) -> list[str]:
    """The messages of Impasto's own loggers."""
    return [record.message for record in caplog.records if record.name.startswith("impasto.")]


# -- the choice of a step ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "provider", "model", "chosen"),
    [
        (["first", "second"], "auto", "", Choice("first", "a")),
        (["second"], "auto", "", Choice("second", "b")),
        (["first", "second"], "auto", "shared", Choice("first", "shared")),
        (["second"], "auto", "shared", Choice("second", "shared")),
        (["first", "second"], "auto", "b", Choice("second", "b")),
        (["second"], "auto", "unlisted", Choice("second", "unlisted")),
        (["first", "second"], "second", "", Choice("second", "b")),
        (["second"], "second", "a", Choice("second", "a")),
    ],
)
async def test_step_uses_the_first_provider_with_a_key(
    install_only: Install, keys: list[str], provider: str, model: str, chosen: Choice
) -> None:
    first = spec("first", 1, models=(text("a"), text("shared")))
    second = spec("second", 2, models=(text("b"), text("shared")))
    install_only(second, first)
    assert await choose("text", provider, model, with_keys(*keys)) == chosen


@pytest.mark.parametrize(("model", "named"), [("", "First"), ("b", "Second"), ("shared", "First")])
async def test_without_any_key_the_first_provider_that_would_run_is_named(
    install_only: Install, model: str, named: str
) -> None:
    first = spec("first", 1, models=(text("a"), text("shared")))
    install_only(first, spec("second", 2, models=(text("b"), text("shared"))))
    with pytest.raises(MissingCredential, match=f"{named} needs a key"):
        await choose("text", "auto", model, with_keys())


async def test_named_provider_needs_its_key(install_only: Install) -> None:
    install_only(spec("first"), spec("second"))
    with pytest.raises(MissingCredential, match="Second needs a key"):
        await choose("text", "second", "a", with_keys("first"))


async def test_provider_that_does_not_make_the_kind_is_refused(install_only: Install) -> None:
    install_only(spec("first"), spec("painter", text=None, image=unused))
    with pytest.raises(Unsupported, match="Choose Painter") as refused:
        await choose("image", "first", "", with_keys("first"))
    assert "make image" in refused.value.message


async def test_kind_that_no_provider_makes_asks_to_install_one(install_only: Install) -> None:
    install_only(spec("first"))
    with pytest.raises(NodeError, match="No installed provider makes music") as refused:
        await choose("music", "auto", "", with_keys("first"))
    assert refused.value.code == "no_provider"


async def test_auto_passes_over_a_provider_that_does_not_make_the_length(install_only: Install) -> None:
    short = spec("short", 1, text=None, video=unused, models=(video("s", 5),))
    install_only(short, spec("long", 2, text=None, video=unused, models=(video("l", 5, 10),)))
    keys = with_keys("short", "long")
    assert (await choose("video", "auto", "", keys, seconds=5)).provider == "short"
    assert (await choose("video", "auto", "", keys, seconds=10)).provider == "long"
    assert (await choose("video", "auto", "", keys)).provider == "short"


async def test_image_is_changed_by_the_default_for_that(install_only: Install) -> None:
    models = [
        Model(kind="image", name="plain", title=""),
        Model(kind="image", name="editor", title="", edits_images=True),
        Model(kind="image", name="masker", title="", takes_mask=True),
    ]
    install_only(spec("first", image=unused, models=tuple(models)))
    for given, name in (({}, "plain"), ({"editing": True}, "editor"), ({"masked": True}, "masker")):
        assert (await choose("image", "first", "", with_keys("first"), **given)).model == name


async def test_model_that_is_gone_is_replaced_and_the_step_says_so(
    install_only: Install, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, logger="impasto")
    install_only(spec("first", models=(text("new"), text("old", retires_on=LONG_AGO))))
    context = FakeContext(credentials={"first": "a-key"})
    assert await choose("text", "first", "old", seen_by(context)) == Choice("first", "new")
    notice = "First closed OLD on 2020-01-01. NEW runs in its place."
    assert context.calls == [("progress", (0.0, notice))]
    assert logged(caplog) == [notice]


async def test_first_model_of_a_server_is_the_default_of_a_spec_without_models(install_only: Install) -> None:
    install_only(spec("first", list_models=lists("x", "y")), spec("second", 2, list_models=lists()))
    keys = with_keys("first", "second")
    assert await choose("text", "first", "", keys) == Choice("first", "x")
    with pytest.raises(UnknownModel) as refused:
        await choose("text", "second", "", keys)
    assert refused.value.detail == "the server lists no models"


async def test_spec_without_models_or_lists_leaves_the_model_to_its_adapter(install_only: Install) -> None:
    install_only(spec("first"))
    assert await choose("text", "first", "", with_keys("first")) == Choice("first", "")


# -- lists -------------------------------------------------------------------------------------


async def test_models_of_the_spec_come_before_those_that_the_account_has_besides(
    install_only: Install,
) -> None:
    models = (text("a"), text("gone", retires_on=LONG_AGO), Model(kind="image", name="p", title="P"))
    install_only(spec("first", models=models, list_models=lists("gone", "own", "a")))
    async with asking("first") as context:
        found = await model_options("text", "", cast("Context", context))
        assert [option["value"] for option in found] == ["a", "own"]
        assert context.sources == [("first", "First", "available", "")]
    assert [option["value"] for option in await model_options("text", "", None)] == ["a"]


async def test_provider_without_a_key_lists_its_models_and_says_what_it_needs(install_only: Install) -> None:
    install_only(spec("first", models=(text("a"),), list_models=lists("own")), spec("second", 2))
    async with asking("second") as context:
        found = await model_options("text", "", cast("Context", context))
        first, second = context.sources
    assert [option["value"] for option in found] == ["a"]
    assert (first.id, first.state) == ("first", "no_key")
    assert first.message.startswith("First needs a key. Add it under ")
    assert second == ("second", "Second", "available", "")


@pytest.mark.parametrize(
    ("query", "values"),
    [("", ["a-1", "b-2"]), ("A-1", ["a-1"]), ("b-2", ["b-2"]), ("first", ["a-1"]), ("zz", [])],
)
async def test_models_are_searched_by_name_title_and_provider(
    install_only: Install, query: str, values: list[str]
) -> None:
    install_only(spec("first", models=(text("a-1"),)), spec("second", 2, models=(text("b-2"),)))
    found = await model_options("text", query, None)
    assert [option["value"] for option in found] == values


@pytest.mark.parametrize(
    ("error", "message", "warning"),
    [
        (
            RateLimited("first", "too many"),
            RateLimited("first", "too many").message,
            "First cannot list its models: too many",
        ),
        (
            KeyError("x"),
            "First could not list its models.",
            "First cannot list its models: KeyError: 'x'",
        ),
        (
            TimeoutError(),
            "First took too long to answer. Try again.",
            "First cannot list its models: First took too long to answer. Try again.",
        ),
    ],
)
async def test_provider_that_fails_leaves_out_only_its_own_list(
    install_only: Install,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
    message: str,
    warning: str,
) -> None:
    caplog.set_level(logging.WARNING, logger="impasto")
    install_only(
        spec("first", models=(text("a"),), list_models=fails(error)),
        spec("second", 2, list_models=lists("own")),
    )
    async with asking("first", "second") as context:
        found = await model_options("text", "", cast("Context", context))
        assert {source.id: source.state for source in context.sources} == {
            "first": "failed",
            "second": "available",
        }
        assert [source.message for source in context.sources if source.id == "first"] == [message]
    assert [option["value"] for option in found] == ["a", "own"]
    assert logged(caplog) == [warning]


async def test_lists_are_asked_for_with_the_kind_the_model_and_the_account(install_only: Install) -> None:
    asked: list[tuple[object, ...]] = []

    async def listed(*given: object) -> list[dict[str, Any]]:
        asked.append(given)
        return [{"value": "x", "label": "X"}]

    install_only(
        spec("first", speech=unused, list_models=listed, list_voices=listed, list_model_settings=listed)
    )
    context = with_keys("first")
    assert await choose("text", "first", "", context) == Choice("first", "x")
    assert len(await model_options("text", "", context)) == 1
    assert await model_options("text", "first", context) == []
    assert len(await voice_options("", context)) == 1
    assert len(await model_setting_options("text", "m", context)) == 1
    by_kind, own = ("text", context), ("m", context)
    assert asked == [by_kind, by_kind, by_kind, (context,), own]


async def test_run_lists_models_without_reporting_sources(install_only: Install) -> None:
    install_only(spec("first", list_models=lists("x")))
    found = await model_options("text", "", with_keys("first"))
    assert [option["value"] for option in found] == ["x"]


async def test_voices_are_those_of_specs_and_those_of_accounts(install_only: Install) -> None:
    fixed = spec("fixed", 1, speech=unused, voices=("alto", "bass"))
    asked = spec("asked", 2, speech=unused, list_voices=lists("tenor"))
    missing = spec("missing", 3, speech=unused, voices=("child",))
    install_only(fixed, asked, missing, spec("mute", 4, speech=unused))
    async with asking("fixed", "asked", "mute") as context:
        found = await voice_options("", cast("Context", context))
        states = {source.id: source.state for source in context.sources}
        (needed,) = (source.message for source in context.sources if source.id == "missing")
    assert [option["value"] for option in found] == ["alto", "bass", "tenor"]
    assert found[0] == {"value": "alto", "label": "Alto", "group": "Fixed", "provider": "fixed"}
    assert states == {"fixed": "available", "asked": "available", "missing": "no_key"}
    assert needed.startswith("Missing needs a key.")


async def test_without_an_account_only_voices_that_need_no_key_are_listed(install_only: Install) -> None:
    free = spec("free", 1, has_key=False, speech=unused, voices=("alto", "bass"))
    failing = spec("failing", 3, has_key=False, speech=unused, list_voices=fails(ValueError()))
    install_only(free, spec("paid", 2, speech=unused, voices=("child",)), failing)
    assert [option["value"] for option in await voice_options("", None)] == ["alto", "bass"]
    assert [option["value"] for option in await voice_options("BAS", None)] == ["bass"]


async def test_voices_that_cannot_be_listed_are_reported(install_only: Install) -> None:
    install_only(spec("first", speech=unused, list_voices=fails(ValueError())))
    async with asking("first") as context:
        assert await voice_options("", cast("Context", context)) == []
        assert context.sources == [("first", "First", "failed", "First could not list its voices.")]


async def test_settings_of_a_listed_model_are_its_own_and_its_providers(install_only: Install) -> None:
    own = {"crisp": {"title": "Crisp", "description": "How crisp.", "type": "boolean"}}
    first = spec(
        "first",
        models=(text("a", settings=own), text("b")),
        model_settings={"text": {"tone": {}}, "image": {"size": {}}},
        list_model_settings=lists("crisp", "fresh"),
    )
    install_only(first, spec("second", 2, list_model_settings=lists("other")))
    tone = {"value": "tone", "label": "tone", "detail": "", "schema": {}}
    crisp = {"value": "crisp", "label": "Crisp", "detail": "How crisp.", "schema": own["crisp"]}
    assert await model_setting_options("text", "a", None) == [tone, crisp]
    assert await model_setting_options("text", "b", None) == [tone]
    async with asking("first", "second") as context:
        found = await model_setting_options("text", "a", cast("Context", context))
    assert [option["value"] for option in found] == ["tone", "crisp", "fresh"]
    async with asking("second") as context:
        found = await model_setting_options("text", "a", cast("Context", context))
    assert found == [tone, crisp]


async def test_every_provider_with_a_key_is_asked_for_the_settings_of_an_unlisted_model(
    install_only: Install,
) -> None:
    first = spec("first", 1, model_settings={"text": {"tone": {}}}, list_model_settings=lists("x"))
    second = spec("second", 2, list_model_settings=fails(ValueError()))
    third = spec("third", 3, list_model_settings=lists("z"))
    painter = spec("painter", 4, text=None, image=unused, list_model_settings=lists("p"))
    install_only(first, second, third, painter, spec("fourth", 5, list_model_settings=lists("w")))
    async with asking("first", "second", "third", "painter") as context:
        found = await model_setting_options("text", "unlisted", cast("Context", context))
    assert [option["value"] for option in found] == ["x", "z"]
