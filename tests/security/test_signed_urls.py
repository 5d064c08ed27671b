"""Signed URLs: the signature alone decides, and only for its own file and time."""

from typing import Any

import pytest
from tests.server.responses import expect
from tests.server.sample_nodes import png

pytestmark = pytest.mark.anyio
HEADERS = [
    "Bearer",
    "Bearer a.b.c",
    "Bearer imp_made-up",
    "Basic eDp5",
    "Negotiate x",
    "nonsense",
    "Bearer \xe9",
]


def local(url: str) -> str:
    return url.removeprefix("/api/v1")


@pytest.fixture
async def asset(person: Any) -> dict[str, Any]:
    return dict((await person.client.post("/assets/", files={"file": ("x.png", png(3), "image/png")})).json())


@pytest.mark.parametrize("authorization", HEADERS)
@pytest.mark.parametrize("kind", ["url", "thumbnail_url"])
async def test_signed_url_works_with_any_authorization_header(
    client: Any, asset: dict[str, Any], authorization: str, kind: str
) -> None:
    headers = {"Authorization": authorization.encode("latin-1")}
    expect(await client.get(local(asset[kind]), headers=headers), 200)


async def test_signed_url_works_with_the_token_of_another_user_or_of_an_ended_session(
    person: Any, new_person: Any, asset: dict[str, Any]
) -> None:
    ines = await new_person("ines")
    expect(await ines.client.get(local(asset["url"])), 200)
    await ines.client.post("/identity/sign-out")
    expect(await ines.client.get(local(asset["url"])), 200)


@pytest.mark.parametrize("authorization", HEADERS)
async def test_without_a_signature_a_wrong_authorization_is_refused(
    client: Any, asset: dict[str, Any], authorization: str
) -> None:
    headers = {"Authorization": authorization.encode("latin-1")}
    expect(await client.get(f"/assets/{asset['id']}/content", headers=headers), 401)


async def test_expired_signature_is_refused_even_for_the_owner(
    person: Any, clock: Any, asset: dict[str, Any]
) -> None:
    clock.travel(hours=3)
    person.use((await person.client.post("/identity/refresh")).json()["session"])
    expect(await person.client.get(local(asset["url"])), 403, code="link_expired")
