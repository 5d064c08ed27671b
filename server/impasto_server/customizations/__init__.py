"""Customizations: the inputs of an agent's launches as each user last set them."""
