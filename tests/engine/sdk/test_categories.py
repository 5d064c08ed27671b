"""Categories of node types: built in, or declared by the plugin."""

import pytest

from impasto import Catalog, Category, DefinitionError, Text, node


def test_unknown_category_is_refused_with_the_list():
    with pytest.raises(DefinitionError, match="there is no category 'transform'") as raised:

        @node(category="transform")
        async def wrong(text: Text) -> Text: ...

    for known in ("inputs", "ai_models", "advanced_models", "transform_assets", "Category('transform')"):
        assert known in str(raised.value)


def test_plugin_declares_a_category_of_its_own():
    @node(category=Category("film_tools"))
    async def cut(text: Text) -> Text: ...

    described = Catalog([cut]).describe()
    assert described["types"][0]["category"] == "film_tools"
    assert described["categories"][-1] == "film_tools"


@pytest.mark.parametrize("name", ["Film tools", "", "1st", None])
def test_category_id_is_a_lower_case_identifier(name):
    with pytest.raises(DefinitionError, match="cannot be a category's id"):

        @node(category=Category(name))
        async def wrong(text: Text) -> Text: ...
