"""Launching a run: inputs, plan, estimate and reuse of earlier results."""
