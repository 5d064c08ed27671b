"""Importing a brand: what a website, a PDF, images or an exported brand contain, proposed for approval."""
