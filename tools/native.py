"""Makes machine code of the engine's inner modules, beside their sources: `python tools/native.py`.

mypyc compiles them, from the types that they have anyway. Nothing is done where it was done since the last
change. On a machine without a C compiler the same sources are interpreted: slower, and otherwise the same.
`python tools/native.py --remove` goes back to that.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENGINE = ROOT / "engine"
BUILD = ROOT / "build" / "native"
SUFFIX = str(sysconfig.get_config_var("EXT_SUFFIX"))
MODULES = (
    "bindings",
    "building",
    "estimate",
    "expand",
    "gather",
    "keys",
    "lists",
    "log",
    "nodecheck",
    "opening",
    "outcome",
    "recompile",
    "reuse",
    "runstate",
    "scheduler",
    "services",
    "settling",
    "states",
    "step",
    "stopping",
    "unit",
)


def source(module: str) -> Path:
    """What is written."""
    return ENGINE / "impasto" / f"{module}.py"


def target(module: str) -> Path:
    """What is made of it, for this Python."""
    return ENGINE / "impasto" / f"{module}{SUFFIX}"


def made() -> list[Path]:
    """Everything that was made, for whichever Python."""
    return [*ENGINE.glob("*__mypyc.*"), *(ENGINE / "impasto").glob("*.so")]


def stale() -> list[str]:
    """The modules that were changed, or never compiled, since this file was."""
    written = Path(__file__).stat().st_mtime
    return [
        module
        for module in MODULES
        if not target(module).exists()
        or target(module).stat().st_mtime < max(written, source(module).stat().st_mtime)
    ]


def lacking() -> str | None:
    """What compiling needs and this machine has not got; None if it can be done."""
    compiler = (os.environ.get("CC") or str(sysconfig.get_config_var("CC") or "cc")).split()[0]
    if shutil.which(compiler) is None:
        return f"a C compiler ({compiler})"
    if not (Path(sysconfig.get_path("include")) / "Python.h").is_file():
        return "Python's C headers"
    return None


def remove() -> None:
    """Leave the sources alone."""
    for path in made():
        path.unlink()


def build() -> None:
    """Compile, and put what comes of it beside the sources; raises what mypyc or the C compiler raises."""
    from mypyc.build import mypycify
    from setuptools import Distribution

    extensions = mypycify(
        ["--config-file", "pyproject.toml", *(str(source(name).relative_to(ROOT)) for name in MODULES)],
        debug_level="0",
        group_name="impasto",
        target_dir=str(BUILD),
    )
    project = {"name": "impasto-native", "ext_modules": extensions, "package_dir": {"": "engine"}}
    command = Distribution(project).get_command_obj("build_ext")
    command.inplace = True
    command.build_temp = str(BUILD)
    command.ensure_finalized()
    command.run()
    for module in MODULES:
        target(module).touch()  # what need not be compiled again keeps its time


def main() -> int:
    """Compile if there is need and if it can be done, and say so."""
    os.chdir(ROOT)
    if "--remove" in sys.argv[1:]:
        remove()
        return 0
    if "--build" in sys.argv[1:]:
        build()
        return 0
    if not stale():
        return 0
    remove()
    if missing := lacking():
        print(f"The engine is interpreted, and slower for it: this machine lacks {missing}.")
        return 0
    print("Compiling the engine …", flush=True)
    ran = subprocess.run([sys.executable, __file__, "--build"], capture_output=True, text=True, check=False)
    if ran.returncode:
        remove()
        print(f"{ran.stdout}\n{ran.stderr}\nThe engine could not be compiled: it is interpreted, and slower.")
    return ran.returncode if os.environ.get("CI") == "true" else 0


if __name__ == "__main__":
    sys.exit(main())
