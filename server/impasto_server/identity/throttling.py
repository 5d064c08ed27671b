"""Growing delays between failed sign-ins, counted so that a stranger cannot lock out the owner.

Failures count under one of three keys: the device, if the user has signed in on it before; else the IP
address, if the user has recently signed in from it; else the account. A stranger only delays other strangers.
An owner on a new device at a new address signs in after a password reset, which makes the device known.
"""

from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from impasto_server.container import AppState
from impasto_server.db.text_normalization import normalize_login
from impasto_server.identity import repository
from impasto_server.identity.sessions.devices import Device

_KNOWN_ADDRESS_DAYS = 30
# Failures from one address to all accounts together, as a multiple of those to one account.
_ADDRESS_FACTOR = 10

Counters = tuple[tuple[str, ...], ...]


async def counters(
    app_state: AppState, session: AsyncSession, login: str, user_id: str | None, device: Device
) -> Counters:
    """Return the keys under which an attempt of this device to use this account is counted."""
    if user_id is None:
        # Unknown names share a few thousand counters, so that invented names cannot fill the memory. The hash
        # is keyed: who could compute it would recognize existing accounts by the counters that they do not
        # share.
        name = app_state.encryptor.sign(normalize_login(login), "unknown accounts")[:3]
        user_id, known = f"unknown {name}", None
    else:
        known = await repository.known_device(session, user_id, device.digest)
    if known is not None:
        return (("device", user_id, device.digest),)
    since = app_state.clock() - timedelta(days=_KNOWN_ADDRESS_DAYS)
    if await repository.is_known_address(session, user_id, device.block, since):
        return (("account address", user_id, device.block),)
    return (("account", user_id), ("address", device.block))


async def count_attempt(app_state: AppState, keys: Counters) -> None:
    """Count an attempt before it is known whether it succeeds. Raises `RateLimited`."""
    settings = app_state.settings
    for key in keys:
        free = settings.sign_in_tries * (_ADDRESS_FACTOR if key[0] == "address" else 1)
        await app_state.rate_limiter.attempt(free, settings.sign_in_max_delay, *key)


async def on_success(app_state: AppState, keys: Counters) -> None:
    """Reset the failures of the account; those of an address to other accounts still count."""
    for key in keys:
        if key[0] != "address":
            await app_state.rate_limiter.forget_attempts(*key)
