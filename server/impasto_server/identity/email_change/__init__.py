"""Changing the e-mail address of an account."""
