"""A client for a call of litellm's that sends its request once."""

import httpx
import pytest
from tests.fakes.running import close_litellm_clients

from impasto_nodes.providers.litellm.lazy_import import library
from impasto_nodes.providers.litellm.video.clients import Connection


def send_again(connection: Connection, lost: Exception) -> None:
    """Do what litellm does when a connection is lost."""
    try:
        raise lost
    except httpx.ReadError:
        connection.client.create_client()


@pytest.mark.anyio
async def test_second_client_is_refused_and_what_interrupted_the_first_is_kept() -> None:
    connection = Connection(await library())
    assert connection.failure is None
    lost = httpx.ReadError("lost")
    with pytest.raises(ConnectionError):
        send_again(connection, lost)
    assert connection.failure is lost
    await connection.client.close()
    await close_litellm_clients()
