"""Writes the software bills of materials: CycloneDX, from the lock files, without installing anything."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
LOCKS = ("requirements.lock", "requirements-model.lock")
PYTHON, EDITOR = "sbom-python.cdx.json", "sbom-editor.cdx.json"


def write_sboms(folder: Path) -> list[Path]:
    """Write one document for the Python packages of the server and one for those of the built editor.

    Raises subprocess.CalledProcessError if a lock file cannot be read, or if a document is not valid.
    """
    folder.mkdir(parents=True, exist_ok=True)
    return [_write_python(folder / PYTHON), _write_editor(folder / EDITOR)]


def _write_python(path: Path) -> Path:
    locked = "".join((ROOT / name).read_text("utf-8") for name in LOCKS)
    options = ["--pyproject", str(ROOT / "pyproject.toml"), "--output-format", "JSON", "-o", str(path), "-"]
    command = [sys.executable, "-W", "ignore", "-m", "cyclonedx_py", "requirements", "--validate", *options]
    subprocess.run(command, input=locked, text=True, check=True, cwd=ROOT)
    return path


def _write_editor(path: Path) -> Path:
    # With --omit=dev, npm leaves out packages that both the editor and a build tool need.
    options = ["--sbom-format", "cyclonedx", "--package-lock-only"]
    with path.open("wb") as file:
        subprocess.run(["npm", "--silent", "sbom", *options], stdout=file, check=True, cwd=ROOT)
    return path


if __name__ == "__main__":
    for written in write_sboms(ROOT / "build"):
        print(f"Wrote {written.relative_to(ROOT)}")
