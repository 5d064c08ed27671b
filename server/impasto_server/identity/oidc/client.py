"""Client of the configured OpenID Connect provider: discovery, code exchange, verification of tokens."""

import time
from typing import Any

import httpx
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from impasto.sdk.http_client import tls_context
from impasto_server.http.errors import Unavailable
from impasto_server.identity.errors import TokenInvalid
from impasto_server.settings import Settings
from impasto_server.utils import Clock

# Asymmetric signatures only: HS256 and "none" would accept tokens that the provider did not sign.
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
_KEYS_MIN_SECONDS = 30  # between two fetches of the keys, so that forged tokens cannot cause one each
_TIMEOUT_SECONDS = 10


class ProviderUnavailable(Unavailable):
    """The provider does not respond, or its response is malformed."""

    code = "provider_unavailable"

    def __init__(self) -> None:
        super().__init__("The sign-in provider does not respond. Please try again later.")


class OidcClient:
    """The provider configured by `IMPASTO_OIDC_*`. Caches its discovery document and keys for an hour."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self._settings = settings
        self._clock = clock
        self._metadata: tuple[float, dict[str, Any]] | None = None
        self._keys: tuple[float, KeySet] | None = None

    @property
    def issuer(self) -> str:
        """The issuer URL; empty if no provider is configured."""
        return self._settings.oidc_issuer

    async def metadata(self) -> dict[str, Any]:
        """Return the discovery document. Raises `ProviderUnavailable`."""
        if self._metadata is None or self._metadata[0] < time.monotonic():
            url = self.issuer.rstrip("/") + "/.well-known/openid-configuration"
            found = await _fetch_json("GET", url)
            if found.get("issuer") != self.issuer:
                raise ProviderUnavailable
            self._metadata = (time.monotonic() + _METADATA_SECONDS, found)
        return self._metadata[1]

    async def exchange(self, code: str, verifier: str, redirect_uri: str) -> str:
        """Exchange an authorization code for an ID token. Raises `ProviderUnavailable` or `TokenInvalid`."""
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
        response = await _fetch_json("POST", (await self.metadata())["token_endpoint"], data=form)
        token = response.get("id_token")
        if not isinstance(token, str):
            raise TokenInvalid
        return token

    async def claims(self, token: str, audience: str) -> dict[str, Any]:
        """Verify a token for `audience`, return its claims. Raises `TokenInvalid`, `ProviderUnavailable`."""
        claims = await self._decode(token)
        audiences = claims.get("aud")
        is_for_us = audience in audiences if isinstance(audiences, list) else audiences == audience
        if claims.get("iss") != self.issuer or not is_for_us or not self._is_current(claims):
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
        max_age = _KEYS_MIN_SECONDS if fresh else _METADATA_SECONDS
        if self._keys is None or time.monotonic() - self._keys[0] > max_age:
            document = await _fetch_json("GET", (await self.metadata())["jwks_uri"])
            self._keys = (time.monotonic(), KeySet.import_key_set(document))  # type: ignore[arg-type]
        return self._keys[1]

    def _is_current(self, claims: dict[str, Any]) -> bool:
        now = self._clock().timestamp()
        expires, begins = claims.get("exp"), claims.get("nbf", 0)
        if not isinstance(expires, int | float) or not isinstance(begins, int | float):
            return False
        return begins - _LEEWAY_SECONDS <= now < expires + _LEEWAY_SECONDS


async def _fetch_json(method: str, url: str, **arguments: Any) -> dict[str, Any]:
    try:
        async with httpx.AsyncClient(verify=tls_context(), timeout=_TIMEOUT_SECONDS) as client:
            response = await client.request(method, url, headers={"Accept": "application/json"}, **arguments)
            document = response.json()
    except (httpx.HTTPError, ValueError) as error:
        raise ProviderUnavailable from error
    if response.status_code in (400, 401, 403):
        raise TokenInvalid
    if response.status_code != httpx.codes.OK or not isinstance(document, dict):
        raise ProviderUnavailable
    return document
