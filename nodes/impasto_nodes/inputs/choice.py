"""Choice: one of the options that the agent's author lists."""

from typing import Annotated

from impasto import NodeError, Setting, Text, node


@node(
    id="choice",
    title="Choice",
    category="inputs",
    keywords=("select", "dropdown", "option", "enum", "menu", "radio"),
)
async def choice(
    *,
    value: Annotated[
        str, Setting(title="Chosen", help="Empty: the first option.", input=True, main=True)
    ] = "",
    options: Annotated[
        list[str], Setting(title="Options", widget="list", help="What may be chosen, one a line.")
    ] = [],  # noqa: B006
) -> Text:
    """One of several options, as text."""
    if not value and options:
        return options[0]
    if options and value not in options:
        offered = ", ".join(options)
        raise NodeError(f"'{value}' is none of the options. Choose one of: {offered}.", code="not_an_option")
    return value
