"""Errors of sign-up, sign-in and passwords."""

from impasto_server.http.errors import Conflict, Forbidden, NotAuthenticated, Problem


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


class SessionEnded(NotAuthenticated):
    """The refresh token is missing, used or expired, or its session has ended."""

    code = "session_ended"

    def __init__(self) -> None:
        super().__init__("Your session has ended. Please sign in again.")


class TokenInvalid(NotAuthenticated):
    """An identity token is forged, expired, meant for another purpose, or its session has ended."""

    def __init__(self) -> None:
        super().__init__("Your session has ended. Please sign in again.")
