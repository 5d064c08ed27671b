"""The language model of this machine behind llama.cpp's server, on loopback, in a process of its own."""

import asyncio
import secrets
from dataclasses import dataclass

from impasto import Context
from impasto_nodes.providers.local.language_models.model_file import ModelFile, find_model
from impasto_nodes.providers.local.model_store.place import threads
from impasto_nodes.providers.local.process import MODEL_MEMORY_MB, WorkerProcess

KEY = secrets.token_urlsafe(24)
_worker = WorkerProcess("impasto_nodes.providers.local.workers.llm:serve", memory_mb=MODEL_MEMORY_MB)


@dataclass(frozen=True, slots=True)
class Served:
    """A model that is ready to answer at an address, with `KEY`."""

    model: ModelFile
    address: str

    @property
    def shown(self) -> str:
        """Its name in results."""
        keeping = "" if self.model.family.follows_instructions else ", keeping to the brief"
        return f"{self.model.name}{keeping} (on this machine)"


async def serve(context: Context) -> Served:
    """Load the model that this machine uses, if it is not loaded yet.

    Raises `ModelMissing`, `BadConfiguration`, `WorkerFailed` and `WorkerLost`.
    """
    context.progress(0.0, "Preparing the language model on this machine")
    model = await asyncio.to_thread(find_model, context.configuration)
    task = {"model": str(model.path), "key": KEY, "threads": threads(context.configuration)}
    answer = await _worker.ask(task, context.progress)
    return Served(model, f"{answer['address']}/v1")
