"""MkDocs hook: the reference of the server's settings, generated from the settings class."""

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from impasto_server.settings import ELSEWHERE, Settings


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated page."""
    files.append(File.generated(config, "reference/settings.md", content=page()))
    return files


def page() -> str:
    """Every variable with its default and meaning."""
    lines = [
        "# Settings",
        "",
        "Environment variables, or lines of a `.env` file. `impasto settings` prints them with their values.",
        "",
        "| variable | default | meaning |",
        "| --- | --- | --- |",
    ]
    for name, field in Settings.model_fields.items():
        default = "" if field.default in (None, "", ()) else f"`{field.default}`"
        lines.append(f"| `IMPASTO_{name.upper()}` | {default} | {field.description} |")
    lines += [f"| `{variable}` | | {meaning} |" for variable, meaning in ELSEWHERE.items()]
    return "\n".join([*lines, ""])
