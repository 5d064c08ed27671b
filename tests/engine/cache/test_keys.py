"""Step keys: what they consist of, which a cache on disk relies on from one release to the next."""

import orjson
import pytest

from impasto.cache.keys import (
    LIST_END,
    LIST_START,
    NO_VALUE,
    content_hash,
    key_digest,
    short_digest,
    static_key,
    step_key,
    type_key,
)
from impasto.hashing import digest


def test_markers_are_no_beginning_of_a_digest_or_of_json() -> None:
    assert (NO_VALUE, LIST_START, LIST_END) == (b"\0" * 17, b"\1", b"\2")


@pytest.mark.parametrize(("size", "is_digest"), [(16, True), (17, False), (80, False), (81, True)])
def test_short_content_is_its_own_key_and_other_content_has_its_digest(size: int, is_digest: bool) -> None:
    content = b"x" * size
    assert step_key(content) == (digest(content) if is_digest else content)


@pytest.mark.parametrize(("size", "is_digest"), [(15, True), (16, False), (17, True)])
def test_key_of_16_bytes_identifies_itself(size: int, is_digest: bool) -> None:
    key = b"x" * size
    assert key_digest(key) == (digest(key) if is_digest else key)


def test_json_of_up_to_32_bytes_is_part_of_a_key_as_it_is() -> None:
    assert short_digest(b"x" * 32) == b"x" * 32 + b"\0"
    assert short_digest(b"x" * 33) == b"\0" + digest(b"x" * 33)


def test_asset_counts_by_its_content_anywhere_in_a_value() -> None:
    image = {"$type": "Image", "asset_id": "a1", "sha256": "ab", "media_type": "image/png", "name": "cup"}
    content = {"$type": "Image", "sha256": "ab", "media_type": "image/png"}

    def dumped(data: object) -> bytes:
        return orjson.dumps(data, option=orjson.OPT_SORT_KEYS)

    assert content_hash(dumped([{"in": image}, 1])) == short_digest(dumped([{"in": content}, 1]))
    unknown = {"$type": "Image", "asset_id": "a1"}
    assert content_hash(dumped(unknown)) == short_digest(dumped(unknown))
    plain = {"asset_id": "a1", "sha256": "ab"}
    assert content_hash(dumped([plain, image])) == short_digest(dumped([plain, content]))
    without_type = {"$type": "Image", "sha256": "ab"}
    assert content_hash(dumped(without_type)) == short_digest(dumped({**without_type, "media_type": None}))
    assert content_hash(b'{"b":1, "a":2}') == b'{"b":1, "a":2}\0'


def test_whole_numbers_beside_an_asset_differ_however_large_they_are() -> None:
    image = b'{"$type":"Image","asset_id":"a1","sha256":"ab"}'
    found = [content_hash(b"[%s,%d]" % (image, number)) for number in (2**70, 2**70 + 1)]
    assert found == [
        short_digest(b'[{"$type":"Image","media_type":null,"sha256":"ab"},1180591620717411303424]'),
        short_digest(b'[{"$type":"Image","media_type":null,"sha256":"ab"},1180591620717411303425]'),
    ]
    assert found[0] != found[1]


def test_key_of_a_type_has_its_id_version_and_ports() -> None:
    assert type_key("say", 2, ["text", "loud"]) == digest(b"say\x002\0text\0loud")


def test_static_key_has_the_settings_whose_assets_count_by_content() -> None:
    assert static_key(b"type", {"b": 1, "a": "x"}) == digest(b'type{"a":"x","b":1}')
    image = {"$type": "Image", "sha256": "ab", "media_type": None}
    same = {**image, "asset_id": "a1"}
    assert static_key(b"type", {"image": same}) == static_key(b"type", {"image": {**image, "asset_id": "a2"}})
    assert static_key(b"type", {"image": same}) == digest(
        b"type" + short_digest(b'{"image":{"$type":"Image","media_type":null,"sha256":"ab"}}')
    )
