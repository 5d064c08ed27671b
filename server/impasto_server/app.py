"""Builds the application: its state, routers, middleware and lifespan. The only module that wires them."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import cache
from typing import Any

import structlog
from fastapi import APIRouter, FastAPI
from fastapi.middleware.cors import CORSMiddleware
from fastapi.routing import APIRoute
from starlette.routing import BaseRoute

from impasto import Catalog
from impasto.garbage_collection import fewer_collections
from impasto_server.admin import endpoints as admin
from impasto_server.api_keys import endpoints as api_keys
from impasto_server.asset_versions import endpoints as asset_versions
from impasto_server.assets import endpoints as assets
from impasto_server.assets.user_data import data_owner as asset_data
from impasto_server.audit.origin import OriginMiddleware
from impasto_server.batches import endpoints as batches
from impasto_server.brands import endpoints as brands
from impasto_server.brands.imports import endpoints as brand_imports
from impasto_server.brands.imports.service import BrandImporter
from impasto_server.brands.user_data import data_owner as brand_data
from impasto_server.callbacks import endpoints as callbacks
from impasto_server.collections import endpoints as collections
from impasto_server.collections.user_data import data_owner as collection_data
from impasto_server.compiler.service import Compiler
from impasto_server.connections import endpoints as connections
from impasto_server.container import AppState
from impasto_server.content_credentials import authority
from impasto_server.content_credentials.service import ContentCredentials
from impasto_server.credentials import endpoints as credentials
from impasto_server.customizations import endpoints as customizations
from impasto_server.customizations.user_data import data_owner as customization_data
from impasto_server.db.clock import DatabaseClock, measuring
from impasto_server.db.engine import Database
from impasto_server.db.migrations.runner import migrate
from impasto_server.email.mailer import Mailer
from impasto_server.file_modes import make_private_folder, restrict_existing
from impasto_server.flows import endpoints as flows
from impasto_server.flows.seed import seed
from impasto_server.flows.user_data import data_owner as flow_data
from impasto_server.housekeeping import housekeeping
from impasto_server.http import security_txt
from impasto_server.http.compression import CompressionMiddleware
from impasto_server.http.errors import install_error_handlers
from impasto_server.http.idempotency import IdempotencyMiddleware
from impasto_server.http.json_limits import JsonLimitMiddleware
from impasto_server.http.middleware import (
    AuthenticateBeforeBody,
    BodyLimitMiddleware,
    RejectNullBytes,
    RequestIdMiddleware,
    SecurityHeadersMiddleware,
    TrailingSlashMiddleware,
)
from impasto_server.http.openapi import CONTACT, LICENSE, RESPONSES, SERVERS, TAGS, complete_openapi
from impasto_server.http.rate_limit import RateLimiter
from impasto_server.http.static import HashedFilesMiddleware, mount_spa
from impasto_server.identity import endpoints as identity
from impasto_server.identity.email_change import endpoints as email_change_endpoints
from impasto_server.identity.oidc import endpoints as oidc_endpoints
from impasto_server.identity.oidc.client import OidcClient
from impasto_server.identity.passwords import PasswordHasher
from impasto_server.identity.second_factors import endpoints as second_factor_endpoints
from impasto_server.impact import endpoints as impact
from impasto_server.limits import endpoints as limit_endpoints
from impasto_server.limits.service import LimitsService
from impasto_server.limits.slots import Slots, Streams
from impasto_server.nodes import endpoints as nodes
from impasto_server.nodes.preload import preloading
from impasto_server.observability import telemetry
from impasto_server.observability.health import router as health_router
from impasto_server.observability.loop_watchdog import watch_event_loop
from impasto_server.observability.tracing import TracingMiddleware, open_tracing
from impasto_server.runs import endpoints as runs
from impasto_server.runs.backends import RunBackend
from impasto_server.runs.backends.in_process import InProcessBackend
from impasto_server.runs.events.pubsub import LocalPubSub, PubSub, RedisPubSub
from impasto_server.runs.events.reader import EventReaders
from impasto_server.runs.user_data import data_owner as run_data
from impasto_server.security.crypto import open_keys
from impasto_server.settings import Settings
from impasto_server.storage.object_storage import Storage
from impasto_server.users import endpoints as users
from impasto_server.users import onboarding
from impasto_server.users.data_owners import DataOwner
from impasto_server.utils import Clock, own_version, short_switch_interval
from impasto_server.versions import endpoints as versions

log = structlog.get_logger()
API = "/api/v1"

# A request is compared with each path in this order: those that are requested most often are first.
ROUTERS: Sequence[APIRouter] = (
    runs.router,
    identity.router,
    oidc_endpoints.router,
    second_factor_endpoints.router,
    email_change_endpoints.router,
    identity.jwks_router,
    users.router,
    limit_endpoints.router,
    onboarding.router,
    flows.router,
    customizations.router,
    versions.router,
    batches.router,
    brands.router,
    brand_imports.router,
    impact.router,
    assets.router,
    collections.router,
    asset_versions.router,
    nodes.router,
    callbacks.router,
    connections.router,
    credentials.router,
    api_keys.router,
    admin.router,
)
DATA_OWNERS: Sequence[DataOwner] = (
    flow_data,
    customization_data,
    run_data,
    asset_data,
    collection_data,
    brand_data,
)


def create_app(
    settings: Settings | None = None, catalog: Catalog | None = None, *, clock: Clock | None = None
) -> FastAPI:
    """Build the application. Its lifespan migrates the database and starts the run backend.

    `clock` is the database's if omitted.
    """
    settings = settings or Settings()
    telemetry.configure_logging(settings)
    app = _bare_app(settings)
    app_state = app.state.app_state = build_app_state(settings, catalog, clock)
    install_error_handlers(app)
    _add_middleware(app, app_state)
    return app


def build_schema() -> dict[str, Any]:
    """Return the OpenAPI document. Needs neither a data folder nor secrets."""
    return _bare_app(Settings(environment="development")).openapi()


def _bare_app(settings: Settings) -> FastAPI:
    app = FastAPI(
        title="Impasto",
        version=own_version(),
        description="Build AI agents as node flows and run them to make text, images, video and speech.",
        lifespan=_lifespan,
        openapi_url=None if settings.production else "/openapi.json",
        redoc_url=None,
        openapi_tags=TAGS,
        servers=SERVERS,
        contact=CONTACT,
        license_info=LICENSE,
    )
    _add_routes(app, settings)
    complete_openapi(app)
    return app


def build_app_state(
    settings: Settings, catalog: Catalog | None = None, clock: Clock | None = None
) -> AppState:
    """Build the shared objects of a server without starting anything."""
    make_private_folder(settings.data_dir)
    restrict_existing(settings)
    signing_keys, encryptor = open_keys(settings)
    authority.prepare(settings)
    database = Database(
        settings.database, pool_size=settings.database_pool, idle_seconds=settings.database_idle_seconds
    )
    clock = clock or DatabaseClock(database)
    limits = LimitsService(settings, database, clock)
    catalog = catalog or Catalog.discover(configuration=settings.configuration)
    _log_unloaded(catalog)
    rate_limiter = RateLimiter(settings.redis_url)
    pubsub = _make_pubsub(settings)
    app_state = AppState(
        settings=settings,
        database=database,
        limits=limits,
        slots=Slots(settings, limits, database, clock),
        streams=Streams(settings, limits),
        signing_keys=signing_keys,
        encryptor=encryptor,
        rate_limiter=rate_limiter,
        mailer=Mailer(settings, clock, database, encryptor),
        password_hasher=PasswordHasher(settings),
        oidc_client=OidcClient(settings, clock),
        catalog=catalog,
        compiler=Compiler(settings, catalog, rate_limiter),
        storage=Storage.from_settings(settings),
        content_credentials=ContentCredentials(settings),
        brand_importer=BrandImporter(settings, rate_limiter),
        tracing=open_tracing(settings),
        data_owners=DATA_OWNERS,
        pubsub=pubsub,
        event_readers=EventReaders(database, pubsub),
        clock=clock,
    )
    app_state.runs = _make_backend(app_state)
    return app_state


def _log_unloaded(catalog: Catalog) -> None:
    for broken in catalog.broken:
        log.warning("plugin failed to load", plugin=broken.name, error=broken.traceback)
    for refused in catalog.refused:
        log.warning("plugin refused", package=refused.package, reason=refused.reason, hint=refused.hint)


def _make_pubsub(settings: Settings) -> PubSub:
    return RedisPubSub(settings.redis_url) if settings.redis_url else LocalPubSub()


def _make_backend(app_state: AppState) -> RunBackend:
    if app_state.settings.run_backend == "celery":
        # Imported here: celery is installed with the extra "scale" only.
        from impasto_server.runs.backends.celery import CeleryBackend

        return CeleryBackend(app_state)
    return InProcessBackend(app_state)


@asynccontextmanager
async def open_app_state(settings: Settings) -> AsyncIterator[AppState]:
    """Yield the state for a program that serves no requests, after migrating the database."""
    telemetry.configure_logging(settings)
    app_state = build_app_state(settings)
    async with AsyncExitStack() as stack:
        if app_state.tracing is not None:
            stack.push_async_callback(app_state.tracing.close)
        stack.push_async_callback(app_state.database.close)
        stack.push_async_callback(app_state.rate_limiter.close)
        stack.push_async_callback(app_state.slots.close)
        # Its connection for sending opens with the first message, without it being entered.
        stack.push_async_exit(app_state.pubsub)
        stack.push_async_callback(app_state.brand_importer.close)
        stack.push_async_callback(app_state.content_credentials.close)
        stack.push_async_callback(app_state.compiler.close)
        await migrate(settings.database)
        await stack.enter_async_context(measuring(app_state.clock))
        yield app_state
        await app_state.pubsub.flush()


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    app_state: AppState = app.state.app_state
    async with AsyncExitStack() as stack:
        stack.enter_context(short_switch_interval())
        stack.enter_context(fewer_collections())
        if app_state.tracing is not None:
            stack.push_async_callback(app_state.tracing.close)
        stack.push_async_callback(app_state.database.close)
        stack.push_async_callback(app_state.rate_limiter.close)
        stack.push_async_callback(app_state.slots.close)
        stack.push_async_callback(app_state.content_credentials.close)
        stack.push_async_callback(app_state.brand_importer.close)
        _prepare_routes()
        await migrate(app_state.settings.database)
        await stack.enter_async_context(measuring(app_state.clock))
        await app_state.storage.check_bucket()
        await stack.enter_async_context(app_state.compiler)
        await stack.enter_async_context(housekeeping(app_state))
        await stack.enter_async_context(app_state.mailer)
        await seed(app_state)
        await stack.enter_async_context(app_state.pubsub)
        stack.enter_context(watch_event_loop())
        await stack.enter_async_context(app_state.runs)
        await stack.enter_async_context(preloading(app_state.settings))
        yield


def _add_routes(app: FastAPI, settings: Settings) -> None:
    app.router.routes.extend(shared_routes())
    mount_spa(app, settings)


@cache
def shared_routes() -> Sequence[BaseRoute]:
    """Return the routes of every application of this process.

    FastAPI prepares them at their first request, which takes longer than the start of an application: a
    process that starts many, as tests do, prepares them once.
    """
    owner = FastAPI(responses=RESPONSES, generate_unique_id_function=_operation_id, openapi_url=None)
    for router in ROUTERS:
        owner.include_router(router, prefix=API)
    owner.include_router(identity.jwks_router, include_in_schema=False)  # where OIDC clients look for it
    owner.include_router(health_router)
    owner.include_router(security_txt.router)
    owner.include_router(telemetry.router)
    return owner.routes


@cache
def _prepare_routes() -> None:
    """Match a path against every shared route, which makes FastAPI prepare it.

    The first request would do so, and hold up the event loop for half a second or more.
    """
    scope = {"type": "http", "method": "GET", "path": "/", "root_path": "", "headers": []}
    for route in shared_routes():
        route.matches(scope)


def _add_middleware(app: FastAPI, app_state: AppState) -> None:
    """Add middleware from the inside out: the last one added sees a request first."""
    settings = app_state.settings
    app.add_middleware(CompressionMiddleware)
    app.add_middleware(JsonLimitMiddleware, max_values=settings.json_values)
    app.add_middleware(IdempotencyMiddleware)
    app.add_middleware(BodyLimitMiddleware, settings=settings)
    app.add_middleware(AuthenticateBeforeBody)
    app.add_middleware(RejectNullBytes)
    app.add_middleware(TrailingSlashMiddleware, prefix=f"{API}/", collections=_collections())
    if settings.cors_origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(settings.cors_origins),
            allow_methods=["*"],
            allow_headers=["*"],
            allow_credentials=True,
            expose_headers=["ETag", "X-Request-ID", "Retry-After"],
        )
    app.add_middleware(OriginMiddleware)
    if app_state.tracing is not None:
        app.add_middleware(TracingMiddleware, tracing=app_state.tracing)
    app.add_middleware(HashedFilesMiddleware, settings=settings)
    app.add_middleware(RequestIdMiddleware)
    app.add_middleware(SecurityHeadersMiddleware, https=settings.origin.startswith("https://"))


def _collections() -> frozenset[str]:
    """Return the paths of the API that end with a slash."""
    paths = (getattr(route, "path", "") for router in ROUTERS for route in router.routes)
    return frozenset(API + path for path in paths if path.endswith("/"))


def _operation_id(route: APIRoute) -> str:
    tag = str(route.tags[0]) if route.tags else "system"
    return f"{tag}_{route.name.strip('_')}"
