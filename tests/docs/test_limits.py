"""The table of limits that no setting changes says what the code does."""

import re
from importlib import import_module
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "operate" / "limits.md").read_text("utf-8")
SECTION = PAGE.partition("## Limits that no setting changes")[2]
STATED = dict(re.findall(r"^\| ([^|]+?) \| (\d[^|]*?) \|$", SECTION, re.MULTILINE))
UNITS = {"KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "MB": 10**6}
ENGINE, NODES, SERVER = "impasto", "impasto_nodes", "impasto_server"
CREDENTIALS, LOCAL = f"{SERVER}.content_credentials", f"{NODES}.providers.local"
LIMITS = {
    "steps of the agents inside an agent": f"{ENGINE}.compiler.subflows.expansion:MAX_EXPANDED_STEPS",
    "agents inside agents, one in another": f"{SERVER}.flows.subflows:_MAX_DEPTH",
    "variables whose values use others, one after another": f"{ENGINE}.document.variables:_MAX_DEPTH",
    "characters of a prompt input": f"{NODES}.inputs.user_prompt:MAX_LENGTH",
    "rows of a table input": f"{NODES}.inputs.table:MAX_ROWS",
    "cases of a Condition": f"{NODES}.control.condition:MAX_CASES",
    "rules of one case": f"{NODES}.control.rules:MAX_RULES",
    "groups of rules": f"{NODES}.control.rules:MAX_GROUPS",
    "characters of a pattern": f"{NODES}.control.patterns:MAX_PATTERN_LENGTH",
    "values of a JSON Schema": f"{NODES}.providers.schemas.answers:MAX_SCHEMA_VALUES",
    "depth of a JSON Schema": f"{NODES}.providers.schemas.answers:MAX_SCHEMA_DEPTH",
    "patterns of a JSON Schema": f"{NODES}.providers.schemas.answers:MAX_SCHEMA_PATTERNS",
    "nodes of a ComfyUI workflow": f"{NODES}.providers.comfyui.workflow:MAX_NODES",
    "bytes of a ComfyUI workflow": f"{NODES}.providers.comfyui.workflow:MAX_BYTES",
    "problems that a check lists": f"{SERVER}.compiler.operations:MAX_PROBLEMS",
    "checks of a user that wait for a process": f"{SERVER}.compiler.service:_MAX_WAITING",
    "files of an exported agent": f"{ENGINE}.document.archive:MAX_FILES",
    "entries of an exported agent's zip": f"{ENGINE}.document.archive:MAX_ENTRIES",
    "document of an exported agent": f"{ENGINE}.document.archive:MAX_DOCUMENT_BYTES",
    "brands of an exported agent": f"{SERVER}.flows.import_archive:_MAX_BRANDS",
    "file of an agent that `impasto` reads": f"{ENGINE}.cli.agent_file:MAX_BYTES",
    "rows of a batch": f"{SERVER}.batches.table:MAX_ROWS",
    "cells of a batch's table": f"{SERVER}.batches.table:MAX_CELLS",
    "problems of a batch's rows that an answer lists": f"{SERVER}.batches.service:_MAX_ERRORS",
    "files of a launch": f"{SERVER}.runs.launch.inputs:_MAX_ASSETS",
    "brands of a launch": f"{SERVER}.runs.launch.brands:MAX_BRANDS",
    "a user's own values of an agent": f"{SERVER}.customizations.errors:MAX_BYTES",
    "headlines or images of one composition of ads": f"{NODES}.transform.compose_ads:MAX_VARIATIONS",
    "runs at a time for results of a changed brand": f"{SERVER}.impact.schemas:MAX_BATCH_RUNS",
    "results of a changed brand that one order names": f"{SERVER}.impact.schemas:MAX_SELECTED",
    "pixels of an image": f"{NODES}.media.image.image_file:MAX_PIXELS",
    "pixels of a frame of a video": f"{NODES}.media.video.video_reader:MAX_PIXELS",
    "seconds of a recording": f"{NODES}.media.audio.audio_file:MAX_SECONDS",
    "seconds of a video": f"{NODES}.media.video.video_reader:MAX_SECONDS",
    "seconds of a video that is marked as made by AI": f"{SERVER}.marking.video_mark:MAX_SECONDS",
    "SVG whose fonts are checked": f"{NODES}.ai.brand_checks.vector_text:_MAX_BYTES",
    "file that a provider returns": f"{NODES}.providers.download:MAX_BYTES",
    "file for ComfyUI": f"{NODES}.providers.comfyui.files:MAX_INPUT_BYTES",
    "avatar or cover": f"{SERVER}.users.avatars:_MAX_BYTES",
    "tags of an asset": f"{SERVER}.assets.schemas:MAX_TAGS",
    "versions of an asset": f"{SERVER}.asset_versions.service:MAX_VERSIONS",
    "earlier versions of an asset that are listed": f"{SERVER}.assets.repository:MAX_CHAIN",
    "steps of an image that can be changed": f"{SERVER}.asset_versions.composition:_MAX_STEPS",
    "seconds of composing an image again": f"{SERVER}.asset_versions.recompose:_SECONDS",
    "images that one process changes at a time": f"{SERVER}.asset_versions.service:_AT_ONCE",
    "pixels in all frames of a video that is marked as made by AI": f"{SERVER}.marking.video_mark:MAX_PIXELS",
    "megapixels of a video that gets a thumbnail": f"{SERVER}.assets.media.thumbnails:_MEGAPIXELS",
    "sources that the content credentials of a file name": f"{SERVER}.assets.origin.signing:MAX_INGREDIENTS",
    "source whose own content credentials are kept": f"{SERVER}.assets.origin.signing:_MAX_INGREDIENT_BYTES",
    "bytes of the provenance in a file": f"{SERVER}.assets.metadata.xmp:MAX_BYTES",
    "JSON file that is recognized by its content": f"{SERVER}.assets.media.probe:_MAX_PARSED_BYTES",
    "characters of a text that a search looks in": f"{SERVER}.assets.models:MAX_SEARCHED_CHARS",
    "images that an unknown file is compared with": f"{SERVER}.assets.similarity:MAX_SEARCHED",
    "similar images that are shown for a file": f"{SERVER}.assets.origin.provenance:_MAX_MATCHES",
    "files of a user that wait to be verified": f"{CREDENTIALS}.service:_MAX_READS_WAITING",
    "content credentials of a file that are shown": f"{CREDENTIALS}.worker:_MAX_REPORT_BYTES",
    "what the content credentials of its sources add to a file": f"{CREDENTIALS}.worker:_MAX_GROWTH_BYTES",
    "collections": f"{SERVER}.collections.errors:MAX_COLLECTIONS",
    "assets of a collection": f"{SERVER}.collections.errors:MAX_ASSETS",
    "MiB of memory of a process that draws or speaks": f"{LOCAL}.process:MEMORY_MB",
    "MiB of memory of a process with a language or caption model": f"{LOCAL}.process:MODEL_MEMORY_MB",
    "characters that the voice speaks at once": f"{LOCAL}.speech:_MAX_CHARACTERS",
    "seconds of a drawn clip": f"{LOCAL}.clip:MAX_SECONDS",
    "tokens of an answer": f"{LOCAL}.text:_MAX_TOKENS",
    "drafts of a model that follows instructions": f"{LOCAL}.text:_MAX_JUDGED_DRAFTS",
    "drafts of another language model": f"{LOCAL}.text:_MAX_DRAFTS",
    "seconds that a caption model hears at once": f"{LOCAL}.workers.transcribe:_WINDOW_SECONDS",
    "seconds until the model hub has answered": f"{LOCAL}.model_store.hub:_MAX_SECONDS",
    "attempts of a download that gets no further": f"{LOCAL}.model_store.download:_MAX_ATTEMPTS",
    "files of an import": f"{SERVER}.brands.imports.service:MAX_FILES",
    "file of an import": f"{SERVER}.brands.imports.service:MAX_FILE_BYTES",
    "exported brand": f"{SERVER}.brands.imports.service:MAX_EXPORT_BYTES",
    "document of an exported brand": f"{SERVER}.brands.imports.archive:MAX_DOCUMENT_BYTES",
    "page of a website": f"{SERVER}.brands.imports.fetch:MAX_PAGE_BYTES",
    "stylesheet of a website": f"{SERVER}.brands.imports.fetch:MAX_STYLESHEET_BYTES",
    "stylesheets of a website": f"{SERVER}.brands.imports.page:MAX_STYLESHEETS",
    "pages of a PDF file": f"{SERVER}.brands.imports.pdf:MAX_PAGES",
    "logo": f"{SERVER}.brands.imports.archive:MAX_LOGO_BYTES",
    "file of a font": f"{SERVER}.brands.imports.font_file:MAX_BYTES",
    "files of fonts": f"{SERVER}.brands.schemas:MAX_FONT_FILES",
    "API keys of a user": f"{SERVER}.api_keys.service:MAX_KEYS",
    "provider keys of a user": f"{SERVER}.credentials.service:MAX_KEYS",
    "passkeys of a user": f"{SERVER}.identity.second_factors.passkeys:MAX_PASSKEYS",
    "days of a usage report": f"{SERVER}.admin.usage:MAX_DAYS",
    "rows of a usage report": f"{SERVER}.admin.usage:MAX_ROWS",
    "runs that `impasto admin runs` lists": f"{SERVER}.cli.admin.runs:_MAX_PAGE",
    "recovery codes of a user": f"{SERVER}.identity.second_factors.service:RECOVERY_CODES",
    "seconds between two wrong second factors": f"{SERVER}.identity.second_factors.service:_MAX_DELAY",
    "characters of a username": f"{SERVER}.identity.schemas:MAX_USERNAME",
    "characters of a password": f"{SERVER}.identity.passwords:MAX_LENGTH",
    "depth of a JSON body": f"{SERVER}.http.schemas:MAX_DEPTH",
    "bytes of a request's headers": f"{SERVER}.http.protocol:MAX_HEAD_BYTES",
    "answers that are kept for one user's idempotency keys": f"{SERVER}.http.idempotency:MAX_BYTES",
}


def test_every_limit_has_a_row() -> None:
    assert STATED.keys() == LIMITS.keys()


@pytest.mark.parametrize("what", LIMITS)
def test_limit_is_as_stated(what: str) -> None:
    number, _, unit = STATED[what].partition(" ")
    module, _, name = LIMITS[what].partition(":")
    assert int(number.replace(",", "")) * UNITS.get(unit, 1) == getattr(import_module(module), name)
