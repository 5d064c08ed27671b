"""Compiles a flow document into a plan, or reports all of its problems."""
