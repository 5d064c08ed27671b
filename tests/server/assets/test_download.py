"""Downloads: signed URLs, ranges, ETags, security headers."""

import io
from typing import Any

import pytest
from PIL import Image
from tests.server.responses import expect
from tests.server.sample_nodes import png

from impasto_server.assets.download import disposition, range_response
from impasto_server.assets.models import AssetRow

pytestmark = pytest.mark.anyio
DATA = bytes(range(256)) * 4000  # more than one chunk of the storage


def local(url: str) -> str:
    return url.removeprefix("/api/v1")


@pytest.fixture
async def asset(person: Any) -> dict[str, Any]:
    files = {"file": ("data.bin", DATA, "application/octet-stream")}
    return dict((await person.client.post("/assets/", files=files)).json())


async def test_signed_url_works_without_token(client: Any, asset: dict[str, Any]) -> None:
    response = await client.get(local(asset["url"]))
    expect(response, 200)
    assert response.content == DATA
    assert response.headers["accept-ranges"] == "bytes"
    assert response.headers["content-length"] == str(len(DATA))


async def test_owner_needs_no_signature(
    person: Any, new_person: Any, client: Any, asset: dict[str, Any]
) -> None:
    path = f"/assets/{asset['id']}/content"
    expect(await person.client.get(path), 200)
    expect(await client.get(path), 401)
    expect(await (await new_person("ines")).client.get(path), 404)


async def test_forged_signature_is_rejected(
    client: Any, asset: dict[str, Any], subtests: pytest.Subtests
) -> None:
    cases: list[Any] = [
        lambda url: url[:-1] + ("A" if url[-1] != "A" else "B"),
        lambda url: url.replace("expires=", "expires=9"),
        lambda url: url.split("&")[0],
        lambda url: url.split("?")[0] + "?signature=" + url.split("signature=")[1],
        lambda url: url.replace("/content", "/thumbnail"),
        lambda url: url + "&expires=99999999999",
    ]
    for change in cases:
        with subtests.test(url=change(local(asset["url"]))):
            response = await client.get(change(local(asset["url"])))
            expect(response, 403, code="link_expired")


async def test_signature_is_valid_for_one_file_only(person: Any, client: Any, asset: dict[str, Any]) -> None:
    other = (await person.client.post("/assets/", files={"file": ("x.png", png(3), "image/png")})).json()
    mixed = local(asset["url"]).replace(asset["id"], other["id"])
    expect(await client.get(mixed), 403)


async def test_signed_url_is_stable_until_it_expires(
    person: Any, client: Any, clock: Any, asset: dict[str, Any]
) -> None:
    again = (await person.client.get(f"/assets/{asset['id']}")).json()
    assert again["url"] == asset["url"]
    clock.travel(hours=2, minutes=1)
    expect(await client.get(local(asset["url"])), 403)
    person.use((await person.client.post("/identity/refresh")).json()["session"])
    fresh = (await person.client.get(f"/assets/{asset['id']}")).json()
    expect(await client.get(local(fresh["url"])), 200)


async def test_range_request_returns_part(
    client: Any, asset: dict[str, Any], subtests: pytest.Subtests
) -> None:
    cases = [
        ("bytes=0-0", 0, 1),
        ("bytes=10-19", 10, 20),
        ("bytes=1000000-", 1000000, len(DATA)),
        ("bytes=-5", len(DATA) - 5, len(DATA)),
        ("bytes=-99999999", 0, len(DATA)),
        ("bytes=262140-262150", 262140, 262151),
        ("bytes=5-99999999", 5, len(DATA)),
    ]
    for wanted, start, end in cases:
        with subtests.test(wanted=wanted):
            response = await client.get(local(asset["url"]), headers={"Range": wanted})
            assert response.content == DATA[start:end]
            expect(response, 206, reason="players of videos ask for all of it as a part, and wait for one")
            assert response.headers["content-range"] == f"bytes {start}-{end - 1}/{len(DATA)}"


async def test_range_outside_of_file_is_416(
    client: Any, asset: dict[str, Any], subtests: pytest.Subtests
) -> None:
    cases = [f"bytes={len(DATA)}-", "bytes=99999999-", "bytes=-0"]
    for wanted in cases:
        with subtests.test(wanted=wanted):
            response = await client.get(local(asset["url"]), headers={"Range": wanted})
            expect(response, 416, code="range_refused")
            assert response.json()["detail"] == "The requested range is outside of the file."
            assert response.headers["content-range"] == f"bytes */{len(DATA)}"


async def test_invalid_range_is_ignored(
    client: Any, asset: dict[str, Any], subtests: pytest.Subtests
) -> None:
    cases = [
        "bytes=",
        "bytes=-",
        "bytes=9-5",
        "items=0-5",
        "bytes=0-1,5-6",
        "bytes=a-b",
        "bytes=0-" + "9" * 5000,
    ]
    for wanted in cases:
        with subtests.test(wanted=wanted):
            response = await client.get(local(asset["url"]), headers={"Range": wanted})
            expect(response, 200)
            assert len(response.content) == len(DATA)


async def test_matching_etag_returns_304(client: Any, asset: dict[str, Any]) -> None:
    tag = (await client.get(local(asset["url"]))).headers["etag"]
    same = await client.get(local(asset["url"]), headers={"If-None-Match": f'"x", W/{tag}'})
    expect(same, 304)
    assert same.content == b""
    stale = {"Range": "bytes=0-3", "If-Range": '"another"'}
    expect(await client.get(local(asset["url"]), headers=stale), 200)
    good = {"Range": "bytes=0-3", "If-Range": tag}
    expect(await client.get(local(asset["url"]), headers=good), 206)


