"""A server process with the nodes of the load benchmark, configured by environment variables.

It serves as `impasto serve` does.
"""

import uvicorn
from nodes import catalog

from impasto.garbage_collection import gc_paused
from impasto_server.cli.serving import make_config
from impasto_server.settings import Settings

if __name__ == "__main__":
    settings = Settings()
    with gc_paused():
        from impasto_server.app import create_app

        app = create_app(settings, catalog=catalog())
    config = make_config(app, settings)
    config.port = settings.port
    uvicorn.Server(config).run()
