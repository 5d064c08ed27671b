"""litellm's cached clients belong to an event loop."""

import asyncio

from impasto_nodes.providers.litellm.lazy_import import library


async def kept_with(client: str) -> list[str]:
    """Let litellm cache a client; all that it has then."""
    (await library()).in_memory_llm_clients_cache.set_cache(client, client)
    return list((await library()).in_memory_llm_clients_cache.cache_dict.values())


def test_clients_are_kept_until_another_event_loop_needs_some() -> None:
    with asyncio.Runner() as one, asyncio.Runner() as other:
        assert one.run(kept_with("first")) == ["first"]
        assert one.run(kept_with("second")) == ["first", "second"]
        assert other.run(kept_with("third")) == ["third"]
        assert one.run(kept_with("fourth")) == ["fourth"]
