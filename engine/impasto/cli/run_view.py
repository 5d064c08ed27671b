"""Runs a flow in a terminal: live progress, and results as files."""

import asyncio
import json
import shutil
import tempfile
import typing as t
import unicodedata
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

from impasto.cache.disk import DiskCache
from impasto.compiler.plan import Plan
from impasto.encoding import to_json
from impasto.errors import ConversionFailed, InputsInvalid, Problem
from impasto.events import Event
from impasto.runtime.run import start
from impasto.runtime.run_result import RunResult
from impasto.sdk.conversions import CONVERSIONS
from impasto.store import FolderStore, Store
from impasto.types import JSON, TEXT, Audio, File, Image, Video

MEDIA: dict[str, t.Any] = {"Image": Image, "Video": Video, "Audio": Audio, "File": File}
_FORBIDDEN, _MAX_NAME_BYTES = '/\\:*?"<>|', 180
SUFFIXES = {
    "image/png": ".png",
    "image/jpeg": ".jpg",
    "image/webp": ".webp",
    "image/svg+xml": ".svg",
    "video/mp4": ".mp4",
    "video/webm": ".webm",
    "audio/mpeg": ".mp3",
    "audio/wav": ".wav",
    "audio/x-wav": ".wav",
    "audio/mp4": ".m4a",
    "application/pdf": ".pdf",
    "application/zip": ".zip",
    "text/vtt": ".vtt",
    "application/x-subrip": ".srt",
    "text/csv": ".csv",
    "application/json": ".json",
}


async def run_flow(
    plan: Plan,
    prompt: str | None,
    given: list[str],
    to: Path,
    cache: Path | None,
    console: Console,
    *,
    prepare: t.Callable[[Store], t.Awaitable[None]] | None = None,
    **options: t.Any,
) -> bool:
    """Run the plan with live progress, write its results to `to`, and return whether it finished.

    `given` are inputs as `id=value`; `prepare` puts the flow's own files into the store; `options` are those
    of `start`. If it is cancelled, it writes the results of the finished steps and then raises
    CancelledError.
    """
    await asyncio.to_thread(_check_writable, to)
    with tempfile.TemporaryDirectory(prefix="impasto-") as folder:
        store = FolderStore(cache / "assets") if cache is not None else FolderStore(folder)
        results = DiskCache(cache / "results") if cache is not None else None
        if prepare is not None:
            await prepare(store)
        inputs = await read_inputs(plan, prompt, given, store)
        view = RunView(plan, console)
        with view:
            run = await start(plan, inputs, store=store, cache=results, listener=view.show, **options).begin()
            try:
                result = await asyncio.shield(run.result())
            except asyncio.CancelledError:
                result = await run.cancel()
        written = await write_results(result, to, store, options.get("targets") or ())
    for path in written:
        console.print(f"  {path}", markup=False)
    for step in result.steps.values():
        if step.error is not None:
            detail = f" ({step.error.detail})" if step.error.detail else ""
            console.print(f"{step.id}: {step.error.message}{detail}", style="red", markup=False)
    if result.error is not None and not any(step.error for step in result.steps.values()):
        console.print(result.error.message, style="red", markup=False)
    cost = f", ${result.cost_usd:.4f}" if result.cost_usd else ""
    console.print(f"{result.status} in {result.seconds:.1f} s{cost}")
    if result.status == "cancelled":
        raise asyncio.CancelledError
    return result.status == "finished"


