"""Copy the screenshots that the documentation shows from `make screens`, compressed.

Every PNG that the pages show is replaced: `tutorial-flow.png` by the screenshot of that name, and
`editor-run.png` by `editor-run-light.png`.
"""

import re
import sys
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).parents[2]
SCREENS = ROOT / "editor" / "e2e" / "screens"
IMAGES = ROOT / "docs" / "images"
MAX_BYTES = 300_000
COLOURS = (256, 128, 64)


def main() -> int:
    """Refresh the images; 1 if a screenshot is missing or stays too large."""
    failed = False
    for name in sorted(shown_images()):
        source = next((path for path in candidates(name) if path.exists()), None)
        if source is None:
            print(f"{name}: no screenshot. Run `make screens` first.", file=sys.stderr)
            failed = True
        elif not compress(source, IMAGES / name):
            print(f"{name}: more than {MAX_BYTES} bytes with {COLOURS[-1]} colours.", file=sys.stderr)
            failed = True
    return int(failed)


def shown_images() -> set[str]:
    """The names of the PNG files in docs/images that pages show."""
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    text = "\n".join(page.read_text("utf-8") for page in pages)
    return set(re.findall(r"images/([\w-]+\.png)\)", text))


def candidates(name: str) -> tuple[Path, Path]:
    """The screenshots that an image may come from."""
    return SCREENS / name, SCREENS / name.replace(".png", "-light.png")


def compress(source: Path, target: Path) -> bool:
    """Write an image as a PNG of at most MAX_BYTES, with fewer colours if needed; whether it fits."""
    with Image.open(source) as image:
        full = image.convert("RGB")
    full.save(target, optimize=True)
    for colours in COLOURS:
        if target.stat().st_size <= MAX_BYTES:
            break
        full.quantize(colours, Image.Quantize.MEDIANCUT).save(target, optimize=True)
    return target.stat().st_size <= MAX_BYTES


if __name__ == "__main__":
    sys.exit(main())
