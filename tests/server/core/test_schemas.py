"""JSON values from users: which ones are stored and which are refused."""

from typing import Any

import pytest
from pydantic_core import PydanticCustomError

from impasto_server.http.schemas import storable


def nested(levels: int, inner: Any = 1) -> Any:
    for _ in range(levels):
        inner = [inner]
    return inner


def test_value_of_100_levels_is_stored_and_deeper_ones_are_refused() -> None:
    value = {"a": nested(100)}
    assert storable(value) is value
    with pytest.raises(PydanticCustomError, match="the limit is 100 levels"):
        storable({"a": nested(101)})


@pytest.mark.parametrize("value", ["\ud800", 2**64])
def test_value_that_json_cannot_represent_is_refused(value: object) -> None:
    with pytest.raises(PydanticCustomError, match="JSON cannot represent"):
        storable({"a": [value]})
