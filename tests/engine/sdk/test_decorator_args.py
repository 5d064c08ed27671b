"""The arguments of `@node`: each is checked when the module is imported, and the error says how to fix it."""

import pytest

from impasto import Category, DefinitionError, Text, node
from impasto.sdk.decorator_args import cost_of
from impasto.sdk.node_type import node_type_of


def define(**arguments):
    """Define a node with these arguments."""

    @node(**arguments)
    async def made(text: Text, *, size: int = 1) -> Text:
        return text

    return node_type_of(made)


NO_ID = " cannot be a category's id. Use lower-case letters, digits and underscores, a letter first."
PLACE = f"In node '{__name__}.define.<locals>.made': "


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"colour": 1}, "@node has no argument 'colour'. help(impasto.node) lists its arguments."),
        ({"keywords": "a"}, "keywords='a' has a wrong type. Give a list of words, each a str."),
        ({"keywords": ["a", " "]}, "keywords=['a', ' '] has a wrong type. Give a list of words, each a str."),
        ({"keywords": [5]}, "keywords=[5] has a wrong type. Give a list of words, each a str."),
        ({"title": 5}, "title=5 has a wrong type. Give a str."),
        ({"limit": 5}, "limit=5 has a wrong type. Give the name of a limit, a str."),
        ({"replaced_by": 5}, "replaced_by=5 has a wrong type. Give the id of a node type, a str."),
        ({"timeout": "1"}, "timeout='1' has a wrong type. Give a number of seconds."),
        ({"timeout": True}, "timeout=True has a wrong type. Give a number of seconds."),
        ({"retries": 0.5}, "retries=0.5 has a wrong type. Give an int."),
        ({"retries": True}, "retries=True has a wrong type. Give an int."),
        ({"retries": None}, "retries=None has a wrong type. Give an int."),
        ({"beta": None}, "beta=None has a wrong type. Give True or False."),
        ({"cpu": None}, "cpu=None has a wrong type. Give True or False."),
        ({"generative": 1}, "generative=1 has a wrong type. Give True or False."),
        ({"beta": "yes"}, "beta='yes' has a wrong type. Give True or False."),
        ({"retries": -1}, "retries must be at least 0 and timeout above 0. Leave them out for none."),
        ({"timeout": 0}, "retries must be at least 0 and timeout above 0. Leave them out for none."),
        ({"id": "a.b"}, "'a.b' cannot be an id. Use letters, digits and underscores."),
        ({"id": "a b"}, "'a b' cannot be an id. Use letters, digits and underscores."),
        ({"id": "a/b"}, "'a/b' cannot be an id. Use letters, digits and underscores."),
        ({"id": "a\u200e"}, "'a\\u200e' cannot be an id. Use letters, digits and underscores."),
        ({"id": 5}, "5 cannot be an id. Use letters, digits and underscores."),
        ({"version": 0}, "version must be an int of at least 1, got 0. Count versions 1, 2, 3."),
        ({"version": True}, "version must be an int of at least 1, got True. Count versions 1, 2, 3."),
        ({"version": "1"}, "version must be an int of at least 1, got '1'. Count versions 1, 2, 3."),
        ({"check": 5}, "check=5 is not callable. Give a function."),
        ({"fingerprint": "a"}, "fingerprint='a' is not callable. Give a function."),
        ({"migrations": [1]}, "migrations=[1] is not a mapping. Give a function for each old version."),
        ({"version": 2, "migrations": {1: 5}}, "migrations[1]=5 is not callable. Give a function."),
        (
            {"version": 2, "migrations": {2: dict}},
            "its migrations start at [2]. Migrations start at versions 1..1.",
        ),
        (
            {"version": 3, "migrations": {0: dict, 1: dict}},
            "its migrations start at [0, 1]. Migrations start at versions 1..2.",
        ),
        (
            {"version": 3, "migrations": {"1": dict, 2: dict}},
            "its migrations start at ['1', 2]. Migrations start at versions 1..2.",
        ),
        ({"cost": -1}, "cost=-1 is neither. Give a number of dollars of at least 0, or a function."),
        ({"cost": "1"}, "cost='1' is neither. Give a number of dollars of at least 0, or a function."),
        (
            {"category": "films"},
            "there is no category 'films'. Use 'inputs', 'ai_models', 'advanced_models', 'transform_assets', "
            "or declare one of your own: Category('films').",
        ),
        (
            {"category": Category("Films")},
            f"'Films'{NO_ID}",
        ),
        (
            {"category": Category("9a")},
            f"'9a'{NO_ID}",
        ),
        (
            {"category": Category(5)},
            f"5{NO_ID}",
        ),
    ],
)
def test_wrong_argument_is_refused_with_its_fix(arguments, sentence):
    with pytest.raises(DefinitionError) as raised:
        define(**arguments)
    assert str(raised.value) == PLACE + sentence


def test_arguments_at_their_limits_are_taken():
    found = define(
        id="a-b_é",
        version=3,
        retries=0,
        timeout=0.001,
        cost=0,
        keywords=(" a ", "b"),
        category=Category("film_tools2"),
        migrations={1: dict, 2: dict},
    )
    assert (found.id, found.version, found.retries, found.timeout) == ("a-b_é", 3, 0, 0.001)
    assert (found.keywords, found.category) == (("a", "b"), "film_tools2")
    assert [*found.migrations] == [1, 2]
    assert found.cost({}, {}, frozenset()) == 0
    assert define(category="inputs").category == "inputs"


def test_node_without_arguments_has_the_defaults():
    found = define()
    assert (found.category, found.keywords, found.cost, found.check) == ("uncategorized", (), None, None)
    flags = (found.generative, found.seeded, found.beta, found.deprecated)
    assert flags == (False, False, False, False)
    assert (found.limit, found.replaced_by, found.fingerprint, found.timeout) == (None, None, None, None)
    same = define(
        title=None, limit=None, replaced_by=None, timeout=None, cost=None, check=None, migrations=None
    )
    assert (same.title, same.limit, same.replaced_by, same.timeout) == ("Made", None, None, None)
    assert (same.cost, same.check, same.migrations) == (None, None, {})


SETTINGS, INPUTS, CONFIGURED = {"size": 2, "text": "setting"}, {"text": "input", "image": "i"}, frozenset("a")


@pytest.mark.parametrize(
    ("cost", "found"),
    [
        (0.5, 0.5),
        (lambda: 1, 1),
        (lambda settings: settings, SETTINGS),
        (lambda inputs: inputs, INPUTS),
        (lambda settings, inputs: (settings, inputs), (SETTINGS, INPUTS)),
        (lambda settings, inputs, configured: (settings, inputs, configured), (SETTINGS, INPUTS, CONFIGURED)),
        (lambda size, image: (size, image), (2, "i")),
        (lambda text: text, "setting"),
        (lambda size, other: (size, other), (2, None)),
        (lambda size, other=5: (size, other), (2, 5)),
        (lambda a, b: (a, b), (SETTINGS, INPUTS)),
        (lambda a: a, SETTINGS),
        (lambda a, *, b=3: (a, b), (SETTINGS, 3)),
        (lambda **all: all, {"size": 2, "text": "setting", "image": "i"}),
    ],
    ids=[
        "number", "none", "settings", "inputs", "both", "configured", "names", "setting before input",
        "unknown name", "default", "by position", "first by position", "keyword only", "all",
    ],
)  # fmt: skip
def test_cost_is_given_what_its_parameters_name(cost, found):
    assert cost_of(cost)(SETTINGS, INPUTS, CONFIGURED) == found
    assert cost_of(None) is None
