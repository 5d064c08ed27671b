"""The fake context for calling nodes directly: the same methods and parameters as the real one."""

import inspect

import pytest

from impasto import Context
from impasto.testing import FakeContext

pytestmark = pytest.mark.anyio
METHODS = [name for name, each in vars(Context).items() if callable(each) and not name.startswith("_")]


@pytest.mark.parametrize("name", METHODS)
def test_fake_method_takes_the_parameters_of_the_real_one(name):
    fake, real = (inspect.signature(getattr(cls, name)).parameters for cls in (FakeContext, Context))
    assert [(each.name, each.kind, each.default) for each in fake.values()] == [
        (each.name, each.kind, each.default) for each in real.values()
    ]


def test_fake_has_every_property_of_the_real_one():
    names = [name for name, each in vars(Context).items() if isinstance(each, property)]
    context = FakeContext()
    assert [name for name in names if not hasattr(context, name)] == []
    context.close()


async def test_unknown_keyword_is_refused():
    context = FakeContext()
    with pytest.raises(TypeError, match="colour"):
        await context.store(b"x", "image/png", colour="red")
    with pytest.raises(TypeError, match="provder"):
        context.record_generation(provder="openai")
