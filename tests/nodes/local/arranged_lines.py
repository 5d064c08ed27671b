"""Briefs, and the lines that are arranged from one for several fields of one kind."""

from impasto_nodes.providers.local.writing.arrange import line_for
from impasto_nodes.providers.local.writing.brief import Brief, read

ACME = "You write for Acme.\nSoap for all of us.\nTone: dry."
NORTHBOUND = (
    "Write an ad.\nYou write for Northbound Coffee.\nCoffee for people who go out early.\nTone: Warm."
)
BAKERS = read("Hiring: two bakers who like early mornings and loud radio.", NORTHBOUND)
BOTTLE = read("Ads for our reusable water bottle from Leeds, light and strong, 20% off until Sunday", ACME)


def lines_for(kind: str, brief: Brief, count: int, min_length: int = 4, max_length: int = 60) -> list[str]:
    """Return a line for each of `count` fields; none of them is said again if there are others."""
    said: list[str] = []
    for _ in range(count):
        said.append(line_for(kind, brief, min_length, max_length, said))
    return said
