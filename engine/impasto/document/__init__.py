"""The flow document: nodes, edges, the canonical form, differences and upgrades."""
