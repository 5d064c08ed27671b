"""Response bodies of the node catalog."""

from typing import Any, Literal

from pydantic import ConfigDict, Field

from impasto_server.http.schemas import Page, ResponseModel


class Port(ResponseModel):
    """A typed end of an edge."""

    model_config = ConfigDict(extra="ignore")

    name: str
    title: str
    help: str
    type: str
    list: bool
    depth: int = Field(description="0 for one value, 1 for a list, 2 for a list of lists")
    item_of: str | None = Field(
        default=None,
        description=(
            "The list setting with an item for this port, whose `port` is the port's name;"
            " `workflow.inputs` is the list `inputs` in the setting `workflow`"
        ),
    )


class InputPort(Port):
    """A typed input of a node type."""

    lazy: bool
    required: bool


class OutputPort(Port):
    """A typed output of a node type."""


class NodeType(ResponseModel):
    """A node type, with everything that an editor needs to show it."""

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
    input: str | None = Field(description="For input nodes: the setting that a launch sets")
    variables: list[str]
    keywords: list[str] = Field(default_factory=list, description="Other words that a search finds it by")
    generative: bool
    streams: bool
    beta: bool
    deprecated: bool
    replaced_by: str | None
    limit: str | None
    timeout: float | None
    retries: int | None
    subflow: str | None = Field(description="For subflow nodes: the setting with the id of the agent to run")
    package: str | None


class Conversion(ResponseModel):
    """A conversion: values of type `from` can enter a port of type `to`."""

    model_config = ConfigDict(populate_by_name=True, serialize_by_alias=True)

    source: str = Field(alias="from")
    target: str = Field(alias="to")


class CatalogProvider(ResponseModel):
    """A provider of models that is installed on this server."""

    id: str
    title: str
    kinds: list[str] = Field(
        description="What it makes: text, image, video, speech, dialogue, music, sound_effects, captions"
    )
    takes_key: bool = Field(description="Whether a user may store a key of their own for it")
    package: str


class BrokenPlugin(ResponseModel):
    """A plugin that failed to load. The traceback is in the server's log."""

    model_config = ConfigDict(extra="ignore")

    name: str
    package: str | None
    error: str


class PluginFiles(ResponseModel):
    """Files and folders that a plugin declares to use, beyond its own temporary folder."""

    read: list[str]
    write: list[str]


class PluginCapabilities(ResponseModel):
    """What a plugin declares to need. Enforced for nodes that run in worker processes only."""

    network: list[str] = Field(description="Hosts; `*.example.org` is every name below it, `*` every host")
    subprocess: bool = Field(description="Whether it starts other programs")
    files: PluginFiles
    environment: list[str] = Field(description="Environment variables that it reads")


class Plugin(ResponseModel):
    """An installed plugin other than Impasto itself, whose nodes and providers were loaded."""

    package: str
    version: str
    capabilities: PluginCapabilities | None = Field(description="None if it declares nothing")


class RefusedPlugin(ResponseModel):
    """An installed plugin that the operator's list (`IMPASTO_PLUGINS`) does not admit; it was not loaded."""

    package: str
    reason: str
    hint: str = Field(description="What the operator can do to admit it")


class Catalogue(ResponseModel):
    """All node types, the conversions between value types, and the plugins that were not loaded."""

    types: list[NodeType]
    conversions: list[Conversion]
    value_types: list[str]
    categories: list[str]
    providers: list[CatalogProvider]
    broken: list[BrokenPlugin]
    plugins: list[Plugin]
    refused: list[RefusedPlugin]


class Option(ResponseModel):
    """An option of a dynamic setting."""

    value: str
    label: str
    group: str | None = None
    detail: str | None = None
    value_schema: dict[str, Any] | None = Field(
        default=None, description="JSON Schema of the value, if the option names a setting of a model"
    )
    sample: str | None = Field(
        default=None, description="What a font looks like: a PNG as data URL, black on a transparent ground"
    )


class OptionSource(ResponseModel):
    """Where options come from, such as a provider. `message` says why it lists none, and how to fix it."""

    id: str
    title: str
    state: Literal["available", "no_key", "failed"]
    message: str


class OptionPage(Page[Option]):
    """The options that match the query, and the state of each source that was asked for some."""

    sources: list[OptionSource] = Field(default_factory=list)
