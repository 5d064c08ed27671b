"""ComfyUI: workflows that run on a server of one's own."""
