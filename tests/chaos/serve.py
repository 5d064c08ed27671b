"""A real server process with the sample nodes and those that buy, configured by environment variables."""

import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
from impasto.garbage_collection import gc_paused, skip_final_collection

with gc_paused():
    from tests.chaos.paid_nodes import chaos_catalog
    from tests.server.barriers import extend_grace
    from tests.server.forked_compilers import fork_compilers

    from impasto_server.app import create_app
    from impasto_server.cli.serving import Server, make_config


def serve(on_ready: Callable[[], None]) -> None:
    extend_grace()
    fork_compilers()
    app = create_app(catalog=chaos_catalog())
    settings = app.state.app_state.settings
    config = make_config(app, settings)
    config.port = settings.port
    Server(config, app, on_started=on_ready).run()


if __name__ == "__main__":
    skip_final_collection()
    serve(lambda: print("ready", flush=True))