async def test_head_returns_size_without_body(client: Any, asset: dict[str, Any]) -> None:
    response = await client.head(local(asset["url"]))
    expect(response, 200)
    assert (response.headers["content-length"], response.content) == (str(len(DATA)), b"")


async def test_uploaded_html_is_sandboxed_attachment(person: Any, client: Any) -> None:
    page = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"
    asset = (await person.client.post("/assets/", files={"file": ("x.svg", page, "image/svg+xml")})).json()
    response = await client.get(local(asset["url"]))
    assert response.headers["content-disposition"].startswith("attachment")
    assert "sandbox" in response.headers["content-security-policy"]
    assert response.headers["x-content-type-options"] == "nosniff"


async def test_download_has_file_name(person: Any, client: Any) -> None:
    files = {"file": ('Grüße "1".png', png(3), "image/png")}
    asset = (await person.client.post("/assets/", files=files)).json()
    shown = await client.get(local(asset["url"]))
    assert shown.headers["content-disposition"].startswith("inline")
    kept = await client.get(local(asset["url"]) + "&download=true")
    assert kept.headers["content-disposition"].startswith("attachment")
    assert "filename*=UTF-8''Gr%C3%BC%C3%9Fe" in kept.headers["content-disposition"]


async def test_thumbnail_is_small_webp(person: Any, client: Any, app_state: Any) -> None:
    files = {"file": ("big.png", png(3, 1200, 300), "image/png")}
    asset = (await person.client.post("/assets/", files=files)).json()
    response = await client.get(local(asset["thumbnail_url"]))
    assert response.headers["content-type"] == "image/webp"
    assert response.headers["cache-control"] == "private, max-age=3600, immutable"
    assert response.headers["etag"] == f'"{asset["sha256"]}"'
    with Image.open(io.BytesIO(response.content)) as image:
        assert image.size == (512, 128)
    key = f"thumbnails/{asset['sha256']}"
    assert await app_state.storage.read(key) == response.content
    await app_state.storage.put_at(key, b"stored")
    assert (await client.get(local(asset["thumbnail_url"]))).content == b"stored"


async def test_asset_without_thumbnail_is_not_found(person: Any, asset: dict[str, Any]) -> None:
    assert asset["thumbnail_url"] is None
    expect(await person.client.get(f"/assets/{asset['id']}/thumbnail"), 404)


ROW = AssetRow(id="a", name='Grü "x".txt', media_type="text/plain", bytes=10, sha256="abc", object_key="none")


@pytest.mark.parametrize(
    ("conditions", "status", "body"),
    [
        ({}, 200, b"0123456789"),
        ({"range": "bytes=2-4"}, 206, b"234"),
        ({"range": "bytes = 2 - 4"}, 206, b"234"),
        ({"range": "bytes=9-"}, 206, b"9"),
        ({"range": "bytes=-1"}, 206, b"9"),
        ({"range": "bytes=4-4"}, 206, b"4"),
        ({"range": "bytes=5-4"}, 200, b"0123456789"),
        ({"range": "bytes=2-4", "if-range": '"abc"'}, 206, b"234"),
        ({"range": "bytes=2-4", "if-range": '"abd"'}, 200, b"0123456789"),
        ({"if-none-match": '"abc"'}, 304, b""),
        ({"if-none-match": '"x", W/"abc"'}, 304, b""),
        ({"if-none-match": " * "}, 304, b""),
        ({"if-none-match": '"x"'}, 200, b"0123456789"),
        ({"if-none-match": "abc"}, 200, b"0123456789"),
    ],
)
async def test_conditions_and_ranges_of_content_outside_the_storage(
    conditions: dict[str, str], status: int, body: bytes
) -> None:
    unused: Any = None
    response = await range_response(unused, ROW, conditions, download=False, content=b"0123456789")
    assert (response.status_code, response.body) == (status, body)
    headers = {
        "etag": '"abc"',
        "accept-ranges": "bytes",
        "cache-control": "private, max-age=3600",
        "content-disposition": "inline; filename=\"Gr? 'x'.txt\"; filename*=UTF-8''Gr%C3%BC%20%22x%22.txt",
        "content-security-policy": (
            "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; media-src 'self'; sandbox"
        ),
    }
    if status == 206:
        start = b"0123456789".index(body)
        headers["content-range"] = f"bytes {start}-{start + len(body) - 1}/10"
    if status != 304:
        headers |= {"content-length": str(len(body)), "content-type": "text/plain; charset=utf-8"}
    assert dict(response.headers) == headers


@pytest.mark.parametrize(
    ("media_type", "download", "kind"),
    [
        ("image/png", False, "inline"),
        ("image/png", True, "attachment"),
        ("image/svg+xml", False, "attachment"),
        ("video/mp4", False, "inline"),
        ("application/pdf", False, "inline"),
        ("text/html", False, "attachment"),
        ("text/plain", False, "inline"),
        ("application/octet-stream", False, "attachment"),
    ],
)
def test_only_files_that_browsers_may_show_are_inline(media_type: str, download: bool, kind: str) -> None:
    assert disposition('Grü "x"\\.txt', media_type, download=download) == (
        f"{kind}; filename=\"Gr? 'x'_.txt\"; filename*=UTF-8''Gr%C3%BC%20%22x%22%5C.txt"
    )
