"""Text, images and transcripts of every provider that litellm supports."""
