"""Texts and data of language models on this machine: prompts, limits, and the judgement of drafts."""
