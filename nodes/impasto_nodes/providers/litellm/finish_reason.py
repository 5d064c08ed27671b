"""Why a streamed answer ended. A stream without a reason was interrupted, even if litellm reports 'stop'."""

from typing import Any


class FinishReason:
    """Observes one streamed answer of litellm's."""

    def __init__(self, answer: Any, provider: str) -> None:
        self._answer = answer
        self._gemini: str | None = None
        call = getattr(answer, "make_call", None)
        self._is_observed = provider in {"gemini", "vertex_ai"} and call is not None
        if self._is_observed:
            answer.make_call = self._observing(call)

    @property
    def reason(self) -> str | None:
        """The reason in OpenAI's terms, at the stream's end; None if the provider gave none."""
        if self._is_observed and self._gemini is None:
            return None
        found = self._answer.received_finish_reason or self._answer.intermittent_finish_reason
        return str(found) if found else None

    def _observing(self, call: Any) -> Any:
        """Wrap litellm's call to read Gemini's own reason: litellm reports 'stop' for every chunk."""

        async def make_call(*args: Any, **kwargs: Any) -> Any:
            stream = await call(*args, **kwargs)
            parse = stream.chunk_parser

            def chunk_parser(chunk: dict[str, Any]) -> Any:
                self._gemini = _gemini_reason(chunk) or self._gemini
                return parse(chunk)

            stream.chunk_parser = chunk_parser
            return stream

        return make_call


def _gemini_reason(chunk: dict[str, Any]) -> str | None:
    candidates = chunk.get("candidates") or [{}]
    blocked = (chunk.get("promptFeedback") or {}).get("blockReason")
    return candidates[0].get("finishReason") or blocked
