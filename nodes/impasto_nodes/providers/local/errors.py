"""The errors of work on this machine."""

import logging
from collections.abc import Sequence

from impasto_nodes.providers.errors import ProviderError

log = logging.getLogger("impasto.local")


class LocalError(ProviderError):
    """Work on this machine failed."""

    code = "local_failed"


class WorkerFailed(LocalError):
    """The handler in the worker process raised an exception; `reason` is its text."""

    def __init__(self, handler: str, kind: str, message: str, trace: str) -> None:
        self.kind, self.reason = kind, message
        sentence = (
            "This machine ran out of memory."
            if kind == "MemoryError"
            else "An error occurred. Please try again later."
        )
        log.warning("%s failed: %s", handler, trace)
        super().__init__(sentence, "local", f"{kind}: {message}")


class WorkerLost(LocalError):
    """The worker process ended unexpectedly."""

    code = "local_worker_lost"
    retryable = True

    def __init__(self, handler: str, reason: str) -> None:
        super().__init__(
            "The work on this machine was interrupted. Try again.", "local", f"{handler}: {reason}"
        )


class PackageMissing(LocalError):
    """An extra that holds local models is not installed."""

    code = "local_not_installed"

    def __init__(self, package: str, extra: str = "local") -> None:
        super().__init__(
            f"This needs '{package}'. Run pip install 'impasto[{extra}]', or choose another provider.",
            "local",
        )


class ModelMissing(LocalError):
    """No language model file was found."""

    code = "local_model_missing"

    def __init__(self, detail: str) -> None:
        super().__init__(
            "No language model is on this machine. Run 'impasto models pull', or choose another provider.",
            "local",
            detail,
        )


class CaptionModelMissing(LocalError):
    """No caption model is complete on this machine. `can_download`: whether the operator allows it."""

    code = "caption_model_missing"

    def __init__(self, detail: str, *, can_download: bool) -> None:
        remedy = (
            "An admin can download one under Connections, or with 'impasto models pull whisper-small'; or "
            "choose another provider, or connect the spoken text."
            if can_download
            else "Choose another provider, or connect the spoken text."
        )
        super().__init__(
            f"No caption model is on this machine. {remedy}",
            "local",
            detail,
        )


class CaptionModelBroken(LocalError):
    """The files of a caption model cannot be loaded."""

    code = "caption_model_broken"

    def __init__(self, name: str, detail: str) -> None:
        super().__init__(
            f"The caption model {name} cannot be loaded. Remove it under Connections, and download it again.",
            "local",
            detail,
        )


class TextTooShort(LocalError):
    """A text must be longer than what can be arranged from the brief."""

    code = "local_text_length"

    def __init__(self, name: str, least: int) -> None:
        super().__init__(
            f"This machine cannot write {least} characters for '{name}' from this brief. "
            "Write a longer brief, or connect a language model.",
            "local",
        )


class BadConfiguration(LocalError):
    """A variable of the operator's has a value that cannot be used."""

    code = "bad_configuration"

    def __init__(self, variable: str, expected: str, value: str) -> None:
        super().__init__(f"{variable} must be {expected}, got {value!r}.", "local")


class DownloadFailed(LocalError):
    """A model could not be downloaded, or its content is not the expected one."""

    code = "download_failed"
    retryable = True

    def __init__(self, name: str, detail: str) -> None:
        super().__init__(f"The model {name} could not be downloaded.", "local", detail)


class DownloadRunning(LocalError):
    """Another process downloads the same model."""

    code = "download_running"

    def __init__(self, name: str) -> None:
        super().__init__(f"The model {name} is being downloaded already.", "local")


class DownloadStopped(LocalError):
    """The download was stopped; what has arrived is kept."""

    code = "download_stopped"

    def __init__(self, name: str) -> None:
        super().__init__(f"The download of {name} was stopped. It can go on later.", "local")


class ModelNotOffered(LocalError):
    """No offered model has this name, and it names no file of the hub."""

    code = "model_not_offered"

    def __init__(self, name: str, offered: Sequence[str]) -> None:
        super().__init__(
            f"No model is called '{name[:80]}'. Choose one of {', '.join(offered)}, "
            "or name one of the hub: owner/repository/file.gguf for texts, owner/repository for captions.",
            "local",
        )


class ModelChanged(LocalError):
    """The hub has another file than the one whose licence and SHA-256 were shown."""

    code = "model_changed"

    def __init__(self, name: str) -> None:
        super().__init__(
            f"The file of {name} has changed at the hub since it was shown. Look at it again, and download "
            "it then.",
            "local",
        )
