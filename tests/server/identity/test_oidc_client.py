"""What the client of an OpenID Connect provider asks, keeps and accepts."""

import json
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qsl

import pytest
from joserfc import jwt
from joserfc.jwk import ECKey, KeySet

from impasto_server.identity.errors import TokenInvalid
from impasto_server.identity.oidc import client as client_module
from impasto_server.identity.oidc.client import OidcClient, ProviderUnavailable
from impasto_server.settings import Settings

pytestmark = pytest.mark.anyio
NOW = datetime(2026, 1, 31, 9, tzinfo=UTC)
AT = int(NOW.timestamp())
STARTED = 1000  # a whole number: differences of other times are not exact
DISCOVERY, KEYS, TOKEN = "/.well-known/openid-configuration", "/keys", "/token"


class Provider:
    """Answers by path with a status and a document, and keeps the requests."""

    def __init__(self) -> None:
        self.answers: dict[str, tuple[int, Any]] = {}
        self.requests: list[tuple[str, str, str]] = []
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
                provider.requests.append((self.command, self.path, body))
                status, document = provider.answers[self.path]
                content = document if isinstance(document, bytes) else json.dumps(document).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_POST = do_GET

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.key = self.rotate("first")

    def rotate(self, name: str) -> ECKey:
        self.key = ECKey.generate_key("P-256", parameters={"kid": name})
        keys = KeySet([self.key]).as_dict(private=False)
        document = {"issuer": self.url, "token_endpoint": self.url + TOKEN, "jwks_uri": self.url + KEYS}
        self.answers = {DISCOVERY: (200, document), KEYS: (200, keys), TOKEN: (200, {"id_token": "t1"})}
        return self.key

    def token(self, **claims: Any) -> str:
        usual = {"iss": self.url, "aud": "impasto", "sub": "m-1", "exp": AT + 3600}
        given = {name: value for name, value in (usual | claims).items() if value is not None}
        return jwt.encode({"alg": "ES256", "kid": self.key.kid}, given, self.key)

    def asked(self, path: str) -> int:
        return [each[1] for each in self.requests].count(path)

    def client(self, **settings: Any) -> OidcClient:
        made = Settings(_env_file=None, oidc_issuer=self.url, oidc_client_id="impasto", **settings)
        return OidcClient(made, lambda: NOW)


def ahead(seconds: float) -> Any:
    """A clock of the client's module alone: timeouts of the event loop use the real one."""
    return SimpleNamespace(monotonic=lambda: seconds)


@pytest.fixture
def provider() -> Iterator[Provider]:
    provider = Provider()
    thread = threading.Thread(target=provider.server.serve_forever, args=(0.01,))
    thread.start()
    yield provider
    provider.server.shutdown()
    thread.join()
    provider.server.server_close()


async def test_discovery_document_is_kept_for_an_hour(
    provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = provider.client()
    for seconds, requests in ((0, 1), (3600, 1), (3601, 2)):
        with monkeypatch.context() as later:
            later.setattr(client_module, "time", ahead(STARTED + seconds))
            assert (await client.metadata())["token_endpoint"] == provider.url + TOKEN
        assert provider.asked(DISCOVERY) == requests
    provider.answers[DISCOVERY] = (200, {"issuer": "https://another.example"})
    with pytest.raises(ProviderUnavailable):
        await provider.client().metadata()
    provider.answers[DISCOVERY] = (200, {"issuer": provider.url + "/"})
    with_slash = Settings(_env_file=None, oidc_issuer=provider.url + "/", oidc_client_id="impasto")
    found = await OidcClient(with_slash, lambda: NOW).metadata()
    assert found == {"issuer": provider.url + "/"}
    assert {each[1] for each in provider.requests} == {DISCOVERY}


@pytest.mark.parametrize(
    ("status", "document", "error"),
    [
        (400, {}, TokenInvalid), (401, {}, TokenInvalid), (403, {}, TokenInvalid),
        (404, {"id_token": "t1"}, ProviderUnavailable), (500, {"id_token": "t1"}, ProviderUnavailable),
        (200, ["t1"], ProviderUnavailable), (200, b"<html>", ProviderUnavailable),
        (200, {"id_token": 7}, TokenInvalid), (200, {}, TokenInvalid),
    ],
)  # fmt: skip
async def test_answer_without_a_token_is_an_invalid_token_or_no_answer(
    provider: Provider, status: int, document: Any, error: type[Exception]
) -> None:
    provider.answers[TOKEN] = (status, document)
    with pytest.raises(error):
        await provider.client().exchange("c1", "v1", "https://impasto.example/callback")


async def test_code_is_exchanged_with_the_secret_if_there_is_one(provider: Provider) -> None:
    form = {
        "grant_type": "authorization_code", "code": "c1", "code_verifier": "v1",
        "redirect_uri": "https://impasto.example/callback", "client_id": "impasto",
    }  # fmt: skip
    for settings, more in (({}, {}), ({"oidc_client_secret": "s1"}, {"client_secret": "s1"})):
        client = provider.client(**settings)
        assert await client.exchange("c1", "v1", "https://impasto.example/callback") == "t1"
        method, path, body = provider.requests[-1]
        assert (method, path, dict(parse_qsl(body))) == ("POST", TOKEN, form | more)


async def test_token_is_for_this_client_and_current_within_a_minute(provider: Provider) -> None:
    client = provider.client()
    for claims in (
        {}, {"aud": ["other", "impasto"]}, {"exp": AT - 59}, {"nbf": AT + 60}, {"exp": AT + 0.5},
    ):  # fmt: skip
        assert (await client.claims(provider.token(**claims), "impasto"))["sub"] == "m-1"
    for claims in (
        {"aud": "other"}, {"aud": ["other"]}, {"aud": None}, {"iss": "https://a.example"}, {"iss": None},
        {"exp": AT - 60}, {"exp": None}, {"exp": "soon"}, {"nbf": AT + 61}, {"nbf": "now"},
        {"sub": ""}, {"sub": None},
    ):  # fmt: skip
        with pytest.raises(TokenInvalid):
            await client.claims(provider.token(**claims), "impasto")
    with pytest.raises(TokenInvalid):
        await client.claims(provider.token(), "other")


async def test_keys_are_fetched_again_for_an_unknown_one_twice_a_minute_and_each_hour(
    provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = provider.client()
    former = provider.token()

    async def is_accepted(token: str, seconds: float) -> bool:
        with monkeypatch.context() as later:
            later.setattr(client_module, "time", ahead(STARTED + seconds))
            try:
                await client.claims(token, "impasto")
            except TokenInvalid:
                return False
        return True

    assert await is_accepted(former, 0)
    provider.rotate("second")
    assert not await is_accepted(provider.token(), 30)
    assert provider.asked(KEYS) == 1
    assert await is_accepted(provider.token(), 31)
    assert provider.asked(KEYS) == 2
    assert await is_accepted(provider.token(), 31 + 3600)
    assert provider.asked(KEYS) == 2
    assert not await is_accepted(former, 31 + 3601)
    assert provider.asked(KEYS) == 3, "an hour has passed, and an unknown key within 30 seconds asks no more"
