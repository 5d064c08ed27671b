"""An OpenID Connect provider on Authlib and Flask, run in its own process: `oidc_server.py ISSUER FD`.

FD is a listening socket, so the first request waits until the provider is ready. The provider supports PKCE.
It signs in, without a form, the user whose claims were sent to POST /person. POST /rotate changes its key;
POST /token-for signs a token with any claims.
"""

import os
import socket
import sys
import time
from typing import Any

from authlib.integrations.flask_oauth2 import AuthorizationServer
from authlib.oauth2.rfc6749 import ClientMixin, grants
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oidc.core import UserInfo
from authlib.oidc.core.grants import OpenIDCode
from flask import Flask, Response, jsonify, request
from joserfc import jwt
from joserfc.jwk import RSAKey
from werkzeug.serving import make_server

CLIENT_ID, CLIENT_SECRET = "impasto", "a shared secret of the tests"
ISSUER = sys.argv[1]

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"  # loopback only
app = Flask(__name__)
keys = [RSAKey.generate_key(2048, parameters={"kid": "first"})]
person: dict[str, Any] = {"sub": "mara-at-the-provider"}
codes: dict[str, "Code"] = {}


class Client(ClientMixin):
    def get_client_id(self) -> str:
        return CLIENT_ID

    def get_default_redirect_uri(self) -> str:
        return "http://testserver/api/v1/identity/oidc/callback"

    def get_allowed_scope(self, scope: str) -> str:
        return scope

    def check_redirect_uri(self, redirect_uri: str) -> bool:
        old = self.get_default_redirect_uri().replace("/oidc/", "/outside/")
        return redirect_uri in {self.get_default_redirect_uri(), old}

    def check_client_secret(self, client_secret: str) -> bool:
        return client_secret == CLIENT_SECRET

    def check_endpoint_auth_method(self, method: str, endpoint: str) -> bool:
        return method == "client_secret_post"

    def check_response_type(self, response_type: str) -> bool:
        return response_type == "code"

    def check_grant_type(self, grant_type: str) -> bool:
        return grant_type == "authorization_code"


class Code:
    def __init__(self, asked: Any, claims: dict[str, Any]) -> None:
        payload = asked.payload
        self.redirect_uri, self.scope = payload.redirect_uri, payload.scope
        self.nonce = payload.data.get("nonce")
        self.code_challenge = payload.data.get("code_challenge")
        self.code_challenge_method = payload.data.get("code_challenge_method")
        self.claims = claims

    def get_redirect_uri(self) -> str:
        return str(self.redirect_uri)

    def get_scope(self) -> str:
        return str(self.scope)

    def get_nonce(self) -> str | None:
        return self.nonce

    def get_auth_time(self) -> int:
        return int(time.time())

    def get_acr(self) -> None:
        return None

    def get_amr(self) -> None:
        return None


class CodeGrant(grants.AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ("client_secret_post",)

    def save_authorization_code(self, code: str, asked: Any) -> Code:
        codes[code] = Code(asked, dict(person))
        return codes[code]

    def query_authorization_code(self, code: str, client: Client) -> Code | None:
        return codes.get(code)

    def delete_authorization_code(self, authorization_code: Code) -> None:
        for code in [name for name, kept in codes.items() if kept is authorization_code]:
            del codes[code]

    def authenticate_user(self, authorization_code: Code) -> dict[str, Any]:
        return authorization_code.claims


class IdToken(OpenIDCode):
    def exists_nonce(self, nonce: str, asked: Any) -> bool:
        return False

    def get_jwt_config(self, grant: Any, client: Any = None) -> dict[str, Any]:
        return {"key": keys[0].as_dict(private=True), "alg": "RS256", "iss": ISSUER, "exp": 3600}

    def generate_user_info(self, user: dict[str, Any], scope: str) -> UserInfo:
        return UserInfo(**user)


server = AuthorizationServer(
    app,
    query_client=lambda name: Client() if name == CLIENT_ID else None,
    save_token=lambda token, asked: None,
)
server.register_grant(CodeGrant, [IdToken(require_nonce=True), CodeChallenge(required=True)])


@app.get("/.well-known/openid-configuration")
def discovery() -> Response:
    return jsonify(
        issuer=ISSUER,
        authorization_endpoint=f"{ISSUER}/authorize",
        token_endpoint=f"{ISSUER}/token",
        jwks_uri=f"{ISSUER}/jwks",
    )


@app.get("/jwks")
def jwks() -> Response:
    return jsonify(keys=[key.as_dict(private=False) for key in keys])


@app.get("/authorize")
def authorize() -> Any:
    grant = server.get_consent_grant(end_user=person)
    return server.create_authorization_response(grant_user=person, grant=grant)


@app.post("/token")
def token() -> Any:
    return server.create_token_response()


@app.post("/person")
def be() -> Response:
    person.clear()
    person.update(request.get_json())
    return Response(status=204)


@app.post("/rotate")
def rotate() -> Response:
    keys[:] = [RSAKey.generate_key(2048, parameters={"kid": request.get_json()["kid"]})]
    return Response(status=204)


@app.post("/token-for")
def token_for() -> Response:
    claims = {"iss": ISSUER, "exp": int(time.time()) + 3600, **request.get_json()}
    return jsonify(token=jwt.encode({"alg": "RS256", "kid": keys[0].kid}, claims, keys[0]))


if __name__ == "__main__":
    listening = socket.socket(fileno=int(sys.argv[2]))
    host, port = listening.getsockname()
    make_server(host, port, app, threaded=True, fd=listening.fileno()).serve_forever()
