"""The flow document: its parts, its canonical form, differences and upgrades."""
