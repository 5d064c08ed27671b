"""Deletion of an account with everything that its user owns."""

from impasto_server.assets.garbage import mark_for_deletion, sweep
from impasto_server.audit import service as audit
from impasto_server.audit.schemas import Target
from impasto_server.container import AppState
from impasto_server.identity import service as identity
from impasto_server.identity.errors import WrongPassword
from impasto_server.identity.sessions.devices import Device
from impasto_server.users import avatars, repository
from impasto_server.users.models import User


async def delete(app_state: AppState, user: User, password: str, device: Device) -> None:
    """Delete a user's account after checking the password.

    A user who has no password here, because an OpenID Connect provider signs them in, needs none. Raises
    `WrongPassword`, or `RateLimited` after too many wrong ones.
    """
    try:
        await identity.confirm_password(app_state, user, password, device)
    except WrongPassword:
        target = Target("user", user.id)
        await audit.record_refusal(app_state, "account.delete", "failure", actor_id=user.id, target=target)
        raise
    await erase(app_state, user.id, actor_id=user.id)


async def erase(app_state: AppState, user_id: str, *, actor_id: str | None = None) -> None:
    """Delete a user, the rows of every feature and the stored objects. An unknown id is ignored.

    `actor_id` is the user who deletes the account, or None for the operator at the command line.
    """
    async with app_state.database.writing() as session:
        user = await repository.by_id(session, user_id)
        if user is None:
            return
        erasures = [await owner.erase(session, user_id) for owner in app_state.data_owners]
        keys = [*avatars.object_keys(user), *(key for each in erasures for key in each.object_keys)]
        await mark_for_deletion(session, keys)
        await session.delete(user)
        target = Target("user", user_id)
        await audit.record(app_state, session, "account.delete", actor_id=actor_id, target=target)
    for topic in (topic for each in erasures for topic in each.topics):
        app_state.pubsub.publish(topic)
    await sweep(app_state, keys)
