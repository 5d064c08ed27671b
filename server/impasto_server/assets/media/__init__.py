"""Media files: their type and size, whether they are whole, their thumbnails, and images within limits."""
