"""Object storage behaves the same on a folder and on an S3 bucket."""

import base64
import hashlib
import io
import os
import re
import threading
import zipfile
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import httpx
import pytest
from pydantic import ValidationError

from impasto import Catalog
from impasto_server.app import create_app
from impasto_server.settings import Settings
from impasto_server.storage.object_storage import CHUNK, BucketMissing, Storage, content_key
from impasto_server.storage.s3_variables import S3_VARIABLES
from impasto_server.storage.zip_stream import ZipStream, one_piece

pytestmark = pytest.mark.anyio
DATA = bytes(range(256)) * 3000


@pytest.fixture(scope="module")
def bucket() -> Iterator[str]:
    """A bucket of an S3 server on this machine."""
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    httpx.put(f"http://{host}:{port}/paint").raise_for_status()
    yield f"s3://paint/files?endpoint=http://{host}:{port}&region=us-east-1&access_key_id=a&secret_access_key=b"
    server.stop()


@pytest.fixture(params=["folder", "s3", "s3 by settings"])
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Storage:
    given: dict[str, Any] = {"data_dir": tmp_path}
    if request.param != "folder":
        given["storage_url"] = request.getfixturevalue("bucket")
    if request.param == "s3 by settings":
        given["storage_url"], _, query = given["storage_url"].partition("?")
        given |= {f"storage_{name}": value for name, value in parse_qsl(query)}
    return Storage.from_settings(Settings(_env_file=None, **given))


