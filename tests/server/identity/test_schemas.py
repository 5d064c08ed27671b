"""The limits of the values of an account, at their exact sizes."""

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from impasto_server.identity.schemas import (
    ClientMetadata,
    NewPassword,
    ResetCode,
    SignInPassword,
    Username,
)
from impasto_server.identity.second_factors.schemas import SecondFactorProof
from impasto_server.users.schemas import CredentialsName, UserInfo


def error(kind: Any, value: object) -> str | None:
    try:
        TypeAdapter(kind).validate_python(value)
    except ValidationError as raised:
        return raised.errors()[0]["type"]
    return None


@pytest.mark.parametrize(
    ("length", "expected"), [(7, "password_too_short"), (8, None), (256, None), (257, "password_too_long")]
)
def test_new_password_has_8_to_256_characters(length: int, expected: str | None) -> None:
    assert error(NewPassword, "Ab1!" + "x" * (length - 4)) == expected


@pytest.mark.parametrize(
    ("length", "expected"), [(5, "password_too_short"), (6, None), (256, None), (257, "password_too_long")]
)
def test_password_at_sign_in_has_6_to_256_characters(length: int, expected: str | None) -> None:
    assert error(SignInPassword, "x" * length) == expected


@pytest.mark.parametrize(("size", "expected"), [(4096, None), (4097, "too_long")])
def test_metadata_take_at_most_4_kib_as_json(size: int, expected: str | None) -> None:
    assert error(ClientMetadata, {"website": "x" * (size - len('{"website":""}'))}) == expected


@pytest.mark.parametrize(("keys", "expected"), [(20, None), (21, "too_long")])
def test_metadata_have_at_most_20_keys(keys: int, expected: str | None) -> None:
    assert error(ClientMetadata, {str(key): 1 for key in range(keys)}) == expected


@pytest.mark.parametrize(
    ("username", "expected"),
    [
        (" m ", "username_too_short"), ("mo", None), ("m" * 128, None), ("m" * 129, "username_invalid"),
        ("ß" * 64, None), ("ß" * 65, "username_invalid"), ("ma\nra", "username_invalid"),
    ],
    ids=["1", "2", "128", "129", "128 folded", "130 folded", "line break"],
)  # fmt: skip
def test_username_has_2_to_128_printable_characters(username: str, expected: str | None) -> None:
    assert error(Username, username) == expected


def test_spaces_around_a_username_and_a_code_are_ignored_and_those_of_a_password_count() -> None:
    assert TypeAdapter(Username).validate_python(" mo ") == "mo"
    assert TypeAdapter(ResetCode).validate_python(" 012345 ") == "012345"
    assert TypeAdapter(SignInPassword).validate_python(" pass ") == " pass "


def test_code_has_6_characters() -> None:
    assert [error(ResetCode, code) for code in ("01234", "0123456")] == ["code_length"] * 2


def test_proof_is_one_second_factor() -> None:
    one: list[dict[str, Any]] = [
        {"code": "1"}, {"recovery_code": "1"}, {"passkey": {"challenge_id": "c", "credential": {}}},
    ]  # fmt: skip
    for proof in one:
        assert SecondFactorProof(**proof).model_dump(exclude_none=True) == proof
    for several in ({}, one[0] | one[1], one[0] | one[2], one[0] | one[1] | one[2]):
        assert error(SecondFactorProof, several) == "one_factor"


def test_answers_of_the_onboarding_are_trimmed_and_at_most_120_characters() -> None:
    info = {"first_name": " Mara ", "last_name": "L" * 120, "company": "N", "role": "other", "reasons": []}
    found = UserInfo.model_validate(info)
    assert (found.first_name, len(found.last_name)) == ("Mara", 120)
    assert error(UserInfo, {**info, "last_name": "L" * 121}) == "string_too_long"
    assert error(UserInfo, {**info, "company": "\u202e"}) == "too_short"
    assert error(UserInfo, {**info, "reasons": ["other"] * 6}) is None
    assert error(UserInfo, {**info, "reasons": ["other"] * 7}) == "too_long"


def test_name_in_credentials_is_optional_and_has_at_most_60_characters() -> None:
    assert [error(CredentialsName, {"name": "x" * size}) for size in (60, 61)] == [None, "too_long"]
    assert CredentialsName().name is None
