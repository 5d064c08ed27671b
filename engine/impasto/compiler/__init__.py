"""From a flow document to a plan, or to every problem that it has."""
