"""The OpenAPI document describes every operation completely."""

import orjson
import pytest
from tests.fixtures.api import api_schema

from impasto_server.app import build_schema

OPERATIONS = [
    pytest.param(path, operation, id=f"{method} {path}")
    for path, item in api_schema()["paths"].items()
    for method, operation in item.items()
]
TAGS = {tag["name"] for tag in api_schema()["tags"]}


def test_stored_document_is_that_of_the_server() -> None:
    assert orjson.loads(orjson.dumps(build_schema())) == api_schema(), "run `make api`"


@pytest.mark.parametrize(("path", "operation"), OPERATIONS)
def test_operation_names_its_tag_its_security_and_its_problems(path: str, operation: dict) -> None:
    assert set(operation["tags"]) <= TAGS
    assert "security" in operation
    for status in ("4XX", "5XX"):
        assert list(operation["responses"][status]["content"]) == ["application/problem+json"]
    assert not path.endswith("/")


def test_sign_in_needs_no_token_and_the_library_does() -> None:
    paths = api_schema()["paths"]
    assert paths["/api/v1/identity/sign-in"]["post"]["security"] == []
    assert paths["/api/v1/assets/library"]["get"]["security"] == [{"HTTPBearer": []}]


def test_tags_without_operations_are_not_listed() -> None:
    used = {tag for param in OPERATIONS for tag in param.values[1]["tags"]}
    assert used == TAGS


def test_the_api_and_health_checks_alone_are_described() -> None:
    others = {path for path in api_schema()["paths"] if not path.startswith("/api/v1/")}
    assert others == {"/healthz", "/readyz"}
