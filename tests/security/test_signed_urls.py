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


async def test_any_authorization_header_opens_a_signed_url_and_no_other(
    client: Any, asset: dict[str, Any]
) -> None:
    for authorization in HEADERS:
        headers = {"Authorization": authorization.encode("latin-1")}
        for kind in ("url", "thumbnail_url"):
            expect(await client.get(local(asset[kind]), headers=headers), 200, reason=authorization)
        unsigned = await client.get(f"/assets/{asset['id']}/content", headers=headers)
        expect(unsigned, 401, reason=authorization)


async def test_signed_url_works_with_the_token_of_another_user_or_of_an_ended_session(
    person: Any, new_person: Any, asset: dict[str, Any]
) -> None:
    ines = await new_person("ines")
    expect(await ines.client.get(local(asset["url"])), 200)
    await ines.client.post("/identity/sign-out")
    expect(await ines.client.get(local(asset["url"])), 200)


async def test_expired_signature_is_refused_even_for_the_owner(
    person: Any, clock: Any, asset: dict[str, Any]
) -> None:
    clock.travel(hours=3)
    person.use((await person.client.post("/identity/refresh")).json()["session"])
    expect(await person.client.get(local(asset["url"])), 403, code="link_expired")


async def test_half_a_signature_is_refused_even_for_the_owner(person: Any, asset: dict[str, Any]) -> None:
    for query in ("expires=99999999999", "signature=x", "expires=0&signature="):
        refused = await person.client.get(f"/assets/{asset['id']}/content?{query}")
        expect(refused, 403, code="link_expired")
        assert refused.json()["title"] == "URL expired"
