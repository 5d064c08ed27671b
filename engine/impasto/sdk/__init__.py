"""The SDK for nodes: the decorator, context, settings, conversions, plugins and providers."""
