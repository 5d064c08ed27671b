"""MkDocs hook: the reference of the built-in nodes, generated from the catalog."""

from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from tools.docs.markdown import cell

from impasto import Catalog


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated page."""
    described = Catalog.discover().describe()
    files.append(File.generated(config, "reference/nodes.md", content=page(described)))
    return files


def page(described: dict[str, Any]) -> str:
    """Every node type of Impasto's own packages by category, then the conversions."""
    lines = [
        "# Nodes",
        "",
        "The built-in node types, generated from the catalog.",
        "`impasto nodes` lists those of every installed plugin.",
        "",
    ]
    for category in described["categories"]:
        lines += [f"## {category.replace('_', ' ').capitalize().replace('Ai ', 'AI ')}", ""]
        for item in described["types"]:
            if item["category"] == category and item["package"] == "impasto" and not item["deprecated"]:
                lines += node_type(item)
    lines += ["## Conversions", "", "An edge converts its value where the two types differ.", ""]
    lines += ["| from | to |", "| --- | --- |"]
    for source in described["value_types"]:
        targets = [each["to"] for each in described["conversions"] if each["from"] == source]
        lines.append(f"| {source} | {', '.join(targets) or 'nothing else'} |")
    return "\n".join([*lines, ""])


def node_type(item: dict[str, Any]) -> list[str]:
    """One node type: help, ports and settings."""
    lines = [f"### {item['title']} {{ #{item['id']} }}", "", f"`{item['id']}`", "", item["help"], ""]
    ports = [("input", each) for each in item["inputs"]] + [("output", each) for each in item["outputs"]]
    if ports:
        lines += ["| port | | type | |", "| --- | --- | --- | --- |"]
        lines += [
            f"| `{port['name']}` | {side} | {port['type']} | {cell(port.get('help') or '')} |"
            for side, port in ports
        ]
        lines.append("")
    fields = item["settings"].get("properties", {})
    if fields:
        lines += ["| setting | default | |", "| --- | --- | --- |"]
        lines += [
            f"| `{name}` | {default_of(field)} | {cell(field.get('description', ''))} |"
            for name, field in fields.items()
        ]
        lines.append("")
    return lines


def default_of(field: dict[str, Any]) -> str:
    """A setting's default, or that it is required."""
    if "default" not in field:
        return "required"
    value = field["default"]
    return "" if value in (None, "", [], {}) else f"`{cell(str(value))}`"
