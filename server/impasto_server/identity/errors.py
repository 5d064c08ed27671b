"""Errors of sign-up, sign-in and passwords."""

from impasto_server.http.errors import Conflict, FieldInvalid, Forbidden, NotAuthenticated, Problem


class UserExists(Conflict):
    """The username or the e-mail address is taken."""

    code, title = "user_exists", "User exists"

    def __init__(self) -> None:
        super().__init__("User already exists. Please sign in.")


class CodeInvalid(Problem):
    """The confirmation code is wrong, used or expired."""

    status, code, title = 400, "code_invalid", "Verification failed"

    def __init__(
        self, detail: str = "The confirmation code is invalid or has expired. Please try again."
    ) -> None:
        super().__init__(detail)


class ResetCodeInvalid(CodeInvalid):
    """The reset code is wrong, used or expired."""

    def __init__(self) -> None:
        super().__init__("Failed to confirm reset password.")


class InvalidCredentials(Problem):
    """No account has this username and password."""

    status, code, title = 401, "invalid_credentials", "Not signed in"

    def __init__(self) -> None:
        super().__init__("Invalid username or password.")


class NotConfirmed(Forbidden):
    """The password is correct, but the e-mail address is not confirmed."""

    code, title = "not_confirmed", "Not confirmed"

    def __init__(self) -> None:
        super().__init__("Please confirm your email address with the code we sent you.")


class AccountSuspended(Forbidden):
    """An admin has suspended the account. Shown only after the password or a token was verified."""

    code, title = "account_suspended", "Account suspended"

    def __init__(self) -> None:
        super().__init__("Your account is suspended: contact the administrator of this server.")


class ChallengeFailed(Problem):
    """The challenge token is expired or used."""

    status, code, title = 401, "challenge_invalid", "Sign in again"

    def __init__(self) -> None:
        super().__init__("Failed to set definitive password.")


class PasswordNotChanged(Problem):
    """The old password is wrong."""

    status, code, title = 400, "invalid_credentials", "Password not changed"

    def __init__(self) -> None:
        super().__init__("Failed to change password.")


class EmailTaken(Conflict):
    """Another account has this e-mail address. Shown only to who has proved to read it."""

    code, title = "email_taken", "Address in use"

    def __init__(self) -> None:
        super().__init__(
            "Another account has this email address. Sign in to it, or change its address first."
        )


class EmailManaged(Conflict):
    """The user has no password here: the e-mail address is that of the OpenID Connect provider."""

    code, title = "email_managed", "Address not changed"

    def __init__(self) -> None:
        super().__init__("Your email address comes from your sign-in provider. Change it there.")


class SecondFactorRequired(Forbidden):
    """The password or code is correct, and a second factor is needed too."""

    code, title = "second_factor_required", "Second factor required"

    def __init__(self, factors: list[str], challenge_token: str) -> None:
        super().__init__(
            "Please confirm with your second factor.", factors=factors, challenge_token=challenge_token
        )


class SignInExpired(Problem):
    """The token of a second-factor challenge is expired, or of another device or older password."""

    status, code, title = 401, "challenge_invalid", "Sign in again"

    def __init__(self) -> None:
        super().__init__("This sign-in has expired. Please sign in again.")


class SecondFactorInvalid(Problem):
    """The code, recovery code or passkey is wrong or was used before."""

    status, code, title = 400, "second_factor_invalid", "Verification failed"

    def __init__(self) -> None:
        super().__init__("This code is wrong or was used before. Please try again.")


class PasskeyInvalid(Problem):
    """A passkey's answer is wrong, or its challenge was used before or belongs to another session."""

    status, code, title = 400, "passkey_invalid", "Verification failed"

    def __init__(self) -> None:
        super().__init__("This passkey could not be verified. Please try again.")


class PasskeysUnavailable(Conflict):
    """The server's public URL does not allow passkeys, or the user has too many."""

    code, title = "passkeys_unavailable", "No passkey added"


class WrongPassword(FieldInvalid):
    """The password that confirms a change is wrong."""

    status, code, title = 403, "password_wrong", "Not allowed"

    def __init__(self) -> None:
        super().__init__("password", "This is not your password.", "password_wrong")


class SessionEnded(NotAuthenticated):
    """The refresh token is missing, used or expired, or its session has ended."""

    code = "session_ended"

    def __init__(self) -> None:
        super().__init__("Your session has ended. Please sign in again.")


class TokenInvalid(NotAuthenticated):
    """An identity token is forged, expired, meant for another purpose, or its session has ended."""

    def __init__(self) -> None:
        super().__init__("Your session has ended. Please sign in again.")
