"""How an answer ended: a stream that stops without saying why was cut off, yet litellm may say 'stop'."""

from typing import Any


class End:
    """Watches one streamed answer of litellm's."""

    def __init__(self, answer: Any, provider: str) -> None:
        self._answer = answer
        self._gemini: str | None = None
        call = getattr(answer, "make_call", None)
        self._watched = provider == "gemini" and call is not None
        if self._watched:
            answer.make_call = self._watching(call)

    @property
    def reason(self) -> str | None:
        """Why it ended, in OpenAI's words, once it has; None where the provider never said."""
        if self._watched and self._gemini is None:
            return None
        found = self._answer.received_finish_reason or self._answer.intermittent_finish_reason
        return str(found) if found else None

    def _watching(self, call: Any) -> Any:
        """Gemini's reader says 'stop' of every piece, so its own words are listened to."""

        async def make_call(*args: Any, **kwargs: Any) -> Any:
            stream = await call(*args, **kwargs)
            read = stream.chunk_parser

            def chunk_parser(chunk: dict[str, Any]) -> Any:
                self._gemini = _said(chunk) or self._gemini
                return read(chunk)

            stream.chunk_parser = chunk_parser
            return stream

        return make_call


def _said(chunk: dict[str, Any]) -> str | None:
    candidates = chunk.get("candidates") or [{}]
    blocked = (chunk.get("promptFeedback") or {}).get("blockReason")
    return candidates[0].get("finishReason") or blocked