@pytest.fixture
def requests() -> Iterator[tuple[str, list[Message]]]:
    """The endpoint of a service without objects, and the headers of the requests that it got."""
    found: list[Message] = []

    class Handler(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            found.append(self.headers)
            self.send_error(404)

        def log_message(self, *_: Any) -> None:
            """Write no lines."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", found
        server.shutdown()


def from_env_file(tmp_path: Path, lines: dict[str, str], **given: Any) -> Storage:
    file = tmp_path / ".env"
    file.write_text("".join(f"{name}={value}\n" for name, value in lines.items()))
    return Storage.from_settings(Settings(_env_file=file, **{"storage_url": "s3://paint/files", **given}))


AWS_LINES = {"AWS_ACCESS_KEY_ID": "of-file", "AWS_SECRET_ACCESS_KEY": "b", "AWS_REGION": "eu-west-2"}


async def test_bucket_is_opened_with_the_variables_of_aws_in_the_env_file(
    bucket: str, tmp_path: Path
) -> None:
    endpoint = dict(parse_qsl(bucket.partition("?")[2]))["endpoint"]
    storage = from_env_file(tmp_path, {**AWS_LINES, "AWS_ENDPOINT_URL": endpoint})
    key = await put(storage, tmp_path)
    assert await storage.read(key) == DATA
    whole = from_env_file(tmp_path, {**AWS_LINES, "AWS_ENDPOINT_URL": endpoint}, storage_url="s3://paint/")
    assert await whole.read(f"files/{key}") == DATA


async def test_requests_are_signed_with_the_key_region_and_token_of_the_env_file(
    requests: tuple[str, list[Message]], tmp_path: Path
) -> None:
    endpoint, headers = requests
    lines = {**AWS_LINES, "AWS_ENDPOINT_URL_S3": endpoint, "AWS_SESSION_TOKEN": "of-session"}
    await from_env_file(tmp_path, lines).check()
    assert re.search(r"Credential=of-file/\d+/eu-west-2/s3/", headers[0]["authorization"])
    assert headers[0]["x-amz-security-token"] == "of-session"


async def test_environment_counts_before_the_env_file(
    requests: tuple[str, list[Message]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    endpoint, headers = requests
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "of-environment")
    await from_env_file(tmp_path, {**AWS_LINES, "AWS_ENDPOINT": endpoint}).check()
    assert "Credential=of-environment/" in headers[0]["authorization"]


async def test_settings_of_the_storage_count_before_the_variables_of_aws(
    requests: tuple[str, list[Message]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    endpoint, headers = requests
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", "http://127.0.0.1:9")
    monkeypatch.setenv("AWS_TOKEN", "of-another-key")
    storage = from_env_file(
        tmp_path,
        {**AWS_LINES, "AWS_SESSION_TOKEN": "of-another-key"},
        storage_url=f"s3://paint/files?aws_region=us-west-1&endpoint={endpoint}",
        storage_access_key_id="of-settings",
        storage_secret_access_key="b",
    )
    await storage.check()
    assert re.search(r"Credential=of-settings/\d+/us-west-1/", headers[0]["authorization"])
    assert "x-amz-security-token" not in headers[0]


def test_client_takes_every_listed_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    values = {"AWS_SERVER_SIDE_ENCRYPTION": "sse-c", "AWS_CHECKSUM_ALGORITHM": "SHA256"}
    key = base64.b64encode(bytes(32)).decode()
    values |= {"AWS_SSE_CUSTOMER_KEY_BASE64": key, "AWS_ENDPOINT_URL_S3": "http://127.0.0.1:9"}
    from_env_file(tmp_path, {one.name: values.get(one.name, "true") for one in S3_VARIABLES})


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"storage_region": "eu-central-1"}, "IMPASTO_STORAGE_REGION needs another setting"),
        (
            {"storage_url": "s3://paint", "storage_access_key_id": "a"},
            "set IMPASTO_STORAGE_SECRET",
        ),
        (
            {"storage_url": "s3://paint", "storage_secret_access_key": "b"},
            "set IMPASTO_STORAGE_ACCESS",
        ),
        (
            {"storage_url": "s3://paint", "storage_endpoint": "store:8333"},
            "start it with https:// or http://",
        ),
        ({"storage_url": "s3://"}, "name the bucket"),
    ],
)
def test_settings_that_do_not_fit_are_explained(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValidationError, match=sentence):
        Settings(_env_file=None, **given)


async def put(storage: Storage, tmp_path: Path, data: bytes = DATA) -> str:
    path = tmp_path / "file"
    path.write_bytes(data)
    return await storage.put_file(path, hashlib.sha256(data).hexdigest())


async def test_stored_object_is_read_whole_and_by_range(storage: Storage, tmp_path: Path) -> None:
    key = await put(storage, tmp_path)
    assert await storage.read(key) == DATA
    for start, end in [(0, 1), (10, 20), (CHUNK - 3, CHUNK + 3), (0, len(DATA)), (5, 5)]:
        assert b"".join([piece async for piece in storage.stream(key, start, end)]) == DATA[start:end]


async def test_same_content_has_one_key(storage: Storage, tmp_path: Path) -> None:
    digest = hashlib.sha256(DATA).hexdigest()
    assert await put(storage, tmp_path) == await put(storage, tmp_path) == content_key(digest)


async def test_path_has_content_within_block(storage: Storage, tmp_path: Path) -> None:
    key = await put(storage, tmp_path)
    is_folder = (tmp_path / "assets").exists()
    async with storage.path(key, ".bin") as path:
        assert path.read_bytes() == DATA
        assert path.suffix == ("" if is_folder else ".bin")
    assert path.exists() is is_folder


async def test_delete_is_idempotent(storage: Storage, tmp_path: Path) -> None:
    key = await put(storage, tmp_path)
    assert await storage.exists(key)
    await storage.delete(key)
    await storage.delete(key)
    assert not await storage.exists(key)
    with pytest.raises(FileNotFoundError):
        await storage.read(key)
    with pytest.raises(FileNotFoundError):
        async with storage.path(key):
            pass
    if (tmp_path / "assets").exists():
        assert (tmp_path / "assets" / key).parent.is_dir(), "another write may be about to use it"


async def test_working_storage_passes_check(storage: Storage) -> None:
    await storage.check()


async def test_broken_storage_fails_check(tmp_path: Path) -> None:
    storage = Storage.from_settings(Settings(_env_file=None, data_dir=tmp_path))
    (tmp_path / "assets").rmdir()
    for mode in (0o600, 0o700):
        (tmp_path / "assets").write_text("in the way")
        (tmp_path / "assets").chmod(mode)
        with pytest.raises(PermissionError, match=r"assets is not a folder that can be read and written$"):
            await storage.check()


async def test_objects_are_listed_with_their_sizes(storage: Storage, tmp_path: Path) -> None:
    async for key, _ in storage.list_objects():
        await storage.delete(key)
    named = await storage.put_bytes(b"cover", "covers")
    by_content = await storage.put_bytes(b"content")
    await storage.put_at("any/name", b"1234")
    (tmp_path / "copy").write_bytes(b"12345")
    await storage.put_copy(tmp_path / "copy", "any/copy")
    assert named == "covers/3fa405a8301ace34d11cf44a816080b8f0e49a48fbd048b8aef1543a8c58bdb6"
    assert by_content == content_key(hashlib.sha256(b"content").hexdigest())
    assert {key: size async for key, size in storage.list_objects()} == {
        named: 5,
        by_content: 7,
        "any/name": 4,
        "any/copy": 5,
    }
    assert await storage.size("any/name") == 4
    assert await storage.read(named) == b"cover"


async def test_interrupted_writes_of_an_object_are_deleted_if_they_are_old(tmp_path: Path) -> None:
    storage = Storage.from_settings(Settings(_env_file=None, storage_url=f"file://{tmp_path / 'files'}"))
    folder = tmp_path / "files" / "a"
    folder.mkdir(parents=True)
    for name, seconds in {"k#1": 50, "k#2": 100, "kk#1": 50, "k": 50}.items():
        (folder / name).write_bytes(b"x")
        os.utime(folder / name, (seconds, seconds))
    await storage.delete_unfinished("a/k", datetime.fromtimestamp(100, UTC))
    assert {path.name for path in folder.iterdir()} == {"k#2", "kk#1", "k"}


async def test_folder_is_private_and_has_no_bucket_to_miss(tmp_path: Path) -> None:
    storage = Storage.from_settings(Settings(_env_file=None, data_dir=tmp_path))
    assert (tmp_path / "assets").stat().st_mode & 0o777 == 0o700
    await storage.check_bucket()


async def test_missing_bucket_is_reported_and_an_empty_one_is_not(bucket: str) -> None:
    await Storage.from_settings(Settings(_env_file=None, storage_url=bucket)).check_bucket()
    missing = Settings(_env_file=None, storage_url=bucket.replace("paint", "none"))
    with pytest.raises(BucketMissing):
        await Storage.from_settings(missing).check_bucket()


async def test_server_does_not_start_without_its_bucket(bucket: str, data_folder: Path) -> None:
    missing = bucket.replace("paint", "none")
    settings = Settings(_env_file=None, data_dir=data_folder, warm=False, storage_url=missing)
    app = create_app(settings, Catalog([]))
    with pytest.raises(BucketMissing):
        async with app.router.lifespan_context(app):
            pass


async def test_zip_is_sent_while_it_is_written() -> None:
    async def pieces() -> AsyncIterator[bytes]:
        yield b"one "
        yield b"two"

    archive, sent = ZipStream(), []
    modified = datetime(2026, 11, 22, 3, 26, 2, tzinfo=UTC)
    sent += [data async for data in archive.add("a.txt", pieces(), modified=modified)]
    assert b"one " in sent[0]
    assert b"\x01\x00\x10\x00" in sent[0], "with room for the size of a file of more than 4 GiB"
    assert b"two" in sent[1]
    sent += [data async for data in archive.add("b.txt", one_piece(b"x" * 999), compress=True)]
    sent.append(archive.finish())
    with zipfile.ZipFile(io.BytesIO(b"".join(sent))) as found:
        first, second = found.infolist()
        assert (found.read("a.txt"), found.read("b.txt")) == (b"one two", b"x" * 999)
    assert (first.date_time, first.compress_type) == ((2026, 11, 22, 3, 26, 2), zipfile.ZIP_STORED)
    assert second.compress_type == zipfile.ZIP_DEFLATED
    assert second.compress_size < 100
