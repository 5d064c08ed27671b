"""Speech and transcripts from ElevenLabs."""
