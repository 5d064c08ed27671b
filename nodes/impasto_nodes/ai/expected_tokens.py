"""The expected number of tokens of a call of a language model."""

import json
import math
from collections.abc import Mapping
from typing import Any

_BYTES_OF_A_TOKEN = 4
_TOKENS_OF_AN_IMAGE = 1_000
_UNKNOWN_PROMPT, _USUAL_ANSWER = 200, 400


def expected_tokens(settings: Mapping[str, Any], inputs: Mapping[str, Any]) -> tuple[int, int]:
    """Return the tokens of the input and of the answer; the answer's limit counts in full if it is set."""
    prompt = inputs.get("prompt")
    count = _tokens_of(prompt) if isinstance(prompt, str) else _UNKNOWN_PROMPT
    for name in ("system_prompt", "instructions"):
        count += _tokens_of(str(settings.get(name) or ""))
    if settings.get("schema"):
        count += _tokens_of(json.dumps(settings["schema"], default=str))
    images = inputs.get("pictures")
    count += _TOKENS_OF_AN_IMAGE * (len(images) if isinstance(images, list) else int(images is not None))
    return count, int(settings.get("max_tokens") or _USUAL_ANSWER)


def _tokens_of(text: str) -> int:
    return math.ceil(len(text.encode("utf-8", "replace")) / _BYTES_OF_A_TOKEN)
