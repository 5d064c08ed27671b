"""Text of the product inside the tables of the generated reference."""

from tools.docs.markdown import cell


def test_cell_stays_one_cell() -> None:
    assert cell("one\ntwo | three") == "one two \\| three"


def test_angle_brackets_are_escaped_outside_of_code_only() -> None:
    assert cell("http://localhost:<port>, `<id>`") == "http://localhost:&lt;port>, `<id>`"
