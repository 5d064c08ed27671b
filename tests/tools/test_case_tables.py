"""Cases that `make test` takes of a table still call all that its rows and columns stand for."""

from hypothesis import given
from hypothesis import strategies as st
from tests.fixtures.tables import diagonals


@given(
    st.lists(st.tuples(st.integers(0, 9), st.sampled_from("abcdef")), min_size=1, unique=True),
    st.integers(1, 5),
)
def test_each_row_and_each_column_keeps_a_case(cells, every):
    cases = diagonals(cells, every)
    kept = [case.values for case in cases if not case.marks]
    assert [case.values for case in cases] == cells
    assert {row for row, _ in kept} == {row for row, _ in cells}
    assert {column for _, column in kept} == {column for _, column in cells}


def test_one_in_three_cases_of_a_whole_table_is_kept():
    cells = [(row, column) for row in range(12) for column in range(9)]
    assert sum(not case.marks for case in diagonals(cells, 3)) == len(cells) // 3
