"""An outside OpenID Connect provider: where it is, its keys, and whether a token is really its own."""

import time
from typing import Any

import httpx
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from impasto_server.http.errors import Unavailable
from impasto_server.identity.tokens import TokenInvalid
from impasto_server.settings import Settings
from impasto_server.utils import Clock

# Only signatures that a public key proves: a shared secret or none at all proves nothing here.
_ALGORITHMS = [
    "RS256",
    "RS384",
    "RS512",
    "PS256",
    "PS384",
    "PS512",
    "ES256",
    "ES384",
    "ES512",
    "Ed25519",
    "EdDSA",
]
_LEEWAY_SECONDS = 60
_METADATA_SECONDS = 3600
_KEYS_SECONDS = 30  # an unknown key asks again, but not for each forged token
_TIMEOUT_SECONDS = 10


class ProviderUnavailable(Unavailable):
    """The provider does not answer, or answers nonsense."""

    code = "provider_unavailable"

    def __init__(self) -> None:
        super().__init__("The sign-in provider does not answer. Please try again later.")


class OidcClient:
    """The provider the settings name."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self._settings = settings
        self._clock = clock
        self._metadata: tuple[float, dict[str, Any]] | None = None
        self._keys: tuple[float, KeySet] | None = None

    @property
    def issuer(self) -> str:
        """Who signs its tokens; empty when there is no provider."""
        return self._settings.oidc_issuer

    async def metadata(self) -> dict[str, Any]:
        """Return its discovery document. Raises `ProviderUnavailable`."""
        if self._metadata is None or self._metadata[0] < time.monotonic():
            url = self.issuer.rstrip("/") + "/.well-known/openid-configuration"
            found = await _get(url)
            if found.get("issuer") != self.issuer:
                raise ProviderUnavailable
            self._metadata = (time.monotonic() + _METADATA_SECONDS, found)
        return self._metadata[1]

    async def exchange(self, code: str, verifier: str, redirect_uri: str) -> str:
        """Trade an authorization code for an ID token. Raises `ProviderUnavailable` or `TokenInvalid`."""
        secret = self._settings.oidc_client_secret
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "code_verifier": verifier,
            "redirect_uri": redirect_uri,
            "client_id": self._settings.oidc_client_id,
        }
        if secret:
            form["client_secret"] = secret.get_secret_value()
        answer = await _call("POST", (await self.metadata())["token_endpoint"], data=form)
        token = answer.get("id_token")
        if not isinstance(token, str):
            raise TokenInvalid
        return token

    async def claims(self, token: str, audience: str) -> dict[str, Any]:
        """Return what a token of the provider says. Raises `TokenInvalid` or `ProviderUnavailable`."""
        claims = await self._decode(token)
        audiences = claims.get("aud")
        meant = audience in audiences if isinstance(audiences, list) else audiences == audience
        if claims.get("iss") != self.issuer or not meant or not self._timely(claims):
            raise TokenInvalid
        if not isinstance(claims.get("sub"), str) or not claims["sub"]:
            raise TokenInvalid
        return claims

    async def _decode(self, token: str) -> dict[str, Any]:
        for fresh in (False, True):
            try:
                return jwt.decode(token, await self._key_set(fresh=fresh), algorithms=_ALGORITHMS).claims
            except (JoseError, ValueError):
                continue
        raise TokenInvalid

    async def _key_set(self, *, fresh: bool) -> KeySet:
        age = time.monotonic() - self._keys[0] if self._keys else None
        if self._keys is None or age is None or (fresh and age > _KEYS_SECONDS) or age > _METADATA_SECONDS:
            document = await _get((await self.metadata())["jwks_uri"])
            self._keys = (time.monotonic(), KeySet.import_key_set(document))  # type: ignore[arg-type]
        return self._keys[1]

    def _timely(self, claims: dict[str, Any]) -> bool:
        now = self._clock().timestamp()
        expires, begins = claims.get("exp"), claims.get("nbf", 0)
        if not isinstance(expires, int | float) or not isinstance(begins, int | float):
            return False
        return begins - _LEEWAY_SECONDS <= now < expires + _LEEWAY_SECONDS


async def _get(url: str) -> dict[str, Any]:
    return await _call("GET", url)


async def _call(method: str, url: str, **arguments: Any) -> dict[str, Any]:
    try:
        async with httpx.AsyncClient(timeout=_TIMEOUT_SECONDS) as client:
            answer = await client.request(method, url, headers={"Accept": "application/json"}, **arguments)
            document = answer.json()
    except (httpx.HTTPError, ValueError) as error:
        raise ProviderUnavailable from error
    if answer.status_code in (400, 401, 403):
        raise TokenInvalid
    if answer.status_code != httpx.codes.OK or not isinstance(document, dict):
        raise ProviderUnavailable
    return document
