"""A server process with the nodes of the load benchmark, configured by environment variables."""

import os

import uvicorn
from nodes import catalog

from impasto_server.app import create_app

if __name__ == "__main__":
    uvicorn.run(create_app(catalog=catalog()), port=int(os.environ["IMPASTO_PORT"]), log_config=None)
