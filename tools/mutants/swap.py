"""Puts the functions of a mutant in place of those of a module that is already imported."""

import gc
import importlib
import inspect
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import _lru_cache_wrapper
from pathlib import Path
from types import CodeType, FunctionType
from typing import TypeGuard

Place = tuple[str, str, int]  # file, qualified name, first line


class Functions:
    """The functions of this process whose sources are in `folders`."""

    def __init__(self, folders: tuple[str, ...]) -> None:
        self._folders = folders
        self._found: dict[Place, list[FunctionType]] = defaultdict(list)
        self._caches: list[_lru_cache_wrapper[object]] = []
        gc.unfreeze()  # frozen objects are not listed
        self._add()
        gc.freeze()

    def _add(self) -> None:
        for each in gc.get_objects():
            if self._is_ours(each):
                self._found[_place(each.__code__)].append(each)
            elif isinstance(each, _lru_cache_wrapper) and self._is_ours(each.__wrapped__):
                self._caches.append(each)

    def _is_ours(self, each: object) -> TypeGuard[FunctionType]:
        return isinstance(each, FunctionType) and each.__code__.co_filename.startswith(self._folders)

    def replace(self, module: Path, name: str, source: str) -> int:
        """Give the module's functions the code that they have in `source`; return how many changed.

        The values that `functools.cache` has kept are forgotten. Functions that run only while the module is
        imported have run already.
        """
        if name not in sys.modules:
            importlib.import_module(name)
            self._add()
        before = {_place(code): code for code in _functions(compile(module.read_text(), str(module), "exec"))}
        changed = 0
        for code in _functions(compile(source, str(module), "exec")):
            if before.get(_place(code)) != code:
                for function in self._found[_place(code)]:
                    function.__code__ = _with_variables_of(function, code)
                    changed += 1
        self._forget_cached_values()
        return changed

    def _forget_cached_values(self) -> None:
        for each in self._caches:
            each.cache_clear()


def _with_variables_of(function: FunctionType, code: CodeType) -> CodeType:
    """Return the code, which may no longer use the variables around it that the function uses.

    Python refuses a code with fewer of them: one without `super()` has no class. It refers to them by number,
    so that only the last ones can be added.
    """
    used, names = code.co_freevars, function.__code__.co_freevars
    return code.replace(co_freevars=names) if used == names[: len(used)] else code


def _place(code: CodeType) -> Place:
    return code.co_filename, code.co_qualname, code.co_firstlineno


def _functions(code: CodeType) -> Iterator[CodeType]:
    """Yield the functions of a module and of its classes; what is inside a function is part of it."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            if constant.co_flags & inspect.CO_OPTIMIZED:  # not a class body
                yield constant
            else:
                yield from _functions(constant)
