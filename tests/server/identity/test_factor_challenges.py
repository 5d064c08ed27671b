"""Tokens with which a device shows a second factor after the password."""

from datetime import UTC, datetime, timedelta

import pytest
from tests.server.conftest import TravellingClock

from impasto_server.container import AppState
from impasto_server.identity.errors import SignInExpired
from impasto_server.identity.second_factors import service as second_factors
from impasto_server.identity.sessions.devices import Device
from impasto_server.users.models import User

pytestmark = pytest.mark.anyio


async def test_challenge_is_valid_for_ten_minutes_on_its_device(
    app_state: AppState, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = now = datetime(2026, 1, 31, 9, tzinfo=UTC)
    monkeypatch.setattr(TravellingClock, "__call__", lambda _: now)
    device, user = Device("d", "192.0.2.1", ""), User(id="m", username="mara", username_key="mara")
    async with app_state.database.writing() as session:
        user.created_at = start
        session.add(user)
    token = second_factors.issue_challenge(app_state, user, device)

    async def asked(token: str, device: Device) -> tuple[str, int] | None:
        async with app_state.database.reading() as session:
            try:
                found, issued_at = await second_factors.user_of_challenge(app_state, session, token, device)
            except SignInExpired:
                return None
        return found.id, issued_at

    issued_at = int(start.timestamp())
    now = start + timedelta(minutes=10, seconds=5, microseconds=-1)  # servers' clocks may differ
    assert await asked(token, device) == ("m", issued_at)
    assert await asked(token, Device("o", "192.0.2.1", "")) is None
    gone = second_factors.issue_challenge(app_state, User(id="gone"), device)
    assert await asked(gone, device) is None
    now = start + timedelta(minutes=10, seconds=5)
    assert await asked(token, device) is None
