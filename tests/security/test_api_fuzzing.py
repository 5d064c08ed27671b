"""Generated requests to every operation of the API, valid and invalid: none is a server error.

The generator is seeded by the operation, so each run of the tests sends the same requests. `make
test-thorough` sends more.
"""

import asyncio
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
import requests
import schemathesis.openapi
import uvicorn
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import Case, GenerationMode
from sqlalchemy import update
from tests.fixtures.api import api_schema
from tests.server.sample_nodes import chain, png, sample_catalog

from impasto_server.app import create_app
from impasto_server.cli.serving import make_config
from impasto_server.settings import Settings
from impasto_server.users.models import User

SECONDS = 60
OPERATIONS = {
    result.ok().label: result.ok()
    for result in schemathesis.openapi.from_dict(api_schema()).get_all_operations()
}
SIGN_UP = {"username": "mara", "email": "mara@northbound.example", "password": "Thick-paint-7"}


@dataclass
class Target:
    """A running server, a session of its admin, and how to find real objects."""

    url: str
    mailbox: Path
    session: requests.Session
    ids: dict[str, str] = field(default_factory=dict)

    def sign_in(self) -> None:
        body = {"username": SIGN_UP["username"], "password": SIGN_UP["password"]}
        answer = httpx.post(f"{self.url}/api/v1/identity/sign-in", json=body, timeout=SECONDS)
        assert answer.status_code == 200, answer.text
        self.session.headers["Authorization"] = f"Bearer {answer.json()['session']['identity_token']}"

    def call(self, method: str, path: str, **given: Any) -> Any:
        answer = self.session.request(method, f"{self.url}/api/v1{path}", timeout=SECONDS, **given)
        assert answer.ok, answer.text
        return answer.json() if answer.content else None

    def real_ids(self) -> dict[str, str]:
        """Return the path parameters of objects that exist, created by the first call that needs them."""
        if self.session.get(f"{self.url}/api/v1/users/me", timeout=SECONDS).status_code != 200:
            self.sign_in()
        self.ids = self.ids or self._create_objects()
        return self.ids

    def _create_objects(self) -> dict[str, str]:
        flow = self.call("POST", "/flows/", json={"name": "Fuzz", "flow": chain("shout")})
        self.call("POST", f"/flows/{flow['id']}/publish", json={"note": ""})
        run = self.call("POST", f"/flows/{flow['id']}/runs", json={"inputs": {"ask": "hi"}, "version": 1})
        self.session.get(f"{self.url}/api/v1/runs/{run['id']}/events", timeout=SECONDS)
        asset = self.call("POST", "/assets/", files={"file": ("x.png", png(3), "image/png")})
        key = self.call("POST", "/api-keys", json={"name": "ci", "scopes": ["read"]})
        batch = self.call("POST", f"/flows/{flow['id']}/batch", json=[{"ask": "hello"}])
        return {
            "flow_id": flow["id"], "run_id": run["id"], "asset_id": asset["id"], "key_id": key["id"],
            "batch_id": batch["id"], "ref": "1", "before": "1", "after": "draft", "provider": "openai",
            "type_id": "wt.shout", "setting": "mark",
        }  # fmt: skip


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    folder = tmp_path_factory.mktemp("fuzzing")
    chosen: dict[str, Any] = {
        "data_dir": folder / "data",
        "agents_dir": folder / "agents",
        "public_url": "http://testserver",
        "argon2_time_cost": 1,
        "argon2_memory_kib": 64,
        "argon2_parallelism": 1,
        "rate_limit_account": "100000/minute",
        "rate_limit_address": "100000/minute",
        "rate_limit_mails": "100000/minute",
        "daily_quota": 1_000_000,
        "log_level": "error",
        "warm": False,
        "port": 0,
    }
    app = create_app(Settings(_env_file=None, **chosen), sample_catalog())
    config = make_config(app, app.state.app_state.settings)
    config.port = 0
    server = uvicorn.Server(config)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_until_complete, args=(server.serve(),), daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the server did not start"
        thread.join(0.02)
    url = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    asyncio.run_coroutine_threadsafe(make_admin(app), loop).result(60)
    made = Target(url, folder / "data" / "outbox", requests.Session())
    made.sign_in()
    yield made
    server.should_exit = True
    thread.join(60)
    loop.close()


async def make_admin(app: Any) -> None:
    from impasto_server.cli.admin.accounts import create_account

    app_state = app.state.app_state
    await create_account(
        app_state, SIGN_UP["username"], SIGN_UP["email"], SIGN_UP["password"], temporary=False
    )
    async with app_state.database.writing() as session:
        await session.execute(update(User).values(is_admin=True))


@pytest.mark.filterwarnings("ignore:Do not use the `random` module inside strategies")  # schemathesis does
@pytest.mark.parametrize("label", OPERATIONS)
def test_no_generated_request_is_a_server_error(target: Target, label: str) -> None:
    operation = OPERATIONS[label]
    named = {parameter.name for parameter in operation.path_parameters}
    real = {name: value for name, value in target.real_ids().items() if name in named} if named else {}
    known = {"path_parameters": real} if named and real.keys() == named else {}
    valid = operation.as_strategy(generation_mode=GenerationMode.POSITIVE, **known)
    send(target, label, valid, required=True)
    invalid = operation.as_strategy(generation_mode=GenerationMode.NEGATIVE)
    if known:  # of objects that do not exist, and of those that do
        invalid |= operation.as_strategy(generation_mode=GenerationMode.NEGATIVE, **known)
    send(target, label, invalid, required=False)
    if label.startswith("DELETE") or label.endswith("withdraw"):
        target.ids = {}


def send(target: Target, label: str, strategy: Any, *, required: bool) -> None:
    @seed(label)
    @settings(
        max_examples=settings.default.max_examples // 30,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=strategy)
    def check(case: Case) -> None:
        # requests looks for cookies of a generated host, and fails for one such as "[".
        for name in [name for name in case.headers or {} if name.lower() == "host"]:
            del case.headers[name]
        response = case.call(base_url=target.url, session=target.session, timeout=SECONDS)
        assert response.status_code < 500, f"{case.as_curl_command()}\n{response.text}"

    try:
        check()
    except Unsatisfiable:  # an operation without parameters and body has no invalid requests
        assert not required
