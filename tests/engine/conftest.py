"""The engine's property tests: the same cases every time, and no clock on them."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "engine", deadline=None, derandomize=True, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("engine")
