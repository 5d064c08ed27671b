"""Choosing the backend and the signals that the settings name."""

from impasto_server.container import AppState
from impasto_server.runs.backends import RunBackend
from impasto_server.runs.pubsub import LocalSignals, RedisSignals, Signals
from impasto_server.settings import Settings


def open_signals(settings: Settings) -> Signals:
    """Return the signals: through Redis as soon as there is one, else inside the process."""
    return RedisSignals(settings.redis_url) if settings.redis_url else LocalSignals()


def open_backend(app_state: AppState) -> RunBackend:
    """Return the backend that the settings name."""
    if app_state.settings.run_backend == "celery":
        from impasto_server.runs.backends.celery import CeleryBackend

        return CeleryBackend(app_state)
    from impasto_server.runs.backends.in_process import InProcessBackend

    return InProcessBackend(app_state)
