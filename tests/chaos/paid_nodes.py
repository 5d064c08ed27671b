"""Node types that buy at a provider which counts what it is paid for, in whatever process they run."""

from typing import Annotated

import httpx
from tests.server.sample_nodes import png, sample_catalog

from impasto import Catalog, Context, Image, Setting, Text, node

PRICE_USD = 0.25
_TIMEOUT_SECONDS = 30


@node(id="buy_text", generative=True)
async def buy_text(text: Text, *, address: Annotated[str, Setting()], context: Context) -> Text:
    """Buy a text, and return the given one with a full stop."""
    await _buy(text, address, context)
    return f"{text}."


@node(id="buy_image", generative=True)
async def buy_image(text: Text, *, address: Annotated[str, Setting()], context: Context) -> Image:
    """Buy an image, and store it."""
    number = await _buy(text, address, context)
    return await context.store(png(number % 256), "image/png", name="bought.png", width=8, height=6)


def chaos_catalog() -> Catalog:
    """Return the sample nodes and those that buy."""
    return Catalog([*(found.function for found in sample_catalog()), buy_text, buy_image])


async def _buy(text: str, address: str, context: Context) -> int:
    bought: int | None = await context.recall("bought")
    if bought is not None:
        return bought
    order = {"launch": text.rstrip("."), "step": context.step, "key": context.idempotency_key}
    # Without TLS no certificates are read, which takes longer than the order.
    async with httpx.AsyncClient(timeout=_TIMEOUT_SECONDS, trust_env=False, verify=False) as client:
        answer = (await client.post(address, json=order)).raise_for_status().json()
    bought = int(answer["number"])
    context.charge(PRICE_USD)
    await context.remember("bought", bought)
    return bought
