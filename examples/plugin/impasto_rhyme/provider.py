"""A provider of text, "Rhyme House": it answers every prompt with a couplet, without a network.

A real adapter would call a service with `access.key`, and raise the errors of
`impasto_nodes.providers.errors` for what goes wrong.
"""

from collections.abc import AsyncGenerator

from impasto import Context
from impasto_nodes.providers import (
    CredentialField,
    Model,
    ProviderSpec,
    TextDelta,
    TextPart,
    TextRequest,
    TextResult,
    Variable,
)
from impasto_nodes.providers.credentials import access_to
from impasto_nodes.providers.registry import find_model


class RhymeHouseText:
    """The adapter: it turns a request into the provider's calls, and its answer into parts."""

    async def stream(self, request: TextRequest, context: Context) -> AsyncGenerator[TextPart, None]:
        """Yield two lines that end on the same words, then the complete answer with its cost."""
        await access_to(SPEC.id, context)  # raises MissingCredential without a key
        ending = context.configuration.text("RHYME_HOUSE_ENDING", "every day")
        lines = [f"{request.prompt.strip()}, {ending},\n", f"and more of it, {ending}."]
        for line in lines:
            yield TextDelta(line)
        text = "".join(lines)
        tokens = len(text.split())
        listed = find_model("text", SPEC.id, request.model)
        usd = tokens / 1000 * (listed.price_usd if listed else 0.0)
        yield TextResult(
            text=text, provider=SPEC.id, model=request.model, usd=usd, units={"tokens_out": tokens}
        )


SPEC = ProviderSpec(
    id="rhyme_house",
    title="Rhyme House",
    credentials=(CredentialField(variable="RHYME_HOUSE_KEY"),),
    address="none",
    settings=(
        Variable(name="RHYME_HOUSE_ENDING", help="The words that each line ends on.", default="every day"),
    ),
    models=(Model(kind="text", name="couplet-1", title="Couplet 1", price_usd=0.5, takes_image=False),),
    text=RhymeHouseText,
)
