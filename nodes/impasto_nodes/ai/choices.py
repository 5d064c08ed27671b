"""Settings that the nodes which call a model share: their options and their checks before a run."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import partial
from typing import Annotated, Any

from impasto import Context, Setting
from impasto_nodes.providers.discovery import model_options, model_setting_options
from impasto_nodes.providers.protocols import Kind
from impasto_nodes.providers.validation import Problem, problems_with

Offer = Callable[[str, Context | None], Awaitable[list[dict[str, Any]]]]
Check = Callable[[Mapping[str, Any], frozenset[str] | None], Iterable[Problem]]


def models_for(kind: Kind) -> Offer:
    """Return the function that lists the options of a `model` setting."""
    return partial(model_options, kind)


def check_for(kind: Kind) -> Check:
    """Return a node's check: of the provider's key, and of what the model can make."""
    return partial(problems_with, kind)


def model_settings_for(kind: Kind) -> Any:
    """Return the type of a setting that holds the model's own settings, which are passed on as they are."""
    return Annotated[
        dict[str, Any] | None,
        Setting(
            widget="key_value",
            advanced=True,
            title="Model's own settings",
            options=partial(model_setting_options, kind),
        ),
    ]


Seed = Annotated[int | None, Setting(ge=0, le=2**31 - 1, advanced=True)]
"""The same seed gives the same result, if the model supports seeds."""

ImageModelSettings = model_settings_for("image")
VideoModelSettings = model_settings_for("video")