def _check_writable(folder: Path) -> None:
    """Create the folder and a file in it, so that an unwritable one is reported before the run."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=folder):
        pass


async def read_inputs(plan: Plan, prompt: str | None, given: list[str], store: Store) -> dict[str, t.Any]:
    """Return the run's inputs from the command line: files for media, JSON or text for the others.

    Raises InputsInvalid.
    """
    form = plan.inputs["properties"]
    inputs: dict[str, t.Any] = {}
    for item in given:
        name, separator, text = item.partition("=")
        if not separator:
            raise InputsInvalid(
                [Problem(code="bad_input", message=f"Write inputs as id=value, not '{item}'.")]
            )
        inputs[name] = await _read_input(form.get(name, {}).get("x-type", "Text"), name, text, store)
    if prompt is not None:
        name = next(
            (key for key, schema in form.items() if schema["x-type"] == "Text" and key not in inputs), ""
        )
        if not name:
            raise InputsInvalid(
                [Problem(code="unknown_input", message="This flow has no text input for the prompt.")]
            )
        inputs[name] = prompt
    return inputs


async def _read_input(kind: str, name: str, text: str, store: Store) -> t.Any:
    if kind in MEDIA:
        return to_json(await _upload(kind, name, Path(text), store))
    if kind == "Text":
        return text
    try:
        return CONVERSIONS[TEXT, JSON](text)
    except ConversionFailed:
        return text


async def _upload(kind: str, name: str, path: Path, store: Store) -> t.Any:
    import mimetypes

    if not path.is_file():  # noqa: ASYNC240 - nothing else runs yet
        raise InputsInvalid(
            [
                Problem(
                    code="bad_input", message=f"There is no file '{path}' for the input '{name}'.", node=name
                )
            ]
        )
    media_type = mimetypes.guess_type(path.name)[0] or MEDIA[kind].__dataclass_fields__["media_type"].default
    stored = await store.put(path, media_type, path.name)
    return MEDIA[kind](
        asset_id=stored.asset_id,
        media_type=media_type,
        bytes=stored.bytes,
        sha256=stored.sha256,
        name=path.name,
    )


async def write_results(
    result: RunResult, to: Path, store: Store, targets: t.Collection[str] = ()
) -> list[Path]:
    """Write each result to a file and all of them to results.json; return the files.

    The outputs of `targets` count as results, whatever they are connected to.
    """
    written: list[Path] = []
    data: dict[str, t.Any] = {}
    taken = {"results"}
    of_targets = {name: each for name, each in result.outputs.items() if name.rpartition(".")[0] in targets}
    for name, value in (of_targets | {**result.results}).items():
        data[name] = await _write(value, to / _distinct(_stem(name), taken), store, written, taken)
    summary = {"run_id": result.run_id, "status": result.status, "cost_usd": result.cost_usd, "results": data}
    path = to / "results.json"
    await asyncio.to_thread(path.write_text, json.dumps(summary, indent=2, ensure_ascii=False), "utf-8")
    return [*written, path]


def _stem(name: str) -> str:
    """Return a file name for a result, without characters that file systems forbid."""
    letters = "".join(letter if letter.isprintable() and letter not in _FORBIDDEN else "-" for letter in name)
    return (
        letters.removesuffix(".output").encode()[:_MAX_NAME_BYTES].decode(errors="ignore").strip(" .")
        or "result"
    )


def _distinct(stem: str, taken: set[str]) -> str:
    """Return a file name that no other result has, also where case or composition does not count."""
    found, number = stem, 1
    while (key := unicodedata.normalize("NFC", found).casefold()) in taken:
        number += 1
        found = f"{stem} ({number})"
    taken.add(key)
    return found


async def _write(value: t.Any, stem: Path, store: Store, written: list[Path], taken: set[str]) -> t.Any:
    """Write one value to a file and return what represents it in results.json."""
    if isinstance(value, list):
        stems = [
            stem.with_name(_distinct(f"{stem.name}-{number}", taken)) for number, _ in enumerate(value, 1)
        ]
        return [
            await _write(item, each, store, written, taken) for item, each in zip(value, stems, strict=True)
        ]
    if isinstance(value, Image | Video | Audio | File):
        path = stem.with_name(
            stem.name + SUFFIXES.get(value.media_type, Path(value.name or "").suffix or ".bin")
        )
        async with store.path(value.asset_id) as source:
            await asyncio.to_thread(shutil.copyfile, source, path)
        written.append(path)
        return path.name
    if isinstance(value, str):
        path = stem.with_name(stem.name + ".txt")
        await asyncio.to_thread(path.write_text, value, "utf-8")
        written.append(path)
    return to_json(value)


class RunView:
    """Live progress: a bar for each running step in a terminal, a line for each finished one elsewhere."""

    def __init__(self, plan: Plan, console: Console) -> None:
        self._titles = {step.id: step.title for step in plan.steps}
        self._live = console.is_terminal
        self._console = console
        self._bars: dict[str, TaskID] = {}
        self._progress = Progress(
            SpinnerColumn(finished_text="✓"),
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=24),
            TextColumn("{task.fields[status]}", markup=False),
            TimeElapsedColumn(),
            console=console,
            disable=not self._live,
        )

    def __enter__(self) -> "RunView":
        self._progress.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._progress.stop()

    def show(self, event: Event) -> None:
        """Show one event."""
        step = event.step
        if step is None:
            return
        if self._live:
            self._bar(step, event)
        elif event.type in ("step.finished", "step.failed", "step.skipped", "step.retrying"):
            self._console.print(f"{step}: {_summary(event)}", markup=False)

    def _bar(self, step: str, event: Event) -> None:
        if event.type == "step.started":
            self._bars[step] = self._progress.add_task(self._titles[step], total=None, status="")
            return
        if step not in self._bars and event.type in ("step.finished", "step.skipped", "step.failed"):
            self._bars[step] = self._progress.add_task(self._titles[step], total=None, status="")
        bar = self._bars.get(step)
        if bar is None:
            return
        if event.type == "step.progress":
            data = event.data
            self._progress.update(bar, total=1.0, completed=data["fraction"], status=data["message"])
        elif event.type in ("step.finished", "step.failed", "step.skipped"):
            self._progress.update(bar, total=1.0, completed=1.0, status=_summary(event))
        elif event.type == "step.retrying":
            self._progress.update(bar, status=_summary(event))


def _summary(event: Event) -> str:
    data = event.data
    if event.type == "step.finished":
        return "reused" if data["cached"] else f"done in {data['seconds']:.1f} s"
    if event.type == "step.failed":
        return str(data["error"]["message"])
    if event.type == "step.retrying":
        return f"retrying in {data['seconds']:.1f} s: {data['error']['message']}"
    return f"skipped ({data['reason']}{': ' + data['because'] if data['because'] else ''})"
