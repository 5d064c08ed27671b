"""The ElevenLabs protocol: voices, models, speech, dialogue, music, sound effects, transcripts."""

from collections.abc import AsyncIterator, Container, Iterable
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse
from tests.fakes.media import mp3
from tests.fakes.parameters import (
    dialogue_problem,
    elevenlabs_problem,
    music_problem,
    sound_effect_problem,
    transcription_problem,
)
from tests.fakes.state import GOOD_KEY, POOR_KEY

router = APIRouter()
VOICES = {"21m00Tcm4TlvDq8ikWAM": ("Rachel", "female"), "pNInz6obpgDQGcFmaJgB": ("Adam", "male")}
MODELS = {
    "eleven_multilingual_v2": "Multilingual v2",
    "eleven_v3": "Eleven v3",
    "eleven_flash_v2_5": "Flash v2.5",
}
DIALOGUE_MODELS = {"eleven_v3"}
MUSIC_MODELS = {"music_v1", "music_v2", "music_v2_5"}
EFFECT_MODELS = {"eleven_text_to_sound_v2"}
TRANSCRIPT_MODELS = {"scribe_v1", "scribe_v2"}


def _error(status: int, word: str, message: str) -> JSONResponse:
    return JSONResponse({"detail": {"status": word, "message": message}}, status)


def _refused(request: Request) -> Response | None:
    key = request.headers.get("xi-api-key", "")
    if key not in {GOOD_KEY, POOR_KEY}:
        return _error(401, "invalid_api_key", f"Invalid API key: {key}")
    return None


@router.get("/v1/voices")
async def voices(request: Request) -> Response:
    shown = [
        {"voice_id": key, "name": name, "category": "premade", "labels": {"gender": gender}}
        for key, (name, gender) in (request.app.state.fakes.voices or VOICES).items()
    ]
    return _refused(request) or JSONResponse({"voices": shown})


@router.get("/v1/models")
async def models(request: Request) -> Response:
    shown = [{"model_id": key, "name": name, "can_do_text_to_speech": True} for key, name in MODELS.items()]
    return _refused(request) or JSONResponse(
        [*shown, {"model_id": "scribe_v1", "can_do_text_to_speech": False}]
    )


@router.post("/v1/text-to-speech/{voice}/stream")
async def speak(voice: str, request: Request) -> Response:
    body = await request.json()
    if refused := _refused(request) or _unfit([voice], body, elevenlabs_problem(body), MODELS, request):
        return refused
    return _spoken(request, len(body["text"]) * 2)


@router.post("/v1/text-to-dialogue")
async def converse(request: Request) -> Response:
    body = await request.json()
    voices = [line.get("voice_id") for line in body.get("inputs", [])]
    if refused := _refused(request) or _unfit(voices, body, dialogue_problem(body), DIALOGUE_MODELS, request):
        return refused
    return _spoken(request, sum(len(line["text"]) for line in body["inputs"]))


@router.post("/v1/music")
async def compose(request: Request) -> Response:
    body = await request.json()
    if refused := _refused(request) or _unfit([], body, music_problem(body), MUSIC_MODELS, request):
        return refused
    return _spoken(request, None)


@router.post("/v1/sound-generation")
async def sound(request: Request) -> Response:
    body = await request.json()
    if refused := _refused(request) or _unfit([], body, sound_effect_problem(body), EFFECT_MODELS, request):
        return refused
    return _spoken(request, None)


def _spoken(request: Request, characters: int | None) -> Response:
    state = request.app.state.fakes
    if state.take(request.url.path, "corrupt"):
        return Response(b"this is no audio", media_type="audio/mpeg")
    if state.take(request.url.path, "empty"):
        return Response(b"", media_type="audio/mpeg")
    headers = {"request-id": "r1"} | ({} if characters is None else {"character-cost": str(characters)})
    dropped = state.take(request.url.path, "disconnect") is not None
    return StreamingResponse(_audio(dropped), media_type="audio/mpeg", headers=headers)


def _unfit(
    voices: Iterable[str], body: dict[str, Any], problem: str, models: Container[str], request: Request
) -> Response | None:
    state = request.app.state.fakes
    if request.headers.get("xi-api-key") == POOR_KEY:
        return _error(401, "quota_exceeded", "You have 0 credits remaining.")
    if problem:
        return _error(422, "invalid_parameters", problem)
    if any(voice not in (state.voices or VOICES) for voice in voices):
        return _error(404, "voice_not_found", "A voice with that id was not found.")
    if body["model_id"] not in models:
        return _error(400, "model_not_found", "A model with that id does not exist.")
    if state.take(request.url.path, "moderation"):
        return _error(403, "content_policy_violation", "This text cannot be spoken.")
    return None


async def _audio(dropped: bool) -> AsyncIterator[bytes]:
    data = mp3()
    yield data[: len(data) // 2]
    if dropped:
        raise ConnectionError("dropped on demand")
    yield data[len(data) // 2 :]


@router.post("/v1/speech-to-text")
async def transcribe(request: Request) -> Response:
    async with request.form() as form:
        if problem := transcription_problem(form):
            return _error(422, "invalid_parameters", problem)
        if form.get("model_id") not in TRANSCRIPT_MODELS:
            return _error(400, "model_not_found", "A model with that id does not exist.")
    if request.headers.get("xi-api-key") == POOR_KEY:
        return _error(401, "quota_exceeded", "You have 0 credits remaining.")
    words = ["Cold", " ", "brew,", " ", "warm", " ", "light."]
    timed = [
        {
            "text": word,
            "type": "spacing" if word == " " else "word",
            "start": i * 0.3,
            "end": i * 0.3 + 0.3,
            "logprob": 0.0,
        }
        for i, word in enumerate(words)
    ]
    answer = {"language_code": "en", "language_probability": 1.0, "text": "".join(words), "words": timed}
    return _refused(request) or JSONResponse(answer)
