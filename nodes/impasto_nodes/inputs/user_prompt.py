"""User prompt: the text that a run starts from."""

from typing import Annotated

from impasto import NodeError, Setting, Text, node

MAX_LENGTH = 20_000


@node(
    id="user_prompt",
    title="User prompt",
    category="inputs",
    keywords=("text input", "ask", "question", "brief", "message", "input"),
)
async def user_prompt(
    *,
    text: Annotated[
        str,
        Setting(
            title="Prompt",
            widget="long_text",
            placeholder="What should be made?",
            max_length=MAX_LENGTH,
            input=True,
            main=True,
        ),
    ] = "",
    may_be_empty: Annotated[
        bool,
        Setting(title="May be left empty", help="Otherwise a run without words stops here.", advanced=True),
    ] = False,
) -> Text:
    """What the user writes.

    Its title is the label that people see when they launch the agent. What stands in *Prompt* is the
    default: it is used when the launch gives no other words.
    """
    if not text.strip() and not may_be_empty:
        raise NodeError("Write what you need first: the prompt is empty.", code="empty_prompt")
    return text
