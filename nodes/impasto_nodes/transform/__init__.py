"""Nodes that turn generated media into assets to publish."""

from impasto_nodes.transform.burn_captions import burn_captions
from impasto_nodes.transform.compose import compose
from impasto_nodes.transform.compose_ads import compose_ads
from impasto_nodes.transform.contact_sheet import contact_sheet
from impasto_nodes.transform.convert import convert
from impasto_nodes.transform.join_clips import join_clips
from impasto_nodes.transform.mix_audio import mix_audio
from impasto_nodes.transform.overlay_logo import overlay_logo
from impasto_nodes.transform.overlay_text import overlay_text
from impasto_nodes.transform.pace_voice import pace_voice
from impasto_nodes.transform.palette import palette
from impasto_nodes.transform.pick import pick
from impasto_nodes.transform.place_product import place_product
from impasto_nodes.transform.remove_background import remove_background
from impasto_nodes.transform.resize_crop import resize_crop
from impasto_nodes.transform.still_to_video import still_to_video
from impasto_nodes.transform.subject_mask import subject_mask

__all__ = [
    "NODES",
    "burn_captions",
    "compose",
    "compose_ads",
    "contact_sheet",
    "convert",
    "join_clips",
    "mix_audio",
    "overlay_logo",
    "overlay_text",
    "pace_voice",
    "palette",
    "pick",
    "place_product",
    "remove_background",
    "resize_crop",
    "still_to_video",
    "subject_mask",
]

# In the order in which the palette shows them.
NODES = (
    resize_crop,
    overlay_text,
    join_clips,
    mix_audio,
    pace_voice,
    overlay_logo,
    remove_background,
    subject_mask,
    place_product,
    palette,
    still_to_video,
    burn_captions,
    compose_ads,
    contact_sheet,
    compose,
    pick,
    convert,
)
