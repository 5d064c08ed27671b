"""Imports of one user wait for each other, and only few of them."""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import orjson
import pytest
from tests.server.brands.imports import font_files
from tests.server.brands.imports.pdf_files import pdf, text
from tests.server.brands.imports.test_archive import exported
from tests.server.brands.imports.test_imports import png
from tests.server.brands.imports.websites import Website, served
from tests.server.compiler_processes import SharedProcesses
from tests.server.responses import expect

from impasto_server.brands.imports import service

pytestmark = pytest.mark.anyio
SITE = "<h1>Hi</h1><img class='logo' src='/logo.png'>"
EXPORT = exported({"name": "F", "logo": {"dark": "d"}, "font_files": [{"file": "f"}]}, d=png(), f=b"no font")
# The operation that is held and the import that it is of, then one that is refused, for this field.
CASES = [
    ("page", "website", "website", "url"), ("site", "website", "pdf", "files"),
    ("logo", "website", "export", "files"), ("pdf", "pdf", "font", "file"),
    ("pdf_logos", "pdf", "images", "files"), ("images", "images", "images", "files"),
    ("logo", "export", "images", "files"), ("font", "export", "images", "files"),
    ("font", "font", "images", "files"),
]  # fmt: skip


class Holder:
    """Lets the first request for an operation wait before a process answers it, until it `may_go_on`."""

    def __init__(self, processes: SharedProcesses) -> None:
        self._processes = processes
        self.hold("")

    def hold(self, operation: str) -> None:
        self.operation, self.is_held, self.may_go_on = operation, threading.Event(), threading.Event()

    def start(self, setup: bytes, **options: Any) -> Any:
        process = self._processes.start(setup, **options)
        answer = process.call

        def call(parts: Any) -> Any:
            if orjson.loads(parts[0])["operation"] == self.operation and not self.is_held.is_set():
                self.is_held.set()
                self.may_go_on.wait(30)
            return answer(parts)

        process.call = call
        return process


@pytest.fixture
def extra_settings() -> dict[str, Any]:
    return {"allow_private_hosts": True, "brand_import_processes": 2}


@pytest.fixture
def website() -> Iterator[Website]:
    with served() as site:
        site.put("/", SITE)
        site.put("/logo.png", png(), "image/png")
        yield site


async def test_each_part_of_an_import_counts_as_one_of_the_three_of_its_user(
    person: Any,
    website: Website,
    compiler_processes: SharedProcesses,
    monkeypatch: pytest.MonkeyPatch,
    subtests: pytest.Subtests,
) -> None:
    holder = Holder(compiler_processes)
    monkeypatch.setattr(service, "CompilerProcess", holder.start)

    def post(path: str, field: str, data: bytes) -> Callable[[], Awaitable[Any]]:
        return lambda: person.client.post(f"/brands/{path}", files={field: ("file", data)})

    imports = {
        "website": lambda: person.client.post("/brands/import/website", json={"url": website.url}),
        "pdf": post("import/files", "files", pdf(text("Logo"))),
        "images": post("import/files", "files", png()),
        "export": post("import/files", "files", EXPORT),
        "font": post("fonts", "file", font_files.font()),
    }
    for operation, kind, refused_kind, field in CASES:
        with subtests.test(operation=operation, kind=kind):
            holder.hold(operation)
            first = asyncio.ensure_future(imports[kind]())
            assert await asyncio.to_thread(holder.is_held.wait, 30)
            others = [asyncio.ensure_future(imports[refused_kind]()) for _ in range(3)]
            (refused,), _ = await asyncio.wait(others, timeout=30, return_when=asyncio.FIRST_COMPLETED)
            holder.may_go_on.set()
            problem = expect(refused.result(), 422, code="import_failed").json()
            sentence = "Other imports of yours are not finished. Try again when they are."
            assert problem["detail"] == sentence
            assert problem["errors"] == [{"path": field, "code": "import_failed", "message": sentence}]
            statuses = [response.status_code for response in await asyncio.gather(first, *others)]
            assert statuses[0] == (201 if kind == "font" else 200)
            accepted = 201 if refused_kind == "font" else 200
            assert sorted(statuses[1:]) == [accepted, accepted, 422]
