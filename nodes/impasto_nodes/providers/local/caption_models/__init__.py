"""Local models that transcribe speech: the offered ones, the downloaded ones, and the choice of one."""
