"""Compiles the modules that a server imports, by importing them: a quarter of those that are installed.

Run it before the first start. Compiling every module takes twice the processor time, most of it for modules
of libraries that nothing here imports; Python compiles those when something does.
"""

import os
import subprocess
import sys

# Two processes, for two processor cores: the server, and what it loads in the background after its start.
PARTS = (
    "import impasto_server.app, impasto_server.cli.commands, networkx;"
    "import uvicorn.lifespan.on, uvicorn.loops.auto, uvicorn.protocols.http.auto;"
    "import uvicorn.protocols.websockets.auto; from PIL import Image; Image.init()",
    "import impasto, impasto_server.nodes.preload as later; impasto.Catalog.discover(); later.preload()",
)


def main() -> int:
    """Import both parts; return 0 if that worked, or 1."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    started = [
        subprocess.Popen([sys.executable, "-c", f"import gc; gc.disable(); {part}"], env=environment)
        for part in PARTS
    ]
    return max(process.wait() != 0 for process in started)


if __name__ == "__main__":
    sys.exit(main())
