"""Under which keys a sign-in is counted, so that a stranger delays strangers only."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from impasto_server.container import AppState
from impasto_server.http.errors import RateLimited
from impasto_server.identity import throttling
from impasto_server.identity.models import KnownDevice
from impasto_server.identity.sessions.devices import Device
from impasto_server.users.models import User

pytestmark = pytest.mark.anyio
AT = datetime(2026, 1, 31, 9, tzinfo=UTC)


async def test_known_devices_and_addresses_have_counters_of_their_own(app_state: AppState) -> None:
    home, month = Device("h", "192.0.2.1", ""), timedelta(days=30)
    used = app_state.clock()
    async with app_state.database.writing() as session:
        for name in ("mara", "ines"):
            session.add(User(id=name, username=name, username_key=name, created_at=AT))
        await session.flush()
        known = {"user_id": "mara", "address_block": home.block, "created_at": AT}
        session.add(KnownDevice(id="1", digest=home.digest, last_used_at=used - 2 * month, **known))
        other = {**known, "address_block": "192.0.2.2"}
        session.add(
            KnownDevice(id="2", digest="d", last_used_at=used - month + timedelta(minutes=1), **other)
        )
    async with app_state.database.reading() as session:

        async def keys(user_id: str | None, device: Device, login: str = "x") -> throttling.Counters:
            return await throttling.counters(app_state, session, login, user_id, device)

        stranger = (("account", "mara"), ("address", "192.0.2.1"))
        assert await keys("mara", home) == (("device", "mara", home.digest),)
        assert await keys("mara", Device("n", "192.0.2.2", "")) == (("account address", "mara", "192.0.2.2"),)
        assert await keys("mara", Device("n", "192.0.2.1", "")) == stranger, "it was used too long ago"
        assert await keys("ines", home) == (("account", "ines"), ("address", "192.0.2.1"))
        (account, name), address = await keys(None, home, "Noor@x.example")
        assert (account, address) == ("account", ("address", "192.0.2.1"))
        assert name.startswith("unknown ")
        assert len(name) == len("unknown ") + 3
        assert await keys(None, home, " noor@X.example") == ((account, name), address)


class TestFewTries:
    @pytest.fixture
    def extra_settings(self) -> dict[str, Any]:
        return {"sign_in_tries": 2}

    @pytest.mark.usefixtures("no_delay_passes")
    async def test_success_forgets_failures_of_the_account_and_keeps_those_of_the_address(
        self, app_state: AppState
    ) -> None:
        async def seconds_to_wait(*keys: tuple[str, ...]) -> int:
            """Count an attempt, and return how many seconds it must wait, or 0."""
            try:
                await throttling.count_attempt(app_state, keys)
            except RateLimited as limited:
                return int(limited.headers["Retry-After"])
            return 0

        account, address = ("account", "mara"), ("address", "192.0.2.1")
        assert [await seconds_to_wait(account) for _ in range(3)] == [0, 0, 1]
        await throttling.on_success(app_state, (account,))
        for _ in range(10):
            assert [await seconds_to_wait(account, address) for _ in range(2)] == [0, 0]
            await throttling.on_success(app_state, (account, address))
        assert await seconds_to_wait(account, address) == 1, "20 attempts came from the address"
        assert await seconds_to_wait(("device", "mara", "h")) == 0
