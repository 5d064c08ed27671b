"""Request and response bodies of the identity endpoints."""

from datetime import datetime
from typing import Annotated, Any, Literal

import orjson
from email_validator import EmailNotValidError, validate_email
from pydantic import AfterValidator, Field, JsonValue, model_validator
from pydantic_core import PydanticCustomError

from impasto_server.db.text_normalization import normalize_login
from impasto_server.http.schemas import Page, PlainText, RequestModel, ResponseModel, storable
from impasto_server.identity.passwords import MAX_LENGTH, SIGN_IN_MIN_LENGTH, check_new_password
from impasto_server.identity.second_factors.schemas import Factor, SecondFactorProof
from impasto_server.settings import SignUpMode

MAX_USERNAME = 128
_CODE_LENGTH = 6
_MAX_METADATA_BYTES = 4096


def _check_username(username: str) -> str:
    username = username.strip()
    if len(username) < 2:
        raise PydanticCustomError("username_too_short", "Username must be at least 2 characters.")
    # Case folding can lengthen a text: "ß" becomes "ss".
    if len(normalize_login(username)) > MAX_USERNAME or not username.isprintable():
        raise PydanticCustomError(
            "username_invalid", f"Username must be at most {MAX_USERNAME} printable characters."
        )
    return username


def check_email(email: str) -> str:
    """Return the normalized e-mail address. Raises PydanticCustomError."""
    try:
        found = validate_email(email.strip(), check_deliverability=False, globally_deliverable=False)
        if "." not in found.domain or found.ascii_email is None:
            raise EmailNotValidError
    except EmailNotValidError as error:
        raise PydanticCustomError("email_invalid", "Email is invalid.") from error
    return found.normalized


def _check_sign_in_password(password: str) -> str:
    if len(password) < SIGN_IN_MIN_LENGTH:
        raise PydanticCustomError("password_too_short", "Password must be at least 6 characters.")
    if len(password) > MAX_LENGTH:
        raise PydanticCustomError("password_too_long", "Password must be at most 256 characters.")
    return password


def _check_reset_code(code: str) -> str:
    if len(code.strip()) != _CODE_LENGTH:
        raise PydanticCustomError("code_length", "Confirmation code must be 6 characters long.")
    return code.strip()


def _check_metadata(metadata: dict[str, JsonValue]) -> dict[str, JsonValue]:
    if len(orjson.dumps(storable(metadata))) > _MAX_METADATA_BYTES:
        raise PydanticCustomError("too_long", "This is too long: the limit is 4 KiB.")
    return metadata


def names_other_email(username: str, email: str) -> bool:
    """Return whether a username is an e-mail address, but not this one."""
    return "@" in normalize_login(username) and normalize_login(username) != normalize_login(email)


OTHER_EMAIL_SENTENCE = "A username with an @ must be your own email address."
InvitationState = Literal["open", "expired", "accepted", "revoked"]
Username = Annotated[str, AfterValidator(_check_username)]
Email = Annotated[str, AfterValidator(check_email)]
NewPassword = Annotated[str, AfterValidator(check_new_password)]
SignInPassword = Annotated[str, AfterValidator(_check_sign_in_password)]
ResetCode = Annotated[str, AfterValidator(_check_reset_code)]
ClientMetadata = Annotated[dict[str, JsonValue], Field(max_length=20), AfterValidator(_check_metadata)]
Login = Annotated[PlainText, Field(max_length=320)]


class SignUp(RequestModel):
    """The values of a new account."""

    username: Username
    email: Email
    password: NewPassword
    client_metadata: ClientMetadata = Field(
        default_factory=dict, description="Values stored with the account, such as `website`."
    )
    auto_sign_in: bool = Field(default=True, description="Whether confirming the account also signs in.")

    @model_validator(mode="after")
    def _refuse_other_email_as_username(self) -> "SignUp":
        # A username equal to another user's e-mail address would make the sign-in ambiguous.
        if names_other_email(self.username, self.email):
            raise PydanticCustomError("username_invalid", OTHER_EMAIL_SENTENCE)
        return self


