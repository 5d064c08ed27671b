"""Nodes that call a model."""

from impasto_nodes.ai.agent import agent
from impasto_nodes.ai.audio.dialogue import dialogue
from impasto_nodes.ai.audio.music_generation import music_generation
from impasto_nodes.ai.audio.sound_effects import sound_effects
from impasto_nodes.ai.audio.text_to_speech import text_to_speech
from impasto_nodes.ai.brand_check import brand_check
from impasto_nodes.ai.captions import captions
from impasto_nodes.ai.comfyui_workflow import comfyui_workflow
from impasto_nodes.ai.image_edit import image_edit
from impasto_nodes.ai.image_generation import image_generation
from impasto_nodes.ai.language_model import language_model
from impasto_nodes.ai.structured_data import structured_data
from impasto_nodes.ai.video_generation import video_generation

__all__ = [
    "NODES",
    "agent",
    "brand_check",
    "captions",
    "comfyui_workflow",
    "dialogue",
    "image_edit",
    "image_generation",
    "language_model",
    "music_generation",
    "sound_effects",
    "structured_data",
    "text_to_speech",
    "video_generation",
]

# In the order in which the palette shows them.
NODES = (
    language_model,
    image_generation,
    video_generation,
    text_to_speech,
    structured_data,
    agent,
    image_edit,
    brand_check,
    captions,
    dialogue,
    music_generation,
    sound_effects,
    comfyui_workflow,
)
