"""Request and response bodies of second factors."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from impasto_server.http.schemas import Json, PlainText, RequestModel, ResponseModel
from impasto_server.identity.passwords import MAX_LENGTH

Factor = Literal["totp", "passkey", "recovery_code"]
PasskeyName = Annotated[PlainText, Field(min_length=1, max_length=80, pattern=r"[^\s\x00]")]


class PasswordConfirmation(RequestModel):
    """The password that confirms a change of the second factors."""

    password: str = Field(
        default="", max_length=MAX_LENGTH, description="Empty for users of the OpenID Connect provider."
    )


class PasskeyOptions(ResponseModel):
    """A challenge for a passkey, and the options for the browser's `navigator.credentials`."""

    challenge_id: str
    options: dict[str, Any]


class PasskeyAnswer(RequestModel):
    """What the browser returned for a challenge, as JSON (`PublicKeyCredential.toJSON()`)."""

    challenge_id: str = Field(max_length=64)
    credential: Json


class NewPasskey(PasskeyAnswer):
    """A new passkey and its name."""

    name: PasskeyName


class PasskeyRename(RequestModel):
    """The new name of a passkey."""

    name: PasskeyName


class SecondFactorProof(RequestModel):
    """One second factor: a code of the app, a recovery code, or a passkey."""

    code: Annotated[str, Field(max_length=16)] | None = None
    recovery_code: Annotated[str, Field(max_length=64)] | None = None
    passkey: PasskeyAnswer | None = None

    @model_validator(mode="after")
    def _exactly_one(self) -> "SecondFactorProof":
        if sum(value is not None for value in (self.code, self.recovery_code, self.passkey)) != 1:
            raise PydanticCustomError("one_factor", "Send one of code, recovery_code and passkey.")
        return self


class SecondFactorChallenge(RequestModel):
    """The token of a challenge that asks for a second factor."""

    challenge_token: str = Field(max_length=4096)


class SecondFactorSignIn(SecondFactorChallenge):
    """The second factor of a sign-in."""

    proof: SecondFactorProof


class TotpSetup(ResponseModel):
    """The secret of a new authenticator app: as text, as a link and as an image of the link."""

    secret: str
    uri: str
    qr_code: str = Field(description="A data URI of an SVG image.")


class TotpConfirmation(RequestModel):
    """A code that the new app shows."""

    code: str = Field(max_length=16)


class RecoveryCodes(ResponseModel):
    """New recovery codes. Only this response contains them; null if the user had some already."""

    recovery_codes: list[str] | None


class PasskeyInfo(ResponseModel):
    """A passkey of the user."""

    id: str
    name: str
    created_at: datetime
    last_used_at: datetime | None


class PasskeyCreated(PasskeyInfo, RecoveryCodes):
    """A new passkey, with recovery codes if it is the first second factor."""


class SecondFactors(ResponseModel):
    """The second factors of the user."""

    totp_since: datetime | None = Field(description="When the authenticator app was added; null without one.")
    recovery_codes_left: int
    passkeys: list[PasskeyInfo]
    passkeys_available: bool = Field(description="Whether the server's public URL allows passkeys.")
    has_password: bool = Field(description="Whether changes must be confirmed with a password.")
