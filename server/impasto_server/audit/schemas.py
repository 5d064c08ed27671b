"""Entries of the audit log, and their filters."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NamedTuple

Action = Literal[
    "account.create",
    "account.confirm",
    "account.confirm_request",
    "account.delete",
    "account.export",
    "agent.feature",
    "agent.republish",
    "agent.unfeature",
    "agent.unpublish",
    "api_key.create",
    "api_key.revoke",
    "api_key.use",
    "audit.export",
    "backup.create",
    "backup.restore",
    "email.change",
    "email.change_request",
    "invitation.accept",
    "invitation.create",
    "invitation.resend",
    "invitation.revoke",
    "keys.rotate",
    "model.download",
    "model.remove",
    "passkey.add",
    "passkey.remove",
    "password.change",
    "password.reset",
    "password.reset_request",
    "provider_key.delete",
    "provider_key.set",
    "recovery_codes.create",
    "run.cancel",
    "run.requeue",
    "second_factors.remove",
    "session.reuse",
    "session.revoke",
    "sign_in",
    "sign_out",
    "totp.disable",
    "totp.enable",
    "user.grant_admin",
    "user.restore",
    "user.revoke_admin",
    "user.set_betas",
    "user.set_limits",
    "user.suspend",
]
Outcome = Literal["success", "failure", "denied"]
TargetKind = Literal[
    "agent", "api_key", "audit", "invitation", "passkey", "provider", "run", "session", "user"
]
Detail = str | int | bool | None


class Target(NamedTuple):
    """What an action was done to. The id stays in the log when the target is deleted."""

    kind: TargetKind
    id: str


@dataclass(frozen=True)
class AuditFilter:
    """Which entries to read: those that match every given field.

    `action` also matches the actions below it: "api_key" matches "api_key.create". `user_id` matches what
    the user did and what was done to them.
    """

    action: str | None = None
    outcome: str | None = None
    user_id: str | None = None
    address: str | None = None
    since: datetime | None = None
    until: datetime | None = None
