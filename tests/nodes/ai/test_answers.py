"""Answers of language models: each is charged once, by its adapter or by the node."""

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest
from tests.fakes import running

from impasto import Brand, Context
from impasto_nodes.providers import registry
from impasto_nodes.providers.protocols import TextRequest, TextResult

pytestmark = pytest.mark.anyio
ANSWER = json.dumps({"headline": "A kiln for two", "body": "Fires at night.", "call_to_action": "Book"})
VERDICT = json.dumps({"fits": True, "why": "It is dry."})


@pytest.mark.parametrize("by_adapter", [True, False], ids=["by the adapter", "by the node"])
@pytest.mark.parametrize("node_type", ["language_model", "structured_data", "brand_check"])
async def test_answer_is_charged_once(
    monkeypatch: pytest.MonkeyPatch, node_type: str, by_adapter: bool
) -> None:
    class Adapter:
        async def stream(self, request: TextRequest, context: Context) -> AsyncIterator[TextResult]:
            if by_adapter:
                context.charge(0.02, tokens_out=9)
            yield TextResult(
                text=VERDICT if node_type == "brand_check" else ANSWER,
                provider="openai",
                model="the model's name in results",
                usd=0.02,
                units={"tokens_out": 9},
                is_charged=by_adapter,
            )

    known = registry.specs()
    changed = known | {"openai": replace(known["openai"], text=Adapter)}
    monkeypatch.setattr(registry, "specs", lambda: changed)
    settings: dict[str, Any] = {"provider": "openai"}
    if node_type == "structured_data":
        settings["schema"] = {"type": "object", "properties": {"headline": {"type": "string"}}}

    inputs: dict[str, Any] = {"prompt": "A kiln"}
    if node_type == "brand_check":
        inputs = {"text": "A kiln", "brand": Brand(tone="Dry")}
        settings["check_tone"] = True

    result = await running.run(node_type, inputs, **settings)

    assert result.status == "finished", result.steps["it"].error
    [finished] = [one for one in result.events if one.type == "step.finished" and one.step == "it"]
    assert finished.data["cost_usd"] == 0.02
    assert finished.data["units"] == {"tokens_out": 9}
    if node_type == "brand_check":
        return
    made_by = finished.data["made_by"]
    assert (made_by["provider"], made_by["model"]) == ("openai", "the model's name in results")
