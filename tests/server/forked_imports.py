"""Modules that servers and workers of the tests import: no settings are read, no thread is started."""

import gc
from importlib import import_module

from impasto.garbage_collection import gc_paused

_MODULES = (
    "c2pa",
    "celery.apps.worker",
    "celery.bin.worker",
    "celery.concurrency.thread",
    "celery.worker.consumer",
    "kombu.transport.redis",
    "sqlalchemy.dialects.postgresql.asyncpg",
    "sqlalchemy.dialects.sqlite.aiosqlite",
    "uvicorn.lifespan.on",
    "uvicorn.protocols.http.httptools_impl",
    "uvicorn.protocols.websockets.auto",
    "tests.chaos.paid_nodes",
    "impasto_server.app",
    "impasto_server.compiler.worker",
    "impasto_server.content_credentials.worker",
    "impasto_server.db.migrations.runner",
)

with gc_paused():
    for _name in _MODULES:
        import_module(_name)
gc.freeze()  # a collection in a forked process would copy the pages of all modules