class Registration(ResponseModel):
    """Who may create an account."""

    mode: SignUpMode
    domains: list[str] = Field(description="The domains of `domains`; empty in the other modes.")
    sentence: str = Field(description="The rule in words; empty if everyone may sign up.")


class InvitationToken(RequestModel):
    """The token in the link of an invitation."""

    token: str = Field(max_length=200)


class InvitedEmail(ResponseModel):
    """The address that an invitation is for."""

    email: str
    expires_at: datetime


class AcceptInvitation(InvitationToken):
    """The values of a new account for the invited address."""

    username: Username
    password: NewPassword
    client_metadata: ClientMetadata = Field(
        default_factory=dict, description="Values stored with the account, such as `website`."
    )


class Delivery(ResponseModel):
    """Where a code was sent."""

    medium: Literal["email"]
    destination: str = Field(description="The masked e-mail address.")
    delayed: bool = Field(description="The mail server does not respond: the code arrives when it does.")


class SignUpAnswer(ResponseModel):
    """A new account that is not confirmed yet."""

    confirmed: Literal[False]
    delivery: Delivery


LinkToken = Annotated[
    str, Field(max_length=64, description="The token of the e-mail's link, if the code came with one.")
]


class ConfirmSignUp(RequestModel):
    """The confirmation code of a sign-up."""

    username: Login
    code: str = Field(max_length=64)
    token: LinkToken = ""


class Session(ResponseModel):
    """A session. Its refresh token is in an HttpOnly cookie."""

    identity_token: str
    expires_at: datetime


class ConfirmSignUpAnswer(ResponseModel):
    """The session; null if `auto_sign_in` was false."""

    session: Session | None


class AccountName(RequestModel):
    """The account, by username or e-mail address."""

    username: Login


class ResendCode(AccountName):
    """A request for a new confirmation code."""


class SignIn(RequestModel):
    """A username or e-mail address, and a password."""

    username: Username
    password: SignInPassword


class SignInAnswer(ResponseModel):
    """A session, or the challenge that must be completed first."""

    session: Session | None = None
    challenge: Literal["new_password_required", "second_factor_required"] | None = None
    challenge_token: str | None = None
    factors: list[Factor] | None = Field(
        default=None, description="The second factors that the user may show, for `second_factor_required`."
    )


class SetNewPassword(RequestModel):
    """The challenge token and the password that replaces the temporary one."""

    challenge_token: str = Field(max_length=4096)
    new_password: NewPassword


class SessionAnswer(ResponseModel):
    """A session."""

    session: Session


class SignOut(RequestModel):
    """Which sessions to end."""

    everywhere: bool = Field(default=False, description="End the sessions on all devices.")


class ForgotPassword(AccountName):
    """A request for a code that resets the password."""

    client_metadata: ClientMetadata = Field(default_factory=dict)


class ConfirmForgotPassword(AccountName):
    """The code from the e-mail and the new password."""

    confirmation_code: ResetCode
    new_password: NewPassword
    token: LinkToken = ""
    second_factor: SecondFactorProof | None = Field(
        default=None, description="Needed after 403 `second_factor_required`."
    )


class ChangePassword(RequestModel):
    """The old and the new password."""

    old_password: str = Field(max_length=MAX_LENGTH)
    new_password: NewPassword
    revoke_api_keys: bool = Field(default=False, description="Whether to revoke all API keys too.")


class SessionInfo(ResponseModel):
    """A session of the user: one sign-in on one device."""

    id: str
    device: str | None = Field(description="Such as `Firefox on Linux`; null if it is not known.")
    address: str | None = Field(description="The IP address that last used the session.")
    created_at: datetime
    last_used_at: datetime
    is_current: bool = Field(description="Whether this request belongs to the session.")


class SessionPage(Page[SessionInfo]):
    """The active sessions of the user, newest first."""


class JsonWebKeySet(ResponseModel):
    """The public keys that verify identity tokens."""

    keys: list[dict[str, Any]]


class OidcProvider(ResponseModel):
    """An OpenID Connect provider that users can sign in with."""

    name: str
    start_url: str = Field(
        description="Open this in the browser; append ?return_to=/path to choose the page after signing in."
    )
