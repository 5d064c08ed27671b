"""Results kept by step key: the `Cache` protocol and its two implementations."""

from impasto.cache.disk import DiskCache
from impasto.cache.protocol import Cache, MemoryCache

__all__ = ["Cache", "DiskCache", "MemoryCache"]
