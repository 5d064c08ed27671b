"""The catalogue on the wire."""

from typing import Any

from pydantic import ConfigDict, Field

from impasto_server.http.pagination import Page
from impasto_server.http.schemas import ResponseModel


class OutputPort(ResponseModel):
    """A typed output of a node type."""

    model_config = ConfigDict(extra="ignore")

    name: str
    title: str
    help: str
    type: str
    list: bool
    depth: int = Field(description="0 for one value, 1 for a list, 2 for a list of lists")


class InputPort(OutputPort):
    """A typed input of a node type."""

    lazy: bool
    required: bool


class NodeType(ResponseModel):
    """A node type: everything that an editor needs to draw it."""

    model_config = ConfigDict(extra="ignore")

    id: str
    version: int
    title: str
    category: str
    summary: str
    help: str
    inputs: list[InputPort]
    outputs: list[OutputPort]
    settings: dict[str, Any] = Field(description="JSON Schema with `x-ui` hints")
    input: str | None = Field(description="The setting that a launch fills in, for an input node")
    variables: list[str]
    generative: bool
    streams: bool
    beta: bool
    deprecated: bool
    replaced_by: str | None
    limit: str | None
    timeout: float | None
    retries: int | None
    subflow: str | None = Field(description="The setting that names the agent which this node runs")
    package: str | None


class Conversion(ResponseModel):
    """A type that flows into a port of another type."""

    model_config = ConfigDict(populate_by_name=True, serialize_by_alias=True)

    source: str = Field(alias="from")
    target: str = Field(alias="to")


class CatalogProvider(ResponseModel):
    """A provider of models that is installed on this server."""

    id: str
    title: str
    kinds: list[str] = Field(description="What it makes: text, image, video, speech, captions")
    takes_key: bool = Field(description="Whether a user may store a key of their own for it")
    package: str


class BrokenPlugin(ResponseModel):
    """A plugin that could not be loaded; its traceback is for the operator's log."""

    model_config = ConfigDict(extra="ignore")

    name: str
    package: str | None
    error: str


class Catalogue(ResponseModel):
    """Every node type and provider, the conversions between types, and what failed to load."""

    types: list[NodeType]
    conversions: list[Conversion]
    value_types: list[str]
    categories: list[str]
    providers: list[CatalogProvider]
    broken: list[BrokenPlugin]


class Option(ResponseModel):
    """One choice of a dynamic setting."""

    value: str
    label: str
    group: str | None = None
    detail: str | None = None


class OptionPage(Page[Option]):
    """Choices that match the query."""
