"""Images: reading them safely, framing, color and legibility."""
