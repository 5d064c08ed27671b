"""Secrets are removed from what providers say."""

import pytest

from impasto_nodes.providers.redact import redact


@pytest.mark.parametrize(
    "secret",
    ["sk-proj-abcdef123456", "r8_abcdefgh12345678", "AIzaSyA1234567890abcdefghijk", "xi_abcdef12345678"],
)
def test_words_like_keys_are_redacted(secret: str) -> None:
    assert secret not in redact(f"Incorrect key provided: {secret}.")


def test_known_secrets_and_headers_are_redacted() -> None:
    redacted = redact(
        "key=hunter2hunter2, Authorization: Bearer abc.def.ghi and https://ann:pass@host/, redis://:word@host",
        "hunter2hunter2",
    )
    assert "hunter2" not in redacted
    assert "abc.def" not in redacted
    assert "pass@" not in redacted
    assert "word@" not in redacted


def test_other_text_is_kept_up_to_the_maximum_length() -> None:
    assert redact("The model `nope` does not exist") == "The model `nope` does not exist"
    assert len(redact("x" * 9000)) == 2000


@pytest.mark.parametrize(
    ("text", "secret", "redacted"),
    [
        ("a key abcd here abcd", "abcd", "a key … here …"),
        ("a key abc here", "abc", "a key abc here"),
        ("Illegal header value b'own\\nkey'", "own\nkey", "Illegal header value b'…'"),
        ("nothing", "", "nothing"),
        ("token abcdefghijklmnop==", "", "token …"),
        ("token abcdefghijklmno", "", "token abcdefghijklmno"),
    ],
)
def test_secret_of_four_characters_is_redacted_everywhere(text: str, secret: str, redacted: str) -> None:
    assert redact(text, secret) == redacted
