"""Nodes for the inputs of a flow: text, media, a brand, numbers, choices, tables, data."""

from impasto_nodes.inputs.audio_input import audio_input
from impasto_nodes.inputs.brand_system import brand_system
from impasto_nodes.inputs.choice import choice
from impasto_nodes.inputs.data import data
from impasto_nodes.inputs.image_input import picture
from impasto_nodes.inputs.mask_input import mask
from impasto_nodes.inputs.number import number
from impasto_nodes.inputs.table import table
from impasto_nodes.inputs.user_prompt import user_prompt
from impasto_nodes.inputs.video_input import video_input
from impasto_nodes.inputs.whole_number import whole_number

__all__ = [
    "NODES",
    "audio_input",
    "brand_system",
    "choice",
    "data",
    "mask",
    "number",
    "picture",
    "table",
    "user_prompt",
    "video_input",
    "whole_number",
]

# In the order in which the palette shows them.
NODES = (
    user_prompt,
    picture,
    brand_system,
    choice,
    number,
    whole_number,
    table,
    data,
    video_input,
    audio_input,
    mask,
)
