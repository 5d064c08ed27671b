"""The agent node."""

from typing import Annotated, Any

from impasto import Setting, node


@node(
    id="agent",
    title="Agent",
    category="advanced_models",
    keywords=("subflow", "flow", "nested", "reuse", "component", "loop", "sub-agent", "workflow"),
    subflow="flow",
)
def agent(
    *,
    flow: Annotated[
        dict[str, Any] | str,
        Setting(title="Agent", widget="flow", main=True, help="The agent to run in this place."),
    ] = "",
    version: Annotated[
        int | None,
        Setting(ge=1, advanced=True, help="The published version to run; without one, always the newest."),
    ] = None,
    inputs: Annotated[
        dict[str, Any] | None,
        Setting(widget="key_value", advanced=True, help="Values for inputs that nothing is connected to."),
    ] = None,
) -> None:
    """Runs another agent as one step.

    Its inputs and results are this node's ports. Its steps stream, cache and fail like any others.
    """
