"""Response bodies of connections."""

from typing import Literal

from pydantic import Field

from impasto_server.http.schemas import Money, Page, RequestModel, ResponseModel

Access = Literal["own_key", "own_address", "server", "local", "missing"]


class Connection(ResponseModel):
    """A provider, how the user can use it, and what it cost them this month."""

    provider: str
    title: str
    kinds: list[str] = Field(
        description="What it makes: text, image, video, speech, dialogue, music, sound_effects, captions"
    )
    access: Access = Field(
        description="`own_key`: with the user's key. `own_address`: at a server "
        "that the user has chosen. `server`: with the operator's key or address. `local`: "
        "it needs none. `missing`: it cannot be used yet"
    )
    takes_key: bool = Field(description="Whether a user may store a key of their own for it")
    takes_address: bool = Field(
        description="Whether a user may name the address of a server: where the operator's list allows some"
    )
    address: str | None = Field(description="Of the server that the user has chosen")
    has_downloads: bool = Field(description="Whether an admin may download models of it to this machine")
    key_last_four: str | None = Field(description="Of the user's own key")
    spent_usd: Money = Field(description="US dollars of this month (UTC), with all keys")


class Spending(ResponseModel):
    """What a provider cost the user this month."""

    provider: str
    spent_usd: Money = Field(description="US dollars of this month (UTC), with all keys")


class ConnectionPage(Page[Connection]):
    """The installed providers: those that can be used first, then by title."""

    uninstalled: list[Spending] = Field(
        description="Providers that are no longer installed and were paid this month, most expensive first"
    )


class ConnectionTest(ResponseModel):
    """The outcome of a test of a connection. A test makes no paid call."""

    state: Literal["connected", "untested", "failed", "missing"] = Field(
        description="`untested`: the provider has no call that tests a key without cost"
    )
    code: str | None = Field(description="Of the error, such as `wrong_credential`")
    message: str | None = Field(description="What is wrong and how to fix it")
    seconds: float = Field(description="How long the provider took to answer")
    models: int | None = Field(description="How many models it offers")
    voices: int | None = Field(description="How many voices it offers")


class LocalServer(ResponseModel):
    """A server of models on the machine that the product runs on."""

    provider: str = Field(description="The provider that can use it")
    title: str = Field(examples=["Ollama"])
    address: str = Field(examples=["http://127.0.0.1:11434"])
    models: int = Field(description="How many models it lists")
    is_used: bool = Field(description="Whether the user's runs use it")


class LocalServers(ResponseModel):
    """Servers found on the machine. `searching`: ask again in a second. `off`: the operator forbids it."""

    state: Literal["off", "searching", "done"]
    items: list[LocalServer]


class AddressPut(RequestModel):
    """A server to use."""

    address: str = Field(max_length=200, examples=["http://127.0.0.1:11434"])


class Download(ResponseModel):
    """A model that can be downloaded to the machine that the product runs on, or is there."""

    kind: str = Field(description="What it is for", examples=["text", "captions"])
    name: str = Field(examples=["qwen3-4b"])
    title: str = Field(examples=["Qwen3 4B"])
    licence: str = Field(description="Its SPDX id or its name; empty if it is not known")
    languages: str = Field(description="What it knows; empty if that is not known")
    bytes: int = Field(description="Approximate until the download is asked for")
    memory_bytes: int = Field(description="What it takes while it works")
    received_bytes: int
    state: Literal["offered", "downloading", "paused", "here"] = Field(
        description="`paused`: a part has arrived, and a download goes on from there"
    )
    failure: str | None = Field(description="Why the last download in this process failed")
    is_recommended: bool = Field(description="The largest one of its kind that this machine has room for")


class DownloadList(ResponseModel):
    """The models to download by kind, smallest first; none where the operator forbids it."""

    is_allowed: bool
    items: list[Download]


class DownloadDetails(ResponseModel):
    """The hub's current data of a model's files, pinned to a revision."""

    title: str
    url: str
    bytes: int
    sha256: str = Field(description="Of several files: of the list of their hashes")
    licence: str = Field(description="Empty if none is stated")


class DownloadPut(RequestModel):
    """The files to download: those that were shown."""

    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
