"""The local adapter for captions: a Whisper model, in a worker process."""

import asyncio
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from impasto import Configuration, Context
from impasto.configuration import ENV_FILE
from impasto_nodes.media.captions.segmentation import Word, cues_from_words
from impasto_nodes.media.errors import NoAudioStream
from impasto_nodes.media.probe import probe
from impasto_nodes.providers.errors import Unsupported
from impasto_nodes.providers.local.caption_models.offers import is_installed
from impasto_nodes.providers.local.caption_models.pulled import Pulled, find_model, folder_of
from impasto_nodes.providers.local.errors import (
    CaptionModelBroken,
    CaptionModelMissing,
    LocalError,
    PackageMissing,
    WorkerFailed,
)
from impasto_nodes.providers.local.model_store.place import threads
from impasto_nodes.providers.local.process import MODEL_MEMORY_MB, WorkerProcess
from impasto_nodes.providers.protocols import CaptionsRequest, CaptionsResult

EXTRA, PACKAGE = "captions", "faster-whisper"
_worker = WorkerProcess(
    "impasto_nodes.providers.local.workers.transcribe:transcribe", memory_mb=MODEL_MEMORY_MB
)


class LocalCaptions:
    """A `CaptionsProvider` that needs no key and no network, but a model that was downloaded."""

    async def transcribe(self, request: CaptionsRequest, context: Context) -> CaptionsResult:
        """Return cues of timed words; none if no speech is heard.

        Raises `PackageMissing`, `CaptionModelMissing` and `CaptionModelBroken`; `Unsupported` for a language
        that the model does not know; a `MediaError` for a recording that cannot be read.
        """
        if not is_installed():
            raise PackageMissing(PACKAGE, EXTRA)
        context.progress(0.0, "Preparing the caption model on this machine")
        model = await asyncio.to_thread(find_model, context.configuration)
        async with context.open(request.recording) as path:
            await asyncio.to_thread(_require_sound, path)
            answer = await self._ask(_task(path, model, request, context.configuration), model, context)
        if not answer["words"]:
            context.log.warning("No speech was heard, so there are no captions.")
        shown = f"{model.title} (on this machine)"
        context.record_generation(provider="local", model=shown)
        return CaptionsResult(
            cues=cues_from_words(Word(*word) for word in answer["words"]), provider="local", model=shown
        )

    async def _ask(self, task: dict[str, Any], model: Pulled, context: Context) -> dict[str, Any]:
        try:
            answer = await _worker.ask(task, context.progress)
        except WorkerFailed as error:
            if error.kind == "UnusableModel":
                raise CaptionModelBroken(model.title, error.reason) from error
            raise
        if languages := answer.get("languages"):
            raise Unsupported(
                "local", f"transcribe '{task['language']}' with {model.title}", f"Use {', '.join(languages)}."
            )
        return answer


def missing(configuration: Configuration | None = None) -> Iterator[Mapping[str, str]]:
    """Yield what is wrong where no recording can be written down on this machine. Reads a folder."""
    error: LocalError | None = None if is_installed() else PackageMissing(PACKAGE, EXTRA)
    if error is None:
        try:
            find_model(configuration or Configuration.load(ENV_FILE))
        except CaptionModelMissing as missing_model:
            error = missing_model
    if error is not None:
        what, _, remedy = error.message.partition(". ")
        yield {"code": error.code, "message": f"{what}.", "setting": "provider", "hint": remedy}


def _require_sound(path: Path) -> None:
    if not probe(path).has_audio:
        raise NoAudioStream


def _task(
    path: Path, model: Pulled, request: CaptionsRequest, configuration: Configuration
) -> dict[str, Any]:
    return {
        "recording": str(path),
        "model": str(folder_of(configuration, model.name)),
        "language": request.language.casefold().partition("-")[0],
        "threads": threads(configuration),
    }
