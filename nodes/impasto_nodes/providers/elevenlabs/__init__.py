"""ElevenLabs: speech and transcripts."""
