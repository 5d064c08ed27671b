"""Invalid fields are described in sentences for people."""

from typing import Any

import pytest

from impasto_server.http.field_errors import describe_field_error


def described(kind: str, *location: str | int, msg: str = "", **about: Any) -> tuple[str, str, str]:
    found = describe_field_error({"loc": location, "type": kind, "msg": msg, **about})
    return found["path"], found["code"], found["message"]


@pytest.mark.parametrize(
    ("location", "path", "label"),
    [
        (("body", "first_name"), "first_name", "First name"),
        (("body", "tags", 0), "tags.0", "Tags"),
        (("query", "limit"), "limit", "Limit"),
        (("body", "a", "b_c", 1, 2), "a.b_c.1.2", "B c"),
        (("name",), "name", "Name"),
        (("body", 3), "3", "The value"),
        (("body", "_"), "_", "The value"),
    ],
)
def test_field_is_named_by_its_path_and_by_a_label(
    location: tuple[str | int, ...], path: str, label: str
) -> None:
    assert described("missing", *location) == (path, "missing", f"{label} is required.")


@pytest.mark.parametrize(
    ("kind", "about", "sentence"),
    [
        ("extra_forbidden", {}, "Name is not a known field."),
        ("string_type", {}, "Name must be text."),
        ("model_attributes_type", {}, "Name must be an object."),
        ("int_parsing", {}, "Name must be a whole number."),
        ("float_type", {}, "Name must be a number."),
        ("bool_type", {}, "Name must be true or false."),
        ("datetime_from_date_parsing", {}, "Name must be a date and time, such as 2026-01-31T09:00:00Z."),
        ("date_parsing", {}, "Name must be a date, such as 2026-01-31."),
        ("greater_than_equal", {"ctx": {"ge": 1}}, "Name must be at least 1."),
        ("less_than", {"ctx": {"lt": 9}}, "Name must be less than 9."),
        ("literal_error", {"ctx": {"expected": "'a' or 'b'"}}, "Name must be 'a' or 'b'."),
        ("string_too_short", {"ctx": {"min_length": 1}, "input": ""}, "Name must not be empty."),
        ("string_too_short", {"ctx": {"min_length": 2}, "input": "a"}, "Name must be at least 2 characters."),
        ("too_short", {"ctx": {"min_length": 1}, "input": []}, "Name must not be empty."),
        ("too_short", {"ctx": {"min_length": 2}, "input": [1]}, "Name must have at least 2 items."),
        ("string_too_long", {"ctx": {"max_length": 1}, "input": "ab"}, "Name must be at most 1 character."),
        ("string_too_long", {"ctx": {"max_length": 2}, "input": "abc"}, "Name must be at most 2 characters."),
        ("too_long", {"ctx": {"max_length": 1}, "input": [1, 2]}, "Name must have at most 1 item."),
        ("too_long", {"ctx": {"max_length": 0}, "input": [1]}, "Name must have at most 0 items."),
        ("string_pattern_mismatch", {"ctx": {"pattern": r"[^\s\x00]"}}, "Name must not be empty."),
        (
            "string_pattern_mismatch",
            {"ctx": {"pattern": r"^[!-~]+$"}},
            "Name must be ASCII letters, digits and signs without spaces: copy it again.",
        ),
        ("string_pattern_mismatch", {"ctx": {"pattern": "^a$"}, "input": "b"}, "Name has an invalid form."),
        ("too_long", {"msg": "Value error, Choose fewer tags."}, "Choose fewer tags."),
        ("value_error", {"msg": "Value error, Enter a name."}, "Enter a name."),
        ("assertion_error", {"msg": "Assertion failed, Enter a name."}, "Enter a name."),
        ("username_taken", {"msg": "This name is taken."}, "This name is taken."),
    ],
)  # fmt: skip
def test_each_kind_of_error_is_a_sentence(kind: str, about: dict[str, Any], sentence: str) -> None:
    assert described(kind, "body", "name", **about) == ("name", kind, sentence)


def test_body_that_is_no_object_has_a_code_of_its_own() -> None:
    sentence = "Send a JSON object, with Content-Type: application/json."
    assert described("model_attributes_type", "body") == ("body", "not_an_object", sentence)
