"""The cost of a node: which arguments its function is given."""

from impasto.sdk.decorator_args import cost_of

SETTINGS, INPUTS, CONFIGURED = {"n": 3}, {"text": "Hi"}, frozenset({"local"})


def estimate(cost):
    return cost_of(cost)(SETTINGS, INPUTS, CONFIGURED)


def test_cost_is_a_number_or_none():
    assert estimate(0.5) == 0.5
    assert cost_of(None) is None


def test_cost_takes_settings_inputs_and_connections_by_name():
    assert estimate(lambda settings, inputs, configured: (settings, inputs, configured)) == (
        SETTINGS,
        INPUTS,
        CONFIGURED,
    )
    assert estimate(lambda inputs: inputs) == INPUTS
    assert estimate(lambda: 2) == 2


def test_cost_takes_single_settings_and_inputs_by_name():
    assert estimate(lambda n, text: (n, text)) == (3, "Hi")
    assert estimate(lambda **given: given) == {"n": 3, "text": "Hi"}


def test_argument_of_the_cost_without_a_value_has_its_default_or_none():
    assert estimate(lambda n, size=512, tone=None: (n, size, tone)) == (3, 512, None)
    assert estimate(lambda n, tone: (n, tone)) == (3, None)


def test_cost_with_other_names_takes_settings_and_inputs_by_place():
    assert estimate(lambda one, other: (one, other)) == (SETTINGS, INPUTS)
    assert estimate(lambda one: one) == SETTINGS
    assert estimate(lambda one, *, share=2: (one, share)) == (SETTINGS, 2)
