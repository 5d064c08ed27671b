"""The environment of a worker process: what Python needs, and the variables that its plugin declares."""

import os
from typing import Any

from impasto.configuration import Configuration
from impasto.runtime.sandbox.denied import VariableDenied
from impasto.runtime.sandbox.policy import SandboxPolicy


class RestrictedConfiguration(Configuration):
    """The operator's configuration as far as a plugin declares it. Raises VariableDenied for the rest."""

    __slots__ = ("_hidden", "_package")

    def __init__(self, package: str, visible: Configuration, hidden: frozenset[str]) -> None:
        super().__init__(dict(visible))
        self._package = package
        self._hidden = hidden

    def __getitem__(self, name: str) -> str:
        if name.upper() in self._hidden:
            raise denied(self._package, name)
        return super().__getitem__(name)

    def get(self, name: str, default: Any = None) -> Any:
        """Return a variable's value. Raises VariableDenied for one that is set and not declared."""
        if name.upper() in self._hidden:
            raise denied(self._package, name)
        return super().get(name, default)


def hide_variables(policy: SandboxPolicy) -> None:
    """Make `os.environ["NAME"]` name the plugin for a variable that is set and not declared.

    Its value is not in this process. `os.environ.get` returns the default for it.
    """

    class Environment(os._Environ):  # type: ignore[type-arg]
        def __getitem__(self, name: Any) -> Any:
            try:
                return super().__getitem__(name)
            except KeyError:
                if isinstance(name, str) and name.upper() in policy.hidden:
                    raise denied(policy.package, name) from None
                raise

    os.environ.__class__ = Environment  # noqa: TID251 - the variables of this process are restricted, not read


def denied(package: str, name: str) -> VariableDenied:
    """Return the error for a variable that is set and not declared."""
    return VariableDenied(
        package, "environment", f"read the environment variable {name}", f'environment = ["{name}"]'
    )
