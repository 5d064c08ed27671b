"""The providers behind the nodes: one small protocol a kind, one adapter a provider."""
