"""JSON Schemas of answers: validation within a bounded time, and the work that a schema asks for."""
