"""Settings that a node offers to the launchers of its flow, with the limits that its author set."""

import typing as t
from collections.abc import Mapping
from dataclasses import dataclass, replace

from impasto.encoding import to_json
from impasto.sdk.node_type import NodeType
from impasto.sdk.schema import setting_schema
from impasto.sdk.settings import SettingSpec, limits_of

Limits = Mapping[str, t.Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExposedSetting:
    """A setting of a step that a run's inputs may replace.

    `name` is the input, `node.setting`; a node that offers a setting from inside its own flow is the first
    part. `node` is that node's id and `title` its title (None for that of its type). `spec` has the limits of
    all authors besides those of the node type. `outermost`: the flow that is run offers it, not only a flow
    inside. `configured` are the providers that the user has a key for; None if unknown.
    """

    name: str
    node: str
    title: str | None
    outermost: bool
    spec: SettingSpec
    order: float | None
    configured: frozenset[str] | None

    def schema(self, default: t.Any) -> dict[str, t.Any]:
        """Return the input as JSON Schema; `default` is the node's own value."""
        schema = setting_schema(self.spec)
        schema["default"] = to_json(default)
        schema["x-setting"] = self.spec.name
        return schema


def limited(spec: SettingSpec, limits: Limits) -> SettingSpec:
    """Return a setting with a label, a help and limits in addition to its own.

    `limits` may have `label`, `help`, `minimum`, `maximum` and `choices`. Raises SettingInvalid if the limits
    allow no value, or do not apply to the setting.
    """
    low, high, choices = (limits.get(name) for name in ("minimum", "maximum", "choices"))
    ui = spec.ui
    tight = replace(
        ui,
        title=limits.get("label") or ui.title,
        help=limits.get("help") or ui.help,
        ge=low if ui.ge is None else ui.ge if low is None else max(low, ui.ge),
        le=high if ui.le is None else ui.le if high is None else min(high, ui.le),
        choices=ui.choices if choices is None else tuple(choices),
    )
    own = replace(spec, checks=(*spec.checks, *limits_of(tight, spec.annotation)), ui=tight)
    for choice in choices or ():
        spec.decode(choice)
    return own


def failed_checks(
    found: NodeType, settings: Mapping[str, t.Any], configured: frozenset[str] | None
) -> list[str]:
    """Return what the node type's own check refuses in settings that launchers changed, as sentences."""
    if found.check is None:
        return []
    try:
        problems = list(found.check(dict(settings), configured) or ())
    except Exception:  # noqa: BLE001 - a plugin's function: the step reports what is wrong
        return []
    errors = [problem for problem in problems if problem.get("severity") != "warning"]
    return [" ".join(filter(None, (str(each["message"]), each.get("hint")))) for each in errors]
