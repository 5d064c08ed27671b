"""Each service is asked whether it accepts a key, by a call that costs nothing."""

from typing import Any

import pytest
from tests.fakes.reports import seen_by
from tests.fakes.running import addresses
from tests.fakes.state import GOOD_KEY, State

from impasto.testing import FakeContext
from impasto_nodes.providers.errors import WrongCredential
from impasto_nodes.providers.registry import specs

PINGED = sorted(name for name, spec in specs().items() if spec.ping is not None)


@pytest.mark.anyio
@pytest.mark.parametrize("provider", PINGED)
async def test_ping_accepts_a_good_key_and_refuses_a_wrong_one(fakes: State, provider: str) -> None:
    ping: Any = specs()[provider].ping

    async def asked(key: str) -> None:
        await ping(seen_by(FakeContext(credentials={provider: key}, configuration=addresses(fakes))))

    await asked(GOOD_KEY)
    assert len(fakes.seen) == 1
    with pytest.raises(WrongCredential) as refused:
        await asked("a-wrong-key")
    assert refused.value.provider == provider
