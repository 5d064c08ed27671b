"""Reading a website, a PDF, images or an exported brand, and proposing what was found. Nothing is saved."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import orjson
from fastapi import UploadFile

from impasto_server.assets.upload import ReceivedFile, receive_upload
from impasto_server.brands.imports.archive import FileUnreadable, read_export
from impasto_server.brands.imports.errors import ImportFailed
from impasto_server.brands.imports.fetch import (
    MAX_LOGO_BYTES,
    MAX_PAGE_BYTES,
    MAX_STYLESHEET_BYTES,
    Fetched,
    Fetcher,
    FetchFailed,
    is_web_address,
)
from impasto_server.brands.imports.font_file import SanitizedFont
from impasto_server.brands.imports.languages import language_name
from impasto_server.brands.imports.schemas import BrandFinding, BrandImport, FoundField
from impasto_server.brands.schemas import BrandFontFile
from impasto_server.compiler.pool import OutOfMemory, ProcessPool, TooManyWaiting, TooSlow
from impasto_server.compiler.process import CompilerProcess
from impasto_server.http.rate_limit import RateLimiter
from impasto_server.http.schemas import plain_text
from impasto_server.limits.errors import LimitReached
from impasto_server.settings import Settings

MAX_FILES = 12
MAX_FILE_BYTES = 50 * 2**20
MAX_EXPORT_BYTES = 45 * 2**20
_MAX_WAITING = 3
_MAX_CSS_BYTES = 3 * 2**20
_SITE_SECONDS = 45.0
_WORKER = "impasto_server.brands.imports.worker"
_NO_LOGO = (
    "No logo was found in this PDF. A logo inside a photo is not recognized, nor is a name in plain type "
    "that is not in the PDF's title. Add the logo's own file, such as an SVG or a "
    "PNG with a transparent background."
)
_UNREADABLE = "This PDF cannot be read: it is damaged, or protected by a password."


StoreFont = Callable[[SanitizedFont], Awaitable[BrandFontFile]]


class BrandImporter:
    """Reads what users import, in processes that start on demand; `close` ends them."""

    def __init__(self, settings: Settings, rate_limiter: RateLimiter) -> None:
        self._settings = settings
        self._rate_limiter = rate_limiter
        self._pool: ProcessPool | None = None

    async def close(self) -> None:
        """End the processes; requests under way fail."""
        pool, self._pool = self._pool, None
        if pool is not None:
            await pool.close()

    async def read_website(self, owner: str, url: str) -> BrandImport:
        """Return what a website contains. `owner` is the id of the user.

        Raises `ImportFailed` for a site that cannot be read, or `RateLimited`.
        """
        await self.count(owner)
        address = url if "://" in url else f"https://{url}"
        if not is_web_address(address):
            raise ImportFailed("Enter the address of a website, such as https://example.com.", "url")
        try:
            async with asyncio.timeout(_SITE_SECONDS), Fetcher(self._settings.allow_private_hosts) as fetcher:
                return await self._read_site(owner, fetcher, address)
        except FetchFailed as error:
            raise ImportFailed(f"The website was not read: {error}", "url") from error
        except TimeoutError as error:
            message = f"The website was not read: it took longer than {_SITE_SECONDS:g} s."
            raise ImportFailed(message, "url") from error

    async def read_files(
        self, owner: str, uploads: Sequence[UploadFile], store_font: StoreFont
    ) -> BrandImport:
        """Return what a PDF, an exported brand, or images contain. `store_font` stores fonts of a brand.

        Raises `ImportFailed` or `RateLimited`.
        """
        await self.count(owner)
        if not 1 <= len(uploads) <= MAX_FILES:
            raise ImportFailed(f"Choose 1 to {MAX_FILES} files.", "files")
        async with AsyncExitStack() as stack:
            limit = min(MAX_FILE_BYTES, self._settings.upload_bytes)
            files = [await stack.enter_async_context(receive_upload(each, limit)) for each in uploads]
            starts = [await asyncio.to_thread(_start_of, file.path) for file in files]
            pdfs = [start.startswith(b"%PDF-") or b"\n%PDF-" in start for start in starts]
            zips = [start.startswith(b"PK\x03\x04") for start in starts]
            if len(files) > 1 and (any(pdfs) or any(zips)):
                raise ImportFailed("Choose one PDF, one exported brand, or images.", "files")
            if pdfs[0]:
                return await self._read_pdf(owner, files[0])
            if zips[0]:
                return await self._read_export(owner, files[0], store_font)
            return await self._read_images(owner, files)

    async def _read_site(self, owner: str, fetcher: Fetcher, url: str) -> BrandImport:
        page = await fetcher.fetch(url, MAX_PAGE_BYTES)
        if page.media_type not in ("text/html", "application/xhtml+xml", ""):
            raise ImportFailed(f"This address is no web page: it is {page.media_type[:60]}.", "url")
        head = {"url": page.url, "charset": page.charset}
        found = await self._ask(owner, "url", {"operation": "page", **head}, [page.data])
        notes: list[str] = []
        sheets = await self._fetch_all(fetcher, found["stylesheets"], MAX_STYLESHEET_BYTES, notes)
        sheets = _within(sheets, _MAX_CSS_BYTES, notes)
        places = [f"stylesheet {_file_name(sheet.url)}" for sheet in sheets]
        header = {"operation": "site", **head, "places": places}
        styles = await self._ask(owner, "url", header, [page.data, *(sheet.data for sheet in sheets)])
        findings = [
            _finding("name", name, found=where, suggested=index == 0)
            for index, (name, where) in enumerate(found["names"])
        ]
        if found["description"]:
            findings.append(_finding("description", found["description"], found="description of the page"))
        findings += _colors(styles["colors"])
        findings += _fonts(styles["fonts"])
        language = language_name(found["language"])
        if language:
            findings.append(
                _finding("languages", language, found=f"language of the page, {found['language']}")
            )
        findings += await self._site_logos(owner, fetcher, found["logos"])
        return BrandImport(source=page.url[:300], findings=findings, notes=notes)

    async def _site_logos(
        self, owner: str, fetcher: Fetcher, candidates: Sequence[Sequence[str]]
    ) -> list[BrandFinding]:
        urls = [source for source, _ in candidates if not source.startswith("<")]
        fetched = dict(zip(urls, await self._try_all(fetcher, urls, MAX_LOGO_BYTES), strict=True))
        findings: dict[str, BrandFinding] = {}
        for source, where in candidates:
            file = fetched.get(source)
            data = (
                source.encode() if source.startswith("<") else file.data if isinstance(file, Fetched) else b""
            )
            image = await self._ask(owner, "url", {"operation": "logo"}, [data]) if data else None
            if image is not None and image not in findings:
                name = "" if source.startswith("<") else f", {_file_name(source)}"
                findings[image] = _finding(
                    "logo",
                    image,
                    role="light",
                    found=f"{where}{name}",
                    suggested=not findings and "logo" in where + name,
                )
        return list(findings.values())

    async def _fetch_all(
        self, fetcher: Fetcher, urls: Sequence[str], max_bytes: int, notes: list[str]
    ) -> list[Fetched]:
        results = await self._try_all(fetcher, urls, max_bytes)
        failed = [
            (url, result)
            for url, result in zip(urls, results, strict=True)
            if isinstance(result, FetchFailed)
        ]
        notes += [f"The stylesheet {_file_name(url)} was not read: {error}" for url, error in failed]
        return [result for result in results if isinstance(result, Fetched)]

    async def _try_all(
        self, fetcher: Fetcher, urls: Sequence[str], max_bytes: int
    ) -> list[Fetched | FetchFailed]:
        async def attempt(url: str) -> Fetched | FetchFailed:
            try:
                return await fetcher.fetch(url, max_bytes)
            except FetchFailed as error:
                return error

        return list(await asyncio.gather(*map(attempt, urls)))

    async def _read_pdf(self, owner: str, file: ReceivedFile) -> BrandImport:
        found = await self._ask(owner, "files", {"operation": "pdf", "path": str(file.path)}, [])
        if found is None:
            raise ImportFailed(_UNREADABLE, "files")
        findings = [*_colors(found["colors"]), *_fonts(found["fonts"])]
        if found["title"]:
            findings.insert(0, _finding("name", found["title"], found="title of the PDF", suggested=False))
        notes: list[str] = []
        findings += await self._pdf_logos(owner, file, notes)
        if not findings:
            notes.insert(0, "This PDF contains no colours, fonts, logos or title that could be read.")
        return BrandImport(source=file.name, findings=findings, notes=notes)

    async def _pdf_logos(self, owner: str, file: ReceivedFile, notes: list[str]) -> list[BrandFinding]:
        """Return what may be logos: pages are drawn for that, so a slow one costs the logos only."""
        try:
            found = await self._ask(owner, "files", {"operation": "pdf_logos", "path": str(file.path)}, [])
        except ImportFailed as error:
            notes.append(f"Logos were not looked for: {error.detail}")
            return []
        if not found:
            notes.append(_NO_LOGO)
        roles: set[str] = set()
        findings = []
        for each in found:
            is_drawn = not each["found"].startswith("text")
            suggested = each["is_named"] and is_drawn and each["role"] not in roles
            roles.add(each["role"])
            findings.append(
                _finding("logo", each["image"], role=each["role"], found=each["found"], suggested=suggested)
            )
        return findings

    async def _read_images(self, owner: str, files: Sequence[ReceivedFile]) -> BrandImport:
        names = [file.name for file in files]
        header = {"operation": "images", "paths": [str(file.path) for file in files], "names": names}
        found = await self._ask(owner, "files", header, [])
        if "unreadable" in found:
            name = found["unreadable"]
            raise ImportFailed(
                f"{name} cannot be read: choose PNG, JPEG, WebP or SVG images, or a PDF.", "files"
            )
        findings = _colors(found["colors"])
        findings += [
            _finding(
                "logo",
                image,
                role="light",
                found=f"image with a transparent background, {name}",
                suggested=False,
            )
            for image, name in found["logos"]
        ]
        return BrandImport(source=", ".join(names)[:300], findings=findings, notes=[])

    async def _read_export(self, owner: str, file: ReceivedFile, store_font: StoreFont) -> BrandImport:
        if file.bytes > MAX_EXPORT_BYTES:
            raise ImportFailed(f"This file is larger than {MAX_EXPORT_BYTES / 2**20:g} MiB.", "files")
        try:
            data = await asyncio.to_thread(file.path.read_bytes)
            content, logos, fonts = await asyncio.to_thread(read_export, data)
        except FileUnreadable as error:
            raise ImportFailed(str(error), "files") from error
        where = f"in {file.name}"
        found = partial(_finding, found=where)
        findings = [found("name", content.name)]
        findings += [found("description", content.description)] if content.description else []
        findings += [found("color", each.hex, role=each.role, name=each.name) for each in content.colors]
        findings += [found("font", each.family, role=each.role) for each in content.fonts]
        for field in ("tone", "dos", "donts", "banned_words", "sample_lines", "languages"):
            findings += [found(field, value) for value in getattr(content.voice, field)]
        findings += [found("legal_line", content.legal_line)] if content.legal_line else []
        notes = []
        for ground, image in logos.items():
            png = await self._ask(owner, "files", {"operation": "logo"}, [image])
            if png is None:
                notes.append(f"The logo for {ground} backgrounds in this file cannot be read.")
            else:
                findings.append(found("logo", png, role=ground))
        for number, font in enumerate(fonts, 1):
            try:
                stored = await store_font(await self.read_font(owner, font, "files"))
            except (ImportFailed, LimitReached) as error:
                notes.append(f"Font file {number} was not imported: {error.detail}")
                continue
            finding = found("font_file", stored.family)
            findings.append(finding.model_copy(update={"font_file": stored}))
        return BrandImport(source=file.name, findings=findings, notes=notes)

    async def count(self, owner: str) -> None:
        """Count a request. Raises `RateLimited`."""
        await self._rate_limiter.hit(self._settings.rate_limit_imports, "brand imports", owner)

    async def read_font(self, owner: str, data: bytes, path: str) -> SanitizedFont:
        """Return a font file that is safe to draw with. Raises `ImportFailed`."""
        answer = await self._call(owner, path, {"operation": "font"}, [data])
        found = orjson.loads(answer[0])
        if "refused" in found:
            raise ImportFailed(found["refused"], path)
        return SanitizedFont(data=answer[1], **found)

    async def _ask(self, owner: str, path: str, header: dict[str, Any], parts: Sequence[bytes]) -> Any:
        return orjson.loads((await self._call(owner, path, header, parts))[0])

    async def _call(
        self, owner: str, path: str, header: dict[str, Any], parts: Sequence[bytes]
    ) -> list[bytes]:
        settings = self._settings
        if self._pool is None:
            self._pool = ProcessPool(
                settings.brand_import_processes,
                settings.brand_import_seconds,
                partial(_setup, settings),
                partial(CompilerProcess, worker=_WORKER),
            )
        try:
            answer, _ = await self._pool.call(owner, [orjson.dumps(header), *parts], _MAX_WAITING)
        except TooManyWaiting as error:
            raise ImportFailed(
                "Other imports of yours are not finished. Try again when they are.", path
            ) from error
        except TooSlow as error:
            seconds = f"{settings.brand_import_seconds:g} s"
            raise ImportFailed(f"Reading this takes longer than {seconds}.", path) from error
        except OutOfMemory as error:
            memory = f"{settings.brand_import_memory_mib} MiB"
            raise ImportFailed(f"Reading this takes more memory than {memory}.", path) from error
        return answer


def _setup(settings: Settings) -> bytes:
    return orjson.dumps(
        {
            "megapixels": settings.image_megapixels,
            "seconds": settings.brand_import_seconds,
            "memory_bytes": settings.brand_import_memory_mib * 2**20,
        }
    )


def _finding(
    field: FoundField, value: str, *, found: str, role: Any = None, name: str = "", suggested: bool = True
) -> BrandFinding:
    return BrandFinding(
        field=field,
        value=plain_text(value),
        role=role,
        name=plain_text(name),
        found=plain_text(found)[:300],
        suggested=suggested,
    )


def _colors(found: Sequence[dict[str, Any]]) -> list[BrandFinding]:
    """Propose the colours with a role of their own; the others are offered."""
    return [
        _finding(
            "color", each["hex"], role=each["role"], found=each["found"], suggested=each["role"] != "other"
        )
        for each in found
    ]


def _fonts(found: Sequence[Sequence[str]]) -> list[BrandFinding]:
    """Propose the first font for headlines and the first for text."""
    roles: set[str] = set()
    findings = []
    for family, role, where in found:
        findings.append(_finding("font", family, role=role, found=where, suggested=role not in roles))
        roles.add(role)
    return findings


def _within(files: list[Fetched], limit: int, notes: list[str]) -> list[Fetched]:
    kept: list[Fetched] = []
    size = 0
    for file in files:
        size += len(file.data)
        if size > limit:
            notes.append(
                f"Only the first {len(kept)} stylesheets were read: all have more than {limit / 2**20:g} MiB."
            )
            break
        kept.append(file)
    return kept


def _file_name(url: str) -> str:
    parts = httpx.URL(url)
    return (parts.path.rpartition("/")[2] or parts.host)[:60]


def _start_of(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(1024)
