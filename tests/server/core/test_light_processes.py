"""Processes that read the files and documents of users start without what only the server needs."""

import subprocess
import sys

PROGRAM = """
import sys
import impasto_server.brands.imports.worker
import impasto_server.compiler.worker
import impasto_server.content_credentials.worker
print(*sorted({"fastapi", "pydantic_settings", "sqlalchemy", "starlette"} & set(sys.modules)))
"""


def test_worker_processes_load_no_web_framework_and_no_database() -> None:
    ran = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == []
