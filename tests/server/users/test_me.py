"""The current user: profile, avatar, onboarding, export and deletion."""

import io
import re
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime, time, timedelta
from typing import Any

import httpx
import orjson
import pytest
from fastapi import FastAPI
from PIL import Image
from tests.fakes.media import saved
from tests.server.responses import expect

from impasto_server.users import service as users

pytestmark = pytest.mark.anyio

INFO = {
    "first_name": "Mara",
    "last_name": "Linde",
    "company": "Northbound Coffee",
    "role": "brand_designer",
    "reasons": ["save_time", "improve_quality"],
}


def picture(format_: str = "PNG", size: tuple[int, int] = (800, 600), **options: Any) -> bytes:
    image = Image.new("RGB", size, "#de4f2a")
    image.paste("#2f57e0", (0, 0, size[0] // 2, size[1]))
    return saved(image, format_, **options)


async def upload(person: Any, data: bytes, name: str = "me.png", kind: str = "image/png") -> httpx.Response:
    answer: httpx.Response = await person.client.post("/users/me/avatar", files={"file": (name, data, kind)})
    return answer


@pytest.mark.usefixtures("at_noon")
async def test_me_has_documented_fields(person: Any, clock: Any, app: FastAPI) -> None:
    answer = await person.client.get("/users/me")
    expect(answer, 200)
    midnight = datetime.combine(clock().date() + timedelta(days=1), time(), UTC)
    quota = {"limit": 50, "used": 0, "resets_at": midnight.isoformat().replace("+00:00", "Z")}
    async with app.state.app_state.database.reading() as session:
        user = await users.find_by_username(session, "mara")
    expected = {
        "id": user and user.id, "username": "mara", "email": "mara@northbound.example", "avatar_url": None,
        "info": None, "credentials_name": None, "quota": quota, "betas": [], "book_a_call_url": None,
        "is_admin": False,
    }  # fmt: skip
    assert list(answer.json().items()) == list(expected.items())


class TestOffers:
    @pytest.fixture
    def extra_settings(self) -> dict[str, Any]:
        return {"book_a_call_url": "https://call.example"}

    async def test_me_shows_what_the_operator_and_the_user_have_set(
        self, person: Any, app: FastAPI, client: httpx.AsyncClient
    ) -> None:
        async with app.state.app_state.database.writing() as session:
            user = await users.find_by_username(session, "mara")
            assert user is not None
            user.is_admin, user.betas = True, ["video"]
        set_name = await person.client.put("/users/me/credentials-name", json={"name": " Mara K. "})
        me = (await person.client.get("/users/me")).json()
        assert expect(set_name, 200).json() == me
        shown = (me["credentials_name"], me["book_a_call_url"], me["is_admin"], me["betas"])
        assert shown == ("Mara K.", "https://call.example", True, ["video"])
        expect(await client.put("/users/me/credentials-name", json={"name": "Mara"}), 401)


async def test_onboarding_answers_are_stored(person: Any) -> None:
    answer = await person.client.put("/users/me/info", json=INFO)
    expect(answer, 200)
    assert answer.json()["info"] == INFO
    assert (await person.client.get("/users/me")).json()["info"] == INFO


async def test_invalid_onboarding_answers_are_named(person: Any, subtests: pytest.Subtests) -> None:
    cases: list[tuple[dict[str, Any], str]] = [
        ({"role": "astronaut"}, "role"),
        ({"reasons": ["boredom"]}, "reasons.0"),
        ({"first_name": " "}, "first_name"),
        ({"company": "x" * 121}, "company"),
        ({"last_name": None}, "last_name"),
    ]
    for changes, path in cases:
        with subtests.test(path=path):
            answer = await person.client.put("/users/me/info", json={**INFO, **changes})
            expect(answer, 422)
            assert answer.json()["errors"][0]["path"] == path
            assert (await person.client.get("/users/me")).json()["info"] is None


async def test_roles_and_reasons_match_the_specification(client: httpx.AsyncClient) -> None:
    roles = (await client.get("/user-info/roles")).json()
    assert [role["value"] for role in roles] == [
        "growth_performance_marketer",
        "content_social_media_marketer",
        "brand_designer",
        "ux_ui_designer",
        "founder_c_level",
        "marketing_design_leader",
        "freelancer",
        "other",
    ]
    reasons = (await client.get("/user-info/reasons")).json()
    assert [reason["value"] for reason in reasons] == [
        "improve_design",
        "save_time",
        "increase_productivity",
        "reduce_costs",
        "improve_quality",
        "other",
    ]
    labels = [choice["label"] for choice in roles]
    assert (labels[0], labels[-1], len(set(labels))) == ("Growth / performance marketer", "Other", 8)
    assert [choice["label"] for choice in reasons] == [
        "Improve design",
        "Save time",
        "Increase productivity",
        "Reduce costs",
        "Improve quality",
        "Other",
    ]


async def test_avatar_is_reencoded_as_square(
    person: Any, client: httpx.AsyncClient, subtests: pytest.Subtests
) -> None:
    cases = ["PNG", "JPEG", "WEBP"]
    for format_ in cases:
        with subtests.test(format_=format_):
            answer = await upload(person, picture(format_))
            expect(answer, 200)
            url = answer.json()["avatar_url"]
            assert re.fullmatch(r"/api/v1/users/avatars/[\w-]{24}", url)
            served = await client.get(url.removeprefix("/api/v1"))
            assert served.headers["content-type"] == "image/webp"
            assert served.headers["cache-control"] == "private, max-age=31536000, immutable"
            shown = Image.open(io.BytesIO(served.content))
            assert (shown.size, shown.format) == ((512, 512), "WEBP")
            red, _, blue = shown.convert("RGB").getpixel((10, 256))  # type: ignore[misc]
            assert blue > red, "cut from the middle, not squeezed or mirrored"


async def test_avatar_is_rotated_upright_and_loses_metadata(person: Any, client: httpx.AsyncClient) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # the camera was held on its side: the left half belongs to the top
    exif[0x013B] = "Mara Linde"
    url = (await upload(person, picture("JPEG", exif=exif))).json()["avatar_url"]
    content = (await client.get(url.removeprefix("/api/v1"))).content
    assert b"Mara" not in content
    top = Image.open(io.BytesIO(content)).convert("RGB").getpixel((256, 10))
    assert top[2] > top[0]  # type: ignore[index]


async def test_new_avatar_replaces_old_one(person: Any, client: httpx.AsyncClient) -> None:
    old = (await upload(person, picture())).json()["avatar_url"]
    new = (await upload(person, picture())).json()["avatar_url"]
    assert old != new
    expect(await client.get(old.removeprefix("/api/v1")), 404)
    expect(await client.get(new.removeprefix("/api/v1")), 200)


async def test_invalid_avatar_file_is_refused(person: Any, subtests: pytest.Subtests) -> None:
    before = (await upload(person, picture())).json()["avatar_url"]
    cases: list[bytes] = [
        b"",
        b"not a picture",
        picture()[:400],
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        picture("GIF"),
    ]
    for data in cases:
        with subtests.test(data=data[:20]):
            answer = await upload(person, data)
            expect(answer, 422)
            assert answer.json()["errors"][0]["path"] == "file"
            assert "image" in answer.json()["detail"]
            assert (await person.client.get("/users/me")).json()["avatar_url"] == before


async def test_decompression_bomb_is_rejected(person: Any) -> None:
    answer = await upload(person, saved(Image.new("1", (20_000, 20_000))))
    expect(answer, 422)
    assert "megapixels" in answer.json()["detail"]


async def test_avatar_has_at_most_20_mib(person: Any) -> None:
    largest = picture() + bytes(20 * 2**20 - len(picture()))
    expect(await upload(person, largest), 200)
    refused = expect(await upload(person, largest + b"0"), 422).json()
    message = "This image is too large: the limit is 20 MiB."
    assert refused["errors"] == [{"path": "file", "code": "too_large", "message": message}]


async def test_unknown_avatar_is_404(client: httpx.AsyncClient, subtests: pytest.Subtests) -> None:
    cases = ["unknown", "..%2f..%2fimpasto.db", "..", "a.b"]
    for key in cases:
        with subtests.test(key=key):
            expect(await client.get(f"/users/avatars/{key}"), 404)


async def test_export_has_own_data_only(new_person: Callable[..., Any], settings: Any) -> None:
    mara, noor = await new_person("mara"), await new_person("noor")
    await upload(mara, picture())
    await mara.client.put("/users/me/info", json=INFO)
    me = (await mara.client.get("/users/me")).json()
    answer = await mara.client.get("/users/me/export")
    assert answer.headers["content-type"] == "application/zip"
    assert answer.headers["content-disposition"] == 'attachment; filename="impasto-export.zip"'
    archive = zipfile.ZipFile(io.BytesIO(answer.content))
    assert archive.testzip() is None
    account = orjson.loads(archive.read("account.json"))
    confirmed, created = account.pop("confirmed_at"), account.pop("created_at")
    assert datetime.fromisoformat(confirmed) >= datetime.fromisoformat(created)
    assert account == {
        "id": me["id"], "username": "mara", "email": mara.email, "info": INFO, "credentials_name": None,
        "betas": [], "daily_quota": None, "limits": None, "client_metadata": None,
    }  # fmt: skip
    assert b'{\n  "id"' in archive.read("account.json"), "for people to read, too"
    served = (await mara.client.get(me["avatar_url"].removeprefix("/api/v1"))).content
    assert archive.read("avatar.webp") == served
    stored, written = archive.getinfo("avatar.webp"), archive.getinfo("account.json")
    assert stored.compress_type == zipfile.ZIP_STORED, "an image would not become smaller"
    assert written.compress_type == zipfile.ZIP_DEFLATED
    everything = b"".join(archive.read(name) for name in archive.namelist())
    assert noor.email.encode() not in everything
    assert b"argon2" not in everything
    for file in (settings.data_dir / "assets").rglob("avatars/*"):
        file.unlink()
    answer = await mara.client.get("/users/me/export")
    archive = zipfile.ZipFile(io.BytesIO(answer.content))
    assert "avatar.webp" not in archive.namelist()
    assert archive.read("avatar.webp.missing.txt") == b"This file is missing from the storage.\n"


async def test_deletion_needs_password(person: Any) -> None:
    for password in ("", "Thick-paint-8"):
        answer = await person.client.request("DELETE", "/users/me", json={"password": password})
        expect(answer, 403, code="password_wrong")
    expect(await person.client.get("/users/me"), 200)


async def test_deletion_removes_all_data(
    new_person: Callable[..., Any], client: httpx.AsyncClient, settings: Any
) -> None:
    mara, noor = await new_person("mara"), await new_person("noor")
    url = (await upload(mara, picture())).json()["avatar_url"]
    answer = await mara.client.request("DELETE", "/users/me", json={"password": "Thick-paint-7"})
    expect(answer, 204)
    expect(await mara.client.get("/users/me"), 401)
    expect(await mara.client.post("/identity/refresh"), 401)
    expect(await client.get(url.removeprefix("/api/v1")), 404)
    assert not list((settings.data_dir / "assets").rglob("avatars/*"))
    expect(await noor.client.get("/users/me"), 200)
    assert (await new_person("mara")).username == "mara", "the name is free again"


async def test_anonymous_requests_are_401(client: httpx.AsyncClient, subtests: pytest.Subtests) -> None:
    cases = [
        ("GET", "/users/me"),
        ("PUT", "/users/me/info"),
        ("POST", "/users/me/avatar"),
        ("GET", "/users/me/export"),
        ("DELETE", "/users/me"),
    ]
    for method, path in cases:
        with subtests.test(method=method, path=path):
            body = {"files": {"file": ("a.png", b"x")}} if path.endswith("avatar") else {"json": {**INFO}}
            if path.endswith(("users/me", "export")):
                body = {"json": {"password": "x"}} if method == "DELETE" else {}
            answer = await client.request(method, path, **body)  # type: ignore[arg-type]
            expect(answer, 401)
