"""The shared objects of a server, injected into endpoints as `AppStateDep`. Only `app.py` builds them."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated

from fastapi import Depends
from starlette.requests import HTTPConnection

from impasto import Catalog
from impasto_server.brands.imports.service import BrandImporter
from impasto_server.compiler.service import Compiler
from impasto_server.content_credentials.service import ContentCredentials
from impasto_server.db.engine import Database
from impasto_server.email.mailer import Mailer
from impasto_server.http.rate_limit import RateLimiter
from impasto_server.identity.oidc.client import OidcClient
from impasto_server.identity.passwords import PasswordHasher
from impasto_server.limits.service import LimitsService
from impasto_server.limits.slots import Slots, Streams
from impasto_server.observability.tracing import Tracing
from impasto_server.runs.backends import RunBackend
from impasto_server.runs.events.pubsub import PubSub
from impasto_server.runs.events.reader import EventReaders
from impasto_server.security.crypto import Encryptor, SigningKeyRing
from impasto_server.settings import Settings
from impasto_server.storage.object_storage import Storage
from impasto_server.users.data_owners import DataOwner
from impasto_server.utils import Clock, utc_now


@dataclass
class AppState:
    """Every object that lives as long as the server."""

    settings: Settings
    database: Database
    signing_keys: SigningKeyRing
    encryptor: Encryptor
    rate_limiter: RateLimiter
    mailer: Mailer
    password_hasher: PasswordHasher
    oidc_client: OidcClient
    catalog: Catalog
    compiler: Compiler
    storage: Storage
    content_credentials: ContentCredentials
    brand_importer: BrandImporter
    pubsub: PubSub
    event_readers: EventReaders
    limits: LimitsService
    slots: Slots
    streams: Streams
    tracing: Tracing | None = None
    data_owners: Sequence[DataOwner] = ()
    clock: Clock = field(default=utc_now)
    video_marking: asyncio.Lock = field(default_factory=asyncio.Lock)
    runs: RunBackend = field(init=False)


def get_app_state(connection: HTTPConnection) -> AppState:
    """Return the state of the application that handles this request."""
    app_state: AppState = connection.app.state.app_state
    return app_state


async def _app_state(connection: HTTPConnection) -> AppState:
    # FastAPI calls what is not a coroutine function in a thread.
    return get_app_state(connection)


AppStateDep = Annotated[AppState, Depends(_app_state)]
