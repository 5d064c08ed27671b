"""`make live` against the fakes: one call a provider, never more than the cap, and a report."""

import importlib.util
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.fakes.running import addresses
from tests.fakes.serving import served
from tests.fakes.state import GOOD_KEY, State

from impasto import Configuration

ROOT = Path(__file__).parents[2]
KEYS = {"OPENAI_API_KEY": GOOD_KEY, "ELEVENLABS_API_KEY": GOOD_KEY, "MISTRAL_API_KEY": "wrong-key-999999"}
MODELS = {"openai": "gpt-5-mini", "elevenlabs": "eleven_flash_v2_5", "mistral": "mistral-small-latest"}

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def live() -> Any:
    spec = importlib.util.spec_from_file_location("live", ROOT / "tools" / "live.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where its dataclass looks for its types
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def services() -> Iterator[State]:
    with served(State()) as state:
        yield state


async def test_each_provider_with_a_key_is_called_once_and_reported(
    live: Any, services: State, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    configuration = Configuration({**addresses(services), **KEYS})
    outcomes = await live.call_all(configuration, models=MODELS)
    assert {one.provider: one.state for one in outcomes} == {
        "openai": "ok",
        "mistral": "failed",
        "elevenlabs": "ok",
    }
    assert len(services.requests("/openai/", "POST")) == 1
    assert len(services.requests("/text-to-speech/", "POST")) == 1
    live.write_report(outcomes, tmp_path / "live.json")
    report = json.loads((tmp_path / "live.json").read_text("utf-8"))
    assert 0 < report["usd"] < live.CAP_USD
    (mistral,) = [call for call in report["calls"] if call["provider"] == "mistral"]
    assert mistral["detail"].startswith("wrong_credential")
    assert "wrong-key-999999" not in capsys.readouterr().out + json.dumps(report)


async def test_calls_that_the_cap_does_not_pay_are_not_made(live: Any, services: State) -> None:
    configuration = Configuration({**addresses(services), **KEYS})
    outcomes = await live.call_all(configuration, 0.000001, MODELS)
    assert {one.state for one in outcomes} == {"skipped"}
    assert not [one for one in services.seen if one.method == "POST"]


async def test_without_a_key_nothing_is_called(live: Any, services: State) -> None:
    assert await live.call_all(Configuration(addresses(services))) == []
    assert not services.seen
