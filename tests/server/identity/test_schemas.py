"""The limits of the values of an account, at their exact sizes."""

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from impasto_server.identity.schemas import ClientMetadata, NewPassword, SignInPassword


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
