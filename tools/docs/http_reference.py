"""MkDocs hook: the reference of the HTTP API, generated from the server's OpenAPI document.

One page for each tag, and `schemas.md` with every schema that the calls refer to.
"""

import json
import tempfile
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from tools.docs.markdown import cell

FOLDER = "reference/http"
VERBS = ("get", "post", "put", "patch", "delete")
LIMITS = {
    "minimum": "≥ {}",
    "maximum": "≤ {}",
    "exclusiveMinimum": "> {}",
    "exclusiveMaximum": "< {}",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
    "pattern": "matches `{}`",
}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages."""
    document = openapi_document()
    operations = operations_by_tag(document)
    for tag, calls in operations.items():
        text = f"# {title_of(tag)}\n\n" + "\n".join(operation(document, *call) for call in calls)
        files.append(File.generated(config, f"{FOLDER}/{tag}.md", content=text))
    files.append(File.generated(config, f"{FOLDER}/index.md", content=overview(document, operations)))
    files.append(File.generated(config, f"{FOLDER}/schemas.md", content=schemas(document)))
    return files


def openapi_document() -> dict[str, Any]:
    """The document that `impasto openapi` prints."""
    (entry,) = entry_points(group="impasto.commands", name="openapi")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "openapi.json"
        entry.load()(out=file)
        document: dict[str, Any] = json.loads(file.read_bytes())
    return document


def operations_by_tag(document: dict[str, Any]) -> dict[str, list[tuple[str, str, dict[str, Any]]]]:
    """Every operation as (verb, path, operation), grouped by its first tag in alphabetical order."""
    grouped: dict[str, list[tuple[str, str, dict[str, Any]]]] = {}
    for path, item in document["paths"].items():
        for verb in VERBS:
            if verb in item:
                grouped.setdefault(item[verb]["tags"][0], []).append((verb, path, item[verb]))
    return dict(sorted(grouped.items()))


def overview(document: dict[str, Any], operations: dict[str, list[tuple[str, str, dict[str, Any]]]]) -> str:
    """The first page: what all calls share, and a table of them."""
    lines = [
        "# HTTP API",
        "",
        f"Version {document['info']['version']}, generated from the server's OpenAPI document;",
        "`impasto openapi` prints that document.",
        "[Calling agents from programs](../../guides/http-api.md) is the guide.",
        "",
        "Errors are `application/problem+json` ([ProblemDocument](schemas.md#problemdocument)).",
        "Calls marked with a key take `Authorization: Bearer …` with an identity token or an API key.",
        "",
    ]
    for tag, calls in operations.items():
        lines += [f"## {title_of(tag)}", "", "| call | takes | what |", "| --- | --- | --- |"]
        for verb, path, item in calls:
            link = f"[`{verb.upper()} {path}`]({tag}.md#{item['operationId']})"
            lines.append(
                f"| {link} | {'key' if item.get('security') else ''} | {cell(first_sentence(item))} |"
            )
        lines.append("")
    return "\n".join(lines)


def operation(document: dict[str, Any], verb: str, path: str, item: dict[str, Any]) -> str:
    """One call: description, parameters, body and answers."""
    lines = [f"## `{verb.upper()} {path}` {{ #{item['operationId']} }}", "", item.get("description", ""), ""]
    if item.get("security"):
        lines += ["Takes a bearer token.", ""]
    if parameters := [resolved(document, each) for each in item.get("parameters", ())]:
        lines += ["| parameter | in | type | description |", "| --- | --- | --- | --- |"]
        for each in parameters:
            name = f"`{each['name']}`" + (" (required)" if each.get("required") else "")
            lines.append(
                f"| {name} | {each['in']} | {type_of(each['schema'])} | {cell(each.get('description', ''))} |"
            )
        lines.append("")
    body = item.get("requestBody", {}).get("content", {})
    lines += [f"Body, `{media}`: {type_of(content['schema'])}\n" for media, content in body.items()]
    for status, answer in item["responses"].items():
        lines.append(f"- {'other' if status == 'default' else status}: {answer_of(answer)}")
    return "\n".join([*lines, ""])


def answer_of(answer: dict[str, Any]) -> str:
    """The media types and schemas of one response, or its description where it has none."""
    contents = [
        f"{type_of(content['schema'])} as `{media}`" if content.get("schema") else f"`{media}`"
        for media, content in answer.get("content", {}).items()
    ]
    return ", or ".join(contents) or "no body"


def schemas(document: dict[str, Any]) -> str:
    """Every schema with a table of its fields."""
    lines = [
        "# Schemas",
        "",
        "The data that calls take and answer. A field without a default is always there.",
        "",
    ]
    for name, schema in sorted(document["components"]["schemas"].items()):
        lines += [f"## {name}", "", schema.get("description", ""), ""]
        fields = schema.get("properties")
        if not fields:
            lines += [f"Type: {type_of(schema)}", ""]
            continue
        required = schema.get("required", ())
        lines += ["| field | type | description |", "| --- | --- | --- |"]
        for field, kind in fields.items():
            notes = [kind.get("description", "")]
            if "default" in kind:
                notes.append(f"Default: `{json.dumps(kind['default'])}`.")
            elif field not in required:
                notes.append("Optional.")
            lines.append(f"| `{field}` | {type_of(kind)} | {cell(' '.join(filter(None, notes)))} |")
        lines.append("")
    return "\n".join(lines)


def type_of(schema: dict[str, Any]) -> str:
    """A schema as a short phrase, with a link where it has a name."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[-1]
        return f"[{name}](schemas.md#{name.lower()})"
    for union in ("anyOf", "oneOf"):
        if union in schema:
            return cell(" or ".join(type_of(each) for each in schema[union]))
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    if schema.get("type") == "array":
        name = f"list of {type_of(schema.get('items', {}))}"
    else:
        name = schema.get("format") or (
            "file" if "contentMediaType" in schema else schema.get("type", "any JSON value")
        )
    limits = [text.format(cell(str(schema[key]))) for key, text in LIMITS.items() if key in schema]
    return f"{name} ({', '.join(limits)})" if limits else str(name)


def resolved(document: dict[str, Any], item: dict[str, Any]) -> dict[str, Any]:
    """A parameter, or the component that it refers to."""
    if "$ref" not in item:
        return item
    found: Any = document
    for part in item["$ref"].removeprefix("#/").split("/"):
        found = found[part]
    return dict(found)


def title_of(tag: str) -> str:
    """A tag as a heading: `api_keys` is "API keys"."""
    return tag.replace("_", " ").capitalize().replace("Api", "API")


def first_sentence(item: dict[str, Any]) -> str:
    """The first sentence of an operation's description."""
    return str(item.get("description", "")).split("\n")[0].split(". ")[0].rstrip(".") + "."
