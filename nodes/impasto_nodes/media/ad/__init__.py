"""Ads: the layout of image, headline, offer, call to action and signature, and its drawing."""
