"""The parts the server is made of, handed to whoever needs one. `app.py` builds them, nothing else does."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from impasto import Catalog
from impasto_server.db.engine import Database
from impasto_server.email.mailer import Mailer
from impasto_server.http.rate_limit import RateLimiter
from impasto_server.identity.passwords import PasswordHasher
from impasto_server.runs.backends import RunBackend
from impasto_server.runs.pubsub import Signals
from impasto_server.security.crypto import Encryptor, SigningKeyRing
from impasto_server.settings import Settings
from impasto_server.storage.object_storage import Storage
from impasto_server.utils import Clock, utc_now

if TYPE_CHECKING:
    from impasto_server.identity.oidc_client import OidcClient
    from impasto_server.users.data_owners import DataOwner


@dataclass
class AppState:
    """Everything that lives as long as the server."""

    settings: Settings
    database: Database
    signing_keys: SigningKeyRing
    encryptor: Encryptor
    rate_limiter: RateLimiter
    mailer: Mailer
    password_hasher: PasswordHasher
    oidc_client: "OidcClient"
    catalog: Catalog
    storage: Storage
    signals: Signals
    data_owners: "Sequence[DataOwner]" = ()
    clock: Clock = field(default=utc_now)
    runs: RunBackend = field(init=False)


def get_app_state(connection: HTTPConnection) -> AppState:
    """Return the parts of the app that answers this request."""
    app_state: AppState = connection.app.state.app_state
    return app_state


AppStateDep = Annotated[AppState, Depends(get_app_state)]
