"""Lines that are made of several phrases of a brief."""

import pytest

from impasto_nodes.providers.local.writing.arrange import line_for
from impasto_nodes.providers.local.writing.brief import read


@pytest.mark.parametrize(
    ("brief", "offer"),
    [
        (
            "Taller de cerámica en Oaxaca. Materiales incluidos. Cupo de 6 personas. Sábados.",
            "Materiales incluidos · Cupo de 6 personas",
        ),
        (
            "Ceramics workshop in Leeds, clay and glazes, tea from Darjeeling, aprons.",
            "Clay and glazes, tea from Darjeeling",
        ),
        (
            "Kochkurs in Graz, Zutaten inklusive, Schürze dabei, sechs Plätze.",
            "Zutaten inklusive, Schürze dabei",
        ),
    ],
    ids=["sentences", "parts", "nouns"],
)
def test_no_comma_stands_before_what_was_a_sentence(brief: str, offer: str) -> None:
    assert line_for("offer", read(brief), 4, 60, []) == offer
