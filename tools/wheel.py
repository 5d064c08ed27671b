"""Puts the built editor and the built-in agents into the wheel, as Hatchling's build hook.

An editable installation uses those of the checkout.
"""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ProductFiles(BuildHookInterface):  # type: ignore[misc]
    """Adds `impasto_server/editor` and `impasto_server/agents` to a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Name the files to add. Warns if the editor is not built: the wheel then serves the API only."""
        if version != "standard":
            return
        root = Path(self.root)
        files = {
            path: f"impasto_server/agents/{path.name}" for path in (root / "examples/agents").glob("*.json")
        }
        covers = root / "examples/agents/covers"
        files |= {path: f"impasto_server/agents/covers/{path.name}" for path in covers.iterdir()}
        editor = root / "editor" / "dist"
        if (editor / "index.html").is_file():
            files[editor] = "impasto_server/editor"
        else:
            self.app.display_warning("The editor is not built: the wheel has the API only. Use `make dist`.")
        build_data["force_include"].update({str(path): place for path, place in files.items()})
