"""The modules that authors of provider plugins import."""

from dataclasses import fields, is_dataclass
from importlib import import_module
from inspect import isclass
from pkgutil import iter_modules

from impasto_nodes import providers


def test_dataclasses_of_more_than_three_fields_are_keyword_only() -> None:
    names = [found.name for found in iter_modules(providers.__path__, "impasto_nodes.providers.")]
    modules = [providers, *map(import_module, names)]
    classes = {each for module in modules for each in vars(module).values() if isclass(each)}
    long = {each for each in classes if is_dataclass(each) and len(fields(each)) > 3}
    assert {providers.Model, providers.ImageRequest} <= long
    assert [each.__name__ for each in long if not all(field.kw_only for field in fields(each))] == []
