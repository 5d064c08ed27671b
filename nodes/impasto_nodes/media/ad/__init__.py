"""Ads: where image, headline, offer, call to action and signature stand, and how they are drawn."""
