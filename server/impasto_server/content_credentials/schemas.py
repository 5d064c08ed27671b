"""Response bodies of content credentials."""

from typing import Any, Literal

from pydantic import Field

from impasto_server.content_credentials.claims import AiMade
from impasto_server.http.schemas import ResponseModel

CREDENTIALS_TYPE = "application/c2pa"
State = Literal["trusted", "valid", "invalid", "none"]


class CredentialAction(ResponseModel):
    """An action on a file: a C2PA action, the software, and the result's IPTC digital source type."""

    action: str
    agent: str | None = None
    source_type: str | None = None


class CredentialSource(ResponseModel):
    """A file that a file was made from; `state` is that of its own credentials when it was used.

    `asset_id`, `name` and `thumbnail_url` are set for files of the user's library.
    """

    title: str | None = None
    name: str | None = None
    media_type: str | None = None
    relationship: str
    asset_id: str | None = None
    thumbnail_url: str | None = None
    state: State
    signer: str | None = None
    model: str | None = None
    ai_made: AiMade | None = None
    sources: list["CredentialSource"] = Field(default_factory=list)


class AssetCredentials(ResponseModel):
    """The content credentials of a file, verified now. What they say is the signer's claim.

    `state`: `trusted` if an authority of this installation signed the file and it is unchanged, `valid` for
    another signer, `invalid` if the file or the credentials were changed, `none` if there are none.
    """

    state: State
    location: Literal["embedded", "sidecar"] | None = None
    file_url: str | None = Field(default=None, description="The credentials as a file, if they are a sidecar")
    problems: list[str] = Field(default_factory=list, description="Codes of C2PA: what does not fit")
    signer: str | None = None
    signer_name: str | None = None
    organization: str | None = Field(default=None, description="The first of the creators")
    creators: list[str] = Field(default_factory=list, description="Organizations and persons it names")
    signed_at: str | None = Field(default=None, description="When, as the signer says")
    generator: str | None = None
    generator_version: str | None = None
    provider: str | None = None
    model: str | None = None
    agent: str | None = None
    agent_version: int | str | None = None
    source_type: str | None = Field(default=None, description="IPTC digital source type")
    ai_made: AiMade | None = None
    actions: list[CredentialAction] = Field(default_factory=list)
    sources: list[CredentialSource] = Field(default_factory=list)

    @classmethod
    def from_report(cls, report: dict[str, Any] | None, **more: Any) -> "AssetCredentials":
        """Return the report of a file's credentials as a response."""
        if report is None:
            return cls(state="none")
        if "unreadable" in report:
            return cls(state="invalid", problems=[report["unreadable"]], **more)
        return cls(**report, **more)
