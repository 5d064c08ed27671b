"""ElevenLabs: speech, dialogue, music, sound effects and transcripts."""
