"""The dashboard and the alert rules name metrics and labels that the server has."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from prometheus_client import REGISTRY

from impasto_server import app

FOLDER = Path(__file__).parents[2] / "deploy/monitoring"
DASHBOARD = json.loads((FOLDER / "grafana-dashboard.json").read_text("utf-8"))
ALERTS = yaml.safe_load((FOLDER / "prometheus-alerts.yaml").read_text("utf-8"))
RULES = [rule for group in ALERTS["groups"] for rule in group["rules"]]
OF_PROMETHEUS = {"le", "instance"}


def names_and_labels() -> dict[str, set[str]]:
    """Return the labels of each time series of the server by its name."""
    assert app.ROUTERS  # importing the application declares the metrics
    found: dict[str, set[str]] = {}
    for collector in set(REGISTRY._names_to_collectors.values()):
        labels = set(getattr(collector, "_labelnames", ()))
        for name, known in REGISTRY._names_to_collectors.items():
            if known is collector and name.startswith("impasto_"):
                found[name] = labels
    return found


def expressions() -> Iterator[str]:
    yield from (target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"])
    yield from (rule["expr"] for rule in RULES)


@pytest.mark.parametrize("expression", [*expressions()])
def test_expression_names_metrics_and_labels_that_exist(expression: str) -> None:
    known = names_and_labels()
    used = set(re.findall(r"impasto_\w+", expression))
    assert used
    assert used <= set(known), used - set(known)
    labels = {
        part.strip() for group in re.findall(r"by \(([^)]*)\)", expression) for part in group.split(",")
    }
    labels |= set(re.findall(r"[{,]\s*(\w+)\s*=", expression))
    assert labels <= set.union(OF_PROMETHEUS, *(known[name] for name in used))
    for opening, closing in ("()", "{}", "[]"):
        assert expression.count(opening) == expression.count(closing)


def test_every_metric_is_on_the_dashboard_or_in_an_alert() -> None:
    shown = set(re.findall(r"impasto_\w+", " ".join(expressions())))
    bases = {re.sub(r"_(total|created|bucket|count|sum)$", "", name) for name in names_and_labels()}
    assert bases - {re.sub(r"_(total|bucket|count|sum)$", "", name) for name in shown} == set()


def test_alerts_say_what_to_do_and_panels_have_places_of_their_own() -> None:
    assert len({rule["alert"] for rule in RULES}) == len(RULES)
    for rule in RULES:
        assert rule["labels"]["severity"] in ("warning", "critical")
        assert rule["annotations"]["summary"]
        assert rule["annotations"]["action"]
    panels = DASHBOARD["panels"]
    places = {(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in panels}
    assert len(places) == len({panel["id"] for panel in panels}) == len(panels)
