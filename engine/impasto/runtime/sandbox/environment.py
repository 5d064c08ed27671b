"""The environment of a worker process: what Python needs, and the variables that its plugin declares."""

import os
from dataclasses import dataclass
from typing import Any

from impasto.configuration import Configuration
from impasto.runtime.sandbox.denied import VariableDenied
from impasto.runtime.sandbox.policy import SandboxPolicy


@dataclass(frozen=True, slots=True)
class HiddenVariables:
    """Raises VariableDenied for variables that are set and that a plugin does not declare, in upper case."""

    package: str
    names: frozenset[str]

    def __call__(self, name: str) -> None:
        """Raise VariableDenied if the name, in upper case, is hidden."""
        if name in self.names:
            raise denied(self.package, name)


def restricted(visible: Configuration, package: str, hidden: frozenset[str]) -> Configuration:
    """Return the configuration as far as a plugin declares it; reading `hidden` names is denied."""
    # Calls take it to another process: the check has to be an object that can be pickled.
    return Configuration(dict(visible), on_read=HiddenVariables(package, hidden))


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
