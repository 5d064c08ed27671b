"""What those problems of sign-in say that no test of a request reads in full."""

import pytest

from impasto_server.http.errors import Problem
from impasto_server.identity import errors
from impasto_server.identity.email_change.service import EmailTooLong, EmailUnchanged
from impasto_server.identity.oidc.client import ProviderUnavailable
from impasto_server.identity.sign_up.invitations import (
    AlreadyInvited,
    InvitationInvalid,
    InvitationNotFound,
)
from impasto_server.identity.sign_up.rules import AddressRefused
from impasto_server.users.avatars import AvatarNotFound
from impasto_server.users.errors import UserNotFound

ENDED = "Your session has ended. Please sign in again."


@pytest.mark.parametrize(
    ("problem", "status", "code", "detail"),
    [
        (
            errors.NotConfirmed(), 403, "not_confirmed",
            "Please confirm your email address with the code we sent you.",
        ),
        (
            errors.EmailTaken(), 409, "email_taken",
            "Another account has this email address. Sign in to it, or change its address first.",
        ),
        (
            errors.EmailManaged(), 409, "email_managed",
            "Your email address comes from your sign-in provider. Change it there.",
        ),
        (
            errors.SignInExpired(), 401, "challenge_invalid",
            "This sign-in has expired. Please sign in again.",
        ),
        (
            errors.SecondFactorInvalid(), 400, "second_factor_invalid",
            "This code is wrong or was used before. Please try again.",
        ),
        (
            errors.PasskeyInvalid(), 400, "passkey_invalid",
            "This passkey could not be verified. Please try again.",
        ),
        (errors.SessionEnded(), 401, "session_ended", ENDED),
        (errors.TokenInvalid(), 401, "not_authenticated", ENDED),
        (
            ProviderUnavailable(), 503, "provider_unavailable",
            "The sign-in provider does not respond. Please try again later.",
        ),
        (
            InvitationInvalid(), 400, "invitation_invalid",
            "This invitation was used or has expired. Ask for a new one.",
        ),
        (InvitationNotFound("i1"), 404, "not_found", "There is no invitation i1."),
        (
            AlreadyInvited(), 409, "already_invited",
            "This address is invited already. Send that invitation again, or revoke it first.",
        ),
        (AvatarNotFound(), 404, "not_found", "There is no avatar with this name."),
        (UserNotFound("u1"), 404, "not_found", "There is no user u1."),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Problem) else "",
)  # fmt: skip
def test_problem_says_what_is_wrong(problem: Problem, status: int, code: str, detail: str) -> None:
    body = problem.body()
    assert (problem.status, body["status"], body["code"], body["detail"]) == (status, status, code, detail)


@pytest.mark.parametrize(
    ("problem", "status", "error"),
    [
        (errors.WrongPassword(), 403, ("password", "password_wrong", "This is not your password.")),
        (EmailUnchanged(), 422, ("email", "email_unchanged", "This is your email address already.")),
        (
            EmailTooLong(), 422,
            (
                "email", "email_too_long",
                "Your username is your email address, so it can have at most 128 characters.",
            ),
        ),
        (
            AddressRefused("a.example"), 422,
            ("email", "email_refused", "Email addresses are limited to a.example."),
        ),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Problem) else "",
)  # fmt: skip
def test_problem_of_a_field_names_it(problem: Problem, status: int, error: tuple[str, str, str]) -> None:
    path, code, message = error
    body = problem.body()
    assert (body["status"], body["detail"]) == (status, message)
    assert body["errors"] == [{"path": path, "code": code, "message": message}]


def test_second_factor_is_asked_for_with_a_challenge() -> None:
    body = errors.SecondFactorRequired(["totp"], "t1").body()
    assert body["detail"] == "Please confirm with your second factor."
    assert (body["status"], body["code"]) == (403, "second_factor_required")
    assert (body["factors"], body["challenge_token"]) == (["totp"], "t1")


def test_reason_why_there_are_no_passkeys_is_given() -> None:
    assert errors.PasskeysUnavailable("None here.").body()["detail"] == "None here."


def test_problem_asks_for_a_token_if_a_session_has_ended_only() -> None:
    assert errors.NotConfirmed().headers == {}
    assert errors.SessionEnded().headers == {"WWW-Authenticate": "Bearer"}
