"""xAI's video: Grok Imagine. Its text goes through litellm."""
