"""Text, pictures and transcripts over every provider that litellm knows."""
