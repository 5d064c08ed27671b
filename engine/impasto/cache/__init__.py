"""Results by step key: the `Cache` protocol, its two implementations, and the keys themselves."""

from impasto.cache.disk import DiskCache
from impasto.cache.memory import MemoryCache
from impasto.cache.protocol import Cache

__all__ = ["Cache", "DiskCache", "MemoryCache"]
